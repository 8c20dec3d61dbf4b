import Capture
package import Encode
package import Frames
package import Recorder
import Synchronization
package import Window

/// Plays sources one after the other in one window, with sound.
///
/// Each source is a recording without outputs, whose frames and audio a `PlaySession` takes. A seek ends the
/// recording and begins another one, which shares the GPU and its compiled kernels.
package final class Player: FrameView {
  /// The parts of a run that another module knows.
  package struct Actions: Sendable {
    /// Makes the recording of a source of the list, from its start.
    package let recording: @Sendable (_ item: Int) throws -> Recording
    /// Called with each event of the recordings; `isFirst` for the first recording of a source, and not for those
    /// after seeks.
    package let tell: @Sendable (_ event: RecordingEvent, _ isFirst: Bool) -> Void
    /// Returns whether the recording must begin again where it is, because effects have changed and its frames do not
    /// show it.
    package let mustBeginAgain: @Sendable (_ isPaused: Bool) -> Bool
    /// Takes back effects that were asked for and that no recording had yet, because a recording failed; returns
    /// whether there were any.
    package let takeBackEffects: @Sendable () -> Bool
    /// Called with a sentence for the person.
    package let say: @Sendable (String) -> Void

    package init(
      recording: @escaping @Sendable (_ item: Int) throws -> Recording,
      tell: @escaping @Sendable (_ event: RecordingEvent, _ isFirst: Bool) -> Void,
      mustBeginAgain: @escaping @Sendable (_ isPaused: Bool) -> Bool,
      takeBackEffects: @escaping @Sendable () -> Bool,
      say: @escaping @Sendable (String) -> Void
    ) {
      (self.recording, self.tell, self.say) = (recording, tell, say)
      (self.mustBeginAgain, self.takeBackEffects) = (mustBeginAgain, takeBackEffects)
    }
  }

  /// Seconds of audio that come before the frames of their time, and seconds before its time at which a frame goes
  /// into the pipeline, if that is fast.
  static let audioLead = Rational(1, 2)
  private static let ahead = 0.1
  /// Most frames of which it is remembered when the window got them.
  private static let mostGiven = 16

  /// The names of the sources, in their order.
  package let names: [String]
  let state = Mutex(PlayState())
  let settings: PlaySettings
  private let hasSound: Bool
  private let window: WindowOutput
  private let actions: Actions
  private let offsets = Mutex(PlayOffsets())
  private let shown = Mutex(Shown())
  private let isOver = Atomic<Bool>(false)
  private let isIncomplete = Atomic<Bool>(false)

  /// The window, and how long it takes to show a frame.
  private struct Shown: Sendable {
    var window: ViewThread?
    /// The frames that it was given and has not shown yet, and when.
    var given: [(time: Rational, moment: MonotonicTime)] = []
    /// Seconds from giving a frame to the window until it is shown, as an average.
    var delay = 0.0
  }

  /// - Parameters:
  ///   - names: The sources.
  ///   - window: Shows the frames; its keys act on this player.
  ///   - hasSound: Whether audio is played.
  ///   - settings: How it begins.
  ///   - actions: What the run needs.
  package init(
    names: [String], window: WindowOutput, hasSound: Bool, settings: PlaySettings, actions: Actions
  ) {
    (self.names, self.window, self.hasSound) = (names, window, hasSound)
    (self.settings, self.actions) = (settings, actions)
    func distance(_ index: Int) -> Double { abs(PlaySpeed.all[index] - settings.speed) }
    let index = PlaySpeed.all.indices.min { distance($0) < distance($1) } ?? PlaySpeed.normal
    state.withLock { ($0.volume, $0.speedIndex) = (settings.volume, index) }
  }

  // MARK: - The view of a recording

  package var name: String { window.name }
  package var wantsOriginals: Bool { window.wantsOriginals }
  package var needsPace: Bool { false }
  package var movies: MovieSwitch? { window.movies }

  /// Begins a session with what a recording found out about its source.
  package func open(_ request: SinkRequest) throws -> sending any MediaSink {
    do {
      try shown.withLock { shown in
        shown.given = []
        guard shown.window == nil else { return }
        shown.window = try ViewThread(window, format: request.format) { [weak self] in
          self?.note($0, shown: $1)
        }
      }
    } catch {
      state.withLock { $0.failure = error }
      throw error
    }
    let session = PlaySession(request) { [weak self] previous, next in
      self?.state.withLock { $0.follow(previous, next) }
    }
    state.withLock { state in
      state.session = session
      state.length = [session.length, state.end].compactMap(\.self).min()
      if state.request != nil { session.close() }
    }
    return session
  }

  // MARK: - The run

  /// Whether a source ended before its end, because of a failure.
  package var hasIncomplete: Bool { isIncomplete.load(ordering: .relaxed) }

  /// Plays all sources, until the person ends it; returns the number of those that could not be played.
  ///
  /// The first source begins at `start`; each is played for `length`, or to `end`, or to its own end; all in seconds.
  ///
  /// - Throws: If no window can be opened, or it has failed.
  package func run(
    from start: Rational, length: Rational? = nil, end: Rational? = nil
  ) throws -> Int {
    var device: AudioDevice?
    if hasSound {
      do throws(AudioDeviceError) {
        device = try AudioDevice { [weak self] place, moment in
          self?.state.withLock { $0.clock.hear(place, at: moment) }
        }
      } catch {
        say("\(error)")
      }
    }
    let loop = try WorkerThread(.play) { [device] in
      var loop = PlayLoop(self, device: device)
      loop.run()
    }
    let failed = Result {
      try playAll(from: start) { isFirst in
        end ?? length.map { (isFirst ? start : .zero) + $0 }
      }
    }
    isOver.store(true, ordering: .relaxed)
    loop.join()
    shown.withLock { $0.window.take() }?.close()
    return try failed.get()
  }

  /// - Parameters:
  ///   - start: Where the first source begins, in seconds.
  ///   - end: Returns where a source ends, given whether it is the first one; nil for its own end.
  /// - Returns: The number of sources that could not be played.
  /// - Throws: If no window can be opened, or it has failed.
  private func playAll(
    from start: Rational, end: (_ isFirst: Bool) -> Rational?
  ) throws -> Int {
    let gpu = SharedGPU()
    var (item, place, search) = (0, start, (before: Rational, window: Rational)?.none)
    var failed: Set<Int> = []
    var begun: Int?
    // It begins where the person said only once.
    var isFromStart = true
    while item < names.count {
      let control = RecordingControl()
      let isFirst = begun != item
      begun = item
      state.withLock { [search] state in
        if state.item != item || isFirst { state.enter(item) }
        (state.session, state.control, state.search) = (nil, control, search)
        state.shown = search?.before ?? place
        if state.request != nil { control.stop() }
      }
      do {
        var recording = try actions.recording(item)
        recording.source.start = place > .zero ? place : recording.source.start
        let end = end(item == 0 && isFromStart)
        if recording.source.kind.isGenerated {
          recording.source.duration = end.map { $0 - place }
        } else {
          recording.source.end = end
        }
        state.withLock { $0.end = end }
        (recording.view, recording.countsFromSourceStart) = (self, true)
        recording.source.audioLead = hasSound ? Self.audioLead : nil
        recording.source.admits = { [weak self] in
          self?.admission(of: $0, reading: $1) ?? .deliver
        }
        let (readsAhead, canSeek) = (recording.source.readsAhead, recording.source.canSeek)
        state.withLock { ($0.readsAhead, $0.canSeek) = (readsAhead, canSeek) }
        let result = try record(recording, control: control, gpu: gpu) { [actions] in
          actions.tell($0, isFirst)
        }
        if let reason = result.incomplete, state.withLock({ $0.request }) == nil {
          say(reason.message)
          isIncomplete.store(true, ordering: .relaxed)
        }
      } catch {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        if state.withLock({ $0.request }) == nil {
          if actions.takeBackEffects() {
            say("the effects stay as they are: \(error)")
            continue
          }
          if !isFirst, place > .zero {
            // There is no frame at this place or behind it: the last one before it is wanted.
            let (before, window) = (search?.before ?? place, (search?.window ?? .one) * Rational(4))
            place = before > window ? before - window : .zero
            search = (before, window)
            continue
          }
          say("\(error)")
          failed.insert(item)
        }
      }
      if let failure = state.withLock({ $0.failure }) { throw failure }
      search = nil
      switch state.withLock({ $0.takeRequest() }) {
      case .seek(let wanted): place = wanted
      case .stepBack(let before, let window):
        let from = before - window
        place = from > .zero ? from : .zero
        search = (before, window)
      case .item(let wanted): (item, place, isFromStart) = (wanted, .zero, false)
      case .quit: return failed.count
      case nil:
        (place, isFromStart) = (.zero, false)
        if state.withLock({ $0.repeats }), !failed.contains(item) { continue }
        item += 1
        if item == names.count, settings.loops, failed.count < names.count { item = 0 }
        begun = nil
      }
    }
    return failed.count
  }

  /// Whether the loop may end.
  var hasEnded: Bool { isOver.load(ordering: .relaxed) }

  func mustBeginAgain(isPaused: Bool) -> Bool { actions.mustBeginAgain(isPaused) }

  func say(_ sentence: String) { actions.say(sentence) }

  /// Says whether a frame is delivered: shortly before it is shown, so that a change of a parameter is seen soon.
  ///
  /// Its time is in seconds from the first frame; `reading` is how long the source has waited for its packets so far.
  private func admission(of time: Rational, reading: Double) -> FrameAdmission {
    let state = state.withLock { state in
      (
        session: state.session, place: state.clock.place(at: .now), lead: state.lead,
        speed: state.clock.speed, isRunning: state.clock.isRunning, isBuffering: state.isBuffering
      )
    }
    guard let session = state.session else { return .deliver }
    let ahead = (time.doubleValue - state.place) / state.speed - state.lead
    let lateness = state.isRunning ? (state.place - time.doubleValue) / state.speed : 0
    // The frames of a slow source are shown late, until the player waits for it.
    let isSlow = session.note(reading: reading, lateness: lateness)
    let isLate = state.isRunning && ahead < 0 && !isSlow
    if isLate, window.movies?.isOn != true, session.leavesOut(time) {
      noteLeftOut()
      return .leaveOut
    }
    let isDue = ahead < Self.ahead || state.isBuffering
    return session.admits(isDue: isDue) ? .deliver : .later
  }

  // MARK: - Showing frames

  /// Seconds from giving a frame to the window until it is shown; at most a tenth.
  var presentation: Double { shown.withLock { min($0.delay, 0.1) } }

  func present(_ frame: Frame) {
    let window = shown.withLock { shown in
      // A minimised window shows none of them.
      if shown.given.count >= Self.mostGiven { shown.given.removeFirst() }
      shown.given.append((frame.time, .now))
      return shown.window
    }
    do {
      try window?.put(frame)
    } catch {
      state.withLock { state in
        state.failure = state.failure ?? error
        state.ask(.quit)
      }
    }
  }

  func noteLeftOut() { offsets.withLock { $0.leftOut += 1 } }

  /// Notes that the window has shown a frame; its `captured` says when it was due.
  private func note(_ frame: Frame, shown moment: MonotonicTime) {
    let replaced = shown.withLock { shown -> Int? in
      // The window draws a frame again when it is uncovered; only the first time counts.
      guard let index = shown.given.firstIndex(where: { $0.time == frame.time }) else { return nil }
      let delay = moment.seconds(since: shown.given[index].moment)
      shown.delay += (delay - shown.delay) * 0.1
      shown.given.removeFirst(index + 1)
      return index
    }
    guard let replaced else { return }
    offsets.withLock { $0.leftOut += replaced }
    let rate = state.withLock { state -> Double? in
      guard state.clock.isRunning else { return nil }
      return (state.session?.frameRate.doubleValue ?? 25) * state.clock.speed
    }
    guard let rate, let due = frame.captured else { return }
    offsets.withLock { $0.note(moment.seconds(since: due), half: 0.5 / rate) }
  }

  /// How far frames were from their time.
  package var report: PlayOffsets { offsets.withLock { $0 } }
}
