import Capture
import Frames
import GPU
import Render
import ShaderCompiler
import ShaderEffects
import Synchronization

/// Compiles the effects of a recording again on its own thread whenever their files change, or others are
/// asked for, and prepares a pipeline with them for the GPU thread.
final class EffectReloader: Sendable {
  /// New versions of the effects, and a pipeline made from them.
  struct Fresh: @unchecked Sendable {
    // @unchecked: the pipeline is handed over once, before any use.
    let effects: [EffectInstance]
    let pipeline: RenderPipeline
    let names: [String]
  }

  private let uses: [EffectSpec]
  private let isSteered: Bool
  private let watchesFiles: Bool
  private let requests: ChainRequests?
  private let prepared: PreparedEffects
  private let device: Device
  private let plan: RecordingPlan
  private let audioHistory: SharedAudio
  private let watch: FolderWatch
  private let events: @Sendable (RecordingEvent) -> Void
  private let state: Mutex<State>
  private let isStopped = Atomic<Bool>(false)

  private struct SharedAudio: @unchecked Sendable {
    // @unchecked: a new pipeline only asks it for the number of channels, which never changes; only the
    // thread that runs pipelines uses the rest.
    let feed: AudioHistory?
  }

  private struct State: Sendable {
    var fresh: Fresh?
    /// Format of the latest frames.
    var format: FrameFormat
  }

  /// Creates a reloader, which watches nothing before `run`; events are new versions, and errors in them.
  init(
    _ recording: Recording, prepared: PreparedEffects, device: Device, plan: RecordingPlan,
    audioHistory: AudioHistory?, events: @escaping @Sendable (RecordingEvent) -> Void
  ) throws(RecorderError) {
    (uses, isSteered) = (recording.effects, recording.isSteered)
    (watchesFiles, requests) = (recording.reloadsEffects, recording.chainRequests)
    self.prepared = prepared
    self.device = device
    self.plan = plan
    self.audioHistory = SharedAudio(feed: audioHistory)
    self.events = events
    let watch = try FolderWatch()
    self.watch = watch
    state = Mutex(State(format: plan.source))
    requests?.attach { [weak watch] in watch?.wake() }
  }

  /// Returns the newest versions if they were not taken yet.
  func take() -> Fresh? {
    state.withLock { $0.fresh.take() }
  }

  /// Sets the frame format for which the next pipelines are made.
  func note(_ format: FrameFormat) { state.withLock { $0.format = format } }

  /// Reports that the new versions act from the next frame on.
  func tell(_ fresh: Fresh) { events(.reloaded(fresh.names)) }

  /// Ends `run`; may be called from any thread.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    prepared.interruption.interrupt()
    prepared.compiler.stop()
    watch.stop()
  }

  /// Watches the effects and compiles changed ones, and others that are asked for, until it is stopped.
  func run() {
    // A pipeline asks this reloader whether it is stopped: one that nobody took would keep it, and itself, for ever.
    defer { _ = take() }
    var chain = Chain(
      uses: uses, effects: prepared.effects,
      problems: Array(repeating: nil, count: prepared.effects.count))
    var isReported = false
    while true {
      if let wanted = requests?.take() {
        replace(&chain, by: wanted)
      } else if watchesFiles {
        for effect in chain.effects { watch.add(effect.folders) }
        reload(&chain, isReported: isReported)
      }
      guard let reported = watch.wait() else { return }
      isReported = reported
    }
  }

  /// The effects as they were asked for and compiled last.
  private struct Chain {
    var uses: [EffectSpec]
    var effects: [EffectInstance]
    /// For each effect, the error in its newest version.
    var problems: [Problem?]
  }

  /// Compiles the effects whose files have changed.
  private func reload(_ chain: inout Chain, isReported: Bool) {
    var next = chain.effects
    var changed: [Int] = []
    for index in next.indices {
      let isNew =
        chain.problems[index].map { isReported || $0.texts != next[index].currentTexts }
        ?? next[index].isOutdated
      guard isNew else { continue }
      do {
        next[index] = try recompile(
          chain.uses[index], path: next[index].path, &chain.problems[index])
        changed.append(index)
      } catch {
        tell("\(error)", of: chain.effects[index], &chain.problems[index])
      }
    }
    guard let first = changed.first else { return }
    do {
      try hand(next, names: changed.map { next[$0].name })
      chain.effects = next
    } catch {
      tell("\(error)", of: chain.effects[first], &chain.problems[first])
    }
  }

  private func replace(_ chain: inout Chain, by wanted: [EffectSpec]) {
    do {
      let next = try wanted.map {
        try prepared.library.compile($0, with: prepared.compiler, isSteered: isSteered)
      }
      for effect in next { try effect.checkNeededImages() }
      try hand(next, names: next.map(\.name))
      requests?.noteSuccess(wanted)
      chain = Chain(
        uses: wanted, effects: next, problems: Array(repeating: nil, count: next.count))
    } catch {
      guard !isStopped.load(ordering: .relaxed) else { return }
      requests?.noteFailure()
      events(.notice(Notice(.effectReload, "", "the effects stay as they are: \(error)")))
    }
  }

  /// Makes a pipeline with the effects, and hands both to the GPU thread.
  private func hand(_ effects: [EffectInstance], names: [String]) throws {
    let pipeline = try prepared.pipeline(
      of: state.withLock { $0.format }, device: device, plan: plan, effects: effects,
      audioHistory: audioHistory.feed,
      isStopped: { [self] in isStopped.load(ordering: .relaxed) })
    state.withLock { state in
      // Replaces a version that was not taken yet; what was new in it is also new in this one.
      var all = state.fresh?.names ?? []
      for name in names where !all.contains(name) { all.append(name) }
      state.fresh = Fresh(effects: effects, pipeline: pipeline, names: all)
    }
  }

  /// Error in the newest version of an effect; the previous version stays in use.
  private struct Problem {
    let message: String
    /// Texts of the effect's files when the error occurred.
    let texts: [String?]
  }

  private func recompile(
    _ use: EffectSpec, path: String, _ problem: inout Problem?
  ) throws -> EffectInstance {
    let (effect, lost) = try prepared.library.recompile(
      use, path: path, with: prepared.compiler, isSteered: isSteered)
    problem = nil
    for notice in effect.notices { events(.notice(notice)) }
    for name in lost {
      events(
        .notice(
          Notice(
            .effectParameter, effect.name,
            "effect '\(effect.name)' no longer has the parameter '\(name)'; its value is lost")))
    }
    return effect
  }

  /// Reports an error in a new version, once.
  private func tell(_ message: String, of effect: EffectInstance, _ problem: inout Problem?) {
    guard !isStopped.load(ordering: .relaxed) else { return }
    let isKnown = problem?.message == message
    problem = Problem(message: message, texts: effect.currentTexts)
    guard !isKnown else { return }
    events(
      .notice(
        Notice(
          .effectReload, effect.name,
          "the last good version of '\(effect.name)' stays: \(message)")))
  }
}

/// The thread that runs a reloader; releasing it stops and joins the thread.
struct ReloadThread: ~Copyable {
  private let reloader: EffectReloader
  private let thread: WorkerThread

  init(_ reloader: EffectReloader) throws(ThreadError) {
    thread = try WorkerThread(.reload) { reloader.run() }
    self.reloader = reloader
  }

  deinit { reloader.stop() }

  consuming func join() {}
}
