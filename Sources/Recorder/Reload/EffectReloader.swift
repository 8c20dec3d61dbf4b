import Capture
import Frames
import GPU
import Render
import ShaderCompiler
import ShaderEffects
import Synchronization

/// Compiles the effects of a recording anew whenever their files change, on a thread of its own, and
/// has the line with the new versions ready for the thread that runs it.
final class EffectReloader: Sendable {
  /// The effects' new versions, and a pipeline that is made of them.
  struct Fresh: @unchecked Sendable {
    // @unchecked: the pipeline is handed over once, before any use.
    let effects: [EffectInstance]
    let pipeline: RenderPipeline
    /// The names of those that are new.
    fileprivate(set) var names: [String]
  }

  private let uses: [EffectSpec]
  private let prepared: PreparedEffects
  private let device: Device
  private let plan: RecordingPlan
  private let sound: SharedAudio
  private let watch: FolderWatch
  private let events: @Sendable (RecordingEvent) -> Void
  private let state: Mutex<State>
  private let isStopped = Atomic<Bool>(false)

  private struct SharedAudio: @unchecked Sendable {
    // @unchecked: a line that is made asks it for the number of channels, which never changes; the
    // rest is the business of the thread that runs lines.
    let feed: AudioHistory?
  }

  private struct State: Sendable {
    var fresh: Fresh?
    /// Of the frames that came last.
    var format: FrameFormat
  }

  /// Nothing is watched before `run`.
  ///
  /// - Parameters:
  ///   - uses: What was asked for, in the order of the prepared effects.
  ///   - prepared: The effects as they are now.
  ///   - device: The GPU that the recording uses.
  ///   - plan: What its lines are made for.
  ///   - sound: What effects hear, if they do.
  ///   - events: Told of new versions and of what is wrong with them.
  /// - Throws: Where the system has no more of what watching takes.
  init(
    uses: [EffectSpec], prepared: PreparedEffects, device: Device, plan: RecordingPlan,
    sound: AudioHistory?, events: @escaping @Sendable (RecordingEvent) -> Void
  ) throws(RecorderError) {
    self.uses = uses
    self.prepared = prepared
    self.device = device
    self.plan = plan
    self.sound = SharedAudio(feed: sound)
    self.events = events
    watch = try FolderWatch()
    state = Mutex(State(format: plan.source))
  }

  /// The newest versions, if there are any that were not taken.
  func take() -> Fresh? {
    state.withLock { state in
      let fresh = state.fresh
      state.fresh = nil
      return fresh
    }
  }

  /// Lines are made for frames of this format from now on.
  func note(_ format: FrameFormat) { state.withLock { $0.format = format } }

  /// Tells that the new versions act, from the next frame on.
  func tell(_ fresh: Fresh) { events(.reloaded(fresh.names)) }

  /// Ends `run`; from any thread.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    prepared.interruption.interrupt()
    watch.stop()
  }

  /// Looks after the effects until it is stopped.
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
            sound: sound.feed, isStopped: { [self] in isStopped.load(ordering: .relaxed) })
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

  /// What is wrong with the newest version of an effect; the one before stays.
  private struct Problem {
    let message: String
    /// Those of the effect's files then.
    let texts: [String?]
  }

  private func recompile(
    _ index: Int, path: String, _ problem: inout Problem?
  ) throws -> EffectInstance {
    let (effect, lost) = try prepared.library.recompile(
      uses[index], path: path, with: prepared.compiler)
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

  /// Says what is wrong with a new version, once.
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
      // One that was not taken yet gives way; what was new in it is new in this one.
      let waiting = state.fresh?.names ?? []
      fresh.names = waiting + names.filter { !waiting.contains($0) }
      fresh.names = fresh.names.enumerated()
        .filter { fresh.names.firstIndex(of: $1) == $0 }.map(\.element)
      state.fresh = fresh
    }
  }
}

/// The thread on which a reloader runs; letting it go stops and joins it.
struct ReloadThread: ~Copyable {
  private let reloader: EffectReloader
  private let thread: WorkerThread

  init(_ reloader: EffectReloader) throws(ThreadError) {
    thread = try WorkerThread(.reload) { reloader.run() }
    self.reloader = reloader
  }

  deinit { reloader.stop() }

  /// Stops it, and waits until it has.
  consuming func join() {}
}
