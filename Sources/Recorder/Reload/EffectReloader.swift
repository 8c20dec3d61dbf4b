import Capture
import Frames
import GPU
import Render
import ShaderCompiler
import ShaderEffects
import Synchronization

/// Compiles the effects of a recording again on its own thread whenever their files change, and prepares
/// a pipeline with the new versions for the GPU thread.
final class EffectReloader: Sendable {
  /// New versions of the effects, and a pipeline made from them.
  struct Fresh: @unchecked Sendable {
    // @unchecked: the pipeline is handed over once, before any use.
    let effects: [EffectInstance]
    let pipeline: RenderPipeline
    /// Names of the effects that are new.
    fileprivate(set) var names: [String]
  }

  private let uses: [EffectSpec]
  private let isSteered: Bool
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

  /// Creates a reloader, which watches nothing before `run`.
  ///
  /// - Parameters:
  ///   - uses: The requested effects, in the order of the prepared effects.
  ///   - isSteered: Whether their parameters may change while they run.
  ///   - prepared: The compiled effects.
  ///   - device: The GPU that the recording uses.
  ///   - plan: The plan for which pipelines are made.
  ///   - audioHistory: Audio that effects hear, if any.
  ///   - events: Called with new versions and with errors in them.
  /// - Throws: A `RecorderError` if the system has no resources left for watching.
  init(
    uses: [EffectSpec], isSteered: Bool, prepared: PreparedEffects, device: Device,
    plan: RecordingPlan,
    audioHistory: AudioHistory?, events: @escaping @Sendable (RecordingEvent) -> Void
  ) throws(RecorderError) {
    (self.uses, self.isSteered) = (uses, isSteered)
    self.prepared = prepared
    self.device = device
    self.plan = plan
    self.audioHistory = SharedAudio(feed: audioHistory)
    self.events = events
    watch = try FolderWatch()
    state = Mutex(State(format: plan.source))
  }

  /// Returns the newest versions if they were not taken yet.
  func take() -> Fresh? {
    state.withLock { state in
      let fresh = state.fresh
      state.fresh = nil
      return fresh
    }
  }

  /// Sets the frame format for which the next pipelines are made.
  func note(_ format: FrameFormat) { state.withLock { $0.format = format } }

  /// Reports that the new versions act from the next frame on.
  func tell(_ fresh: Fresh) { events(.reloaded(fresh.names)) }

  /// Ends `run`; may be called from any thread.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    prepared.interruption.interrupt()
    watch.stop()
  }

  /// Watches the effects and compiles changed ones until it is stopped.
  func run() {
    var effects = prepared.effects
    var problems = [Problem?](repeating: nil, count: effects.count)
    var isTold = false
    while true {
      for effect in effects { watch.add(effect.folders) }
      var next = effects
      var changed: [Int] = []
      for index in effects.indices {
        let path = effects[index].path
        let isNew =
          problems[index].map { isTold || $0.texts != effects[index].currentTexts }
          ?? effects[index].isOutdated
        guard isNew else { continue }
        do {
          next[index] = try recompile(index, path: path, &problems[index])
          changed.append(index)
        } catch {
          tell("\(error)", of: effects[index], &problems[index])
        }
      }
      if let first = changed.first {
        do {
          let pipeline = try prepared.pipeline(
            of: state.withLock { $0.format }, device: device, plan: plan, effects: next,
            audioHistory: audioHistory.feed,
            isStopped: { [self] in isStopped.load(ordering: .relaxed) })
          effects = next
          hand(Fresh(effects: next, pipeline: pipeline, names: []), changed.map { next[$0].name })
        } catch {
          tell("\(error)", of: effects[first], &problems[first])
        }
      }
      guard let told = watch.wait() else { return }
      isTold = told
    }
  }

  /// Error in the newest version of an effect; the previous version stays in use.
  private struct Problem {
    let message: String
    /// Texts of the effect's files when the error occurred.
    let texts: [String?]
  }

  private func recompile(
    _ index: Int, path: String, _ problem: inout Problem?
  ) throws -> EffectInstance {
    let (effect, lost) = try prepared.library.recompile(
      uses[index], path: path, with: prepared.compiler, isSteered: isSteered)
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

  private func hand(_ fresh: Fresh, _ names: [String]) {
    state.withLock { state in
      var fresh = fresh
      // Replaces a version that was not taken yet; what was new in it is also new in this one.
      let waiting = state.fresh?.names ?? []
      fresh.names = waiting + names.filter { !waiting.contains($0) }
      fresh.names = fresh.names.enumerated()
        .filter { fresh.names.firstIndex(of: $1) == $0 }.map(\.element)
      state.fresh = fresh
    }
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

  /// Stops the reloader, and waits until it has ended.
  consuming func join() {}
}
