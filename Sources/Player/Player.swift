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
    /// Called with a sentence for the person.
    package let say: @Sendable (String) -> Void

    package init(
      recording: @escaping @Sendable (_ item: Int) throws -> Recording,
      tell: @escaping @Sendable (_ event: RecordingEvent, _ isFirst: Bool) -> Void,
      mustBeginAgain: @escaping @Sendable (_ isPaused: Bool) -> Bool,
      say: @escaping @Sendable (String) -> Void
    ) {
      (self.recording, self.tell, self.say) = (recording, tell, say)
      self.mustBeginAgain = mustBeginAgain
    }
  }

  /// Seconds of audio that come before the frames of their time, and seconds before its time at which a frame goes
  /// into the pipeline, if that is fast.
  static let audioLead = Rational(1, 2)
  private static let ahead = 0.1

  /// The names of the sources, in their order.
  package let names: [String]
  let state = Mutex(PlayState())
  let repeatsList: Bool
  private let hasSound: Bool
  private let window: WindowOutput
  private let actions: Actions
  private let offsets = Mutex(PlayOffsets())
  private let shown = Mutex(Shown())
  private let isOver = Atomic<Bool>(false)

  /// The window, and how long it takes to show a frame.
  private struct Shown: Sendable {
    var window: WindowThread?
    /// The frame that it was given last, and when.
    var given: (time: Rational, moment: MonotonicTime)?
    /// Seconds from giving a frame to the window until it is shown, as an average.
    var delay = 0.0
  }

  /// - Parameters:
  ///   - names: The sources.
  ///   - window: Shows the frames; its keys act on this player.
  ///   - hasSound: Whether audio is played.
  ///   - repeatsList: Whether the list begins again after its end.
  ///   - volume: 0 to 100.
  ///   - speed: The nearest speed of the player is used.
  ///   - actions: What the run needs.
  package init(
    names: [String], window: WindowOutput, hasSound: Bool, repeatsList: Bool, volume: Int,
    speed: Double, actions: Actions
  ) {
    (self.names, self.window, self.hasSound) = (names, window, hasSound)
    (self.repeatsList, self.actions) = (repeatsList, actions)
    let index =
      PlaySpeed.all.indices.min {
        abs(PlaySpeed.all[$0] - speed) < abs(PlaySpeed.all[$1] - speed)
      } ?? PlaySpeed.normal
    state.withLock { ($0.volume, $0.speedIndex) = (volume, index) }
  }

  // MARK: - The view of a recording

  package var name: String { window.name }
  package var wantsOriginals: Bool { window.wantsOriginals }
  package var needsPace: Bool { false }
  package var movies: MovieSwitch? { window.movies }

  /// Begins a session with what a recording found out about its source.
  package func open(_ request: SinkRequest) throws -> any MediaSink {
    do {
      try shown.withLock { shown in
        guard shown.window == nil else { return }
        shown.window = try WindowThread(window, format: request.format) { [weak self] in
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
      state.length = session.length
      if state.request != nil { session.close() }
    }
    return session
  }

  // MARK: - The run

  /// Plays all sources, until the person ends it.
  ///
  /// - Parameter start: Where the first source begins, in seconds.
  /// - Returns: The number of sources that could not be played.
  /// - Throws: If no window can be opened, or it has failed.
  package func run(from start: Rational) throws -> Int {
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
    let failed = Result { try playAll(from: start) }
    isOver.store(true, ordering: .relaxed)
    loop.join()
    shown.withLock { $0.window.take() }?.close()
    return try failed.get()
  }

  private func playAll(from start: Rational) throws -> Int {
    let gpu = SharedGPU()
    var (item, place, search) = (0, start, (before: Rational, window: Rational)?.none)
    var failed: Set<Int> = []
    var begun: Int?
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
        (recording.view, recording.countsFromSourceStart) = (self, true)
        recording.source.audioLead = hasSound ? Self.audioLead : nil
        recording.source.admits = { [weak self] in self?.admits($0) ?? true }
        _ = try record(recording, control: control, gpu: gpu) { [actions] in
          actions.tell($0, isFirst)
        }
      } catch {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        if state.withLock({ $0.request }) == nil {
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
      case .item(let wanted): (item, place) = (wanted, .zero)
      case .quit: return failed.count
      case nil:
        place = .zero
        if state.withLock({ $0.repeats }), !failed.contains(item) { continue }
        item += 1
        if item == names.count, repeatsList, failed.count < names.count { item = 0 }
        begun = nil
      }
    }
    return failed.count
  }

  /// Whether the loop may end.
  var hasEnded: Bool { isOver.load(ordering: .relaxed) }

  /// Whether the recording must begin again where it is.
  func mustBeginAgain(isPaused: Bool) -> Bool { actions.mustBeginAgain(isPaused) }

  func say(_ sentence: String) { actions.say(sentence) }

  /// Waits until the time of a frame is near; returns false if it is over.
  ///
  /// Frames are rendered shortly before they are shown, so that a change of a parameter is seen soon.
  private func admits(_ time: Rational) -> Bool {
    let keepsAll = window.movies?.name != nil
    while true {
      let (session, place, lead, speed, isRunning) = state.withLock { state in
        (
          state.session, state.clock.place(at: .now), state.lead, state.clock.speed,
          state.clock.isRunning
        )
      }
      guard let session else { return true }
      let ahead = (time.doubleValue - place) / speed - lead
      if isRunning, ahead < 0, !keepsAll {
        session.noteGap()
        noteLeftOut()
        return false
      }
      if session.admits(isDue: ahead < Self.ahead) { return true }
      MonotonicTime.sleep(until: .now + PlaySession.pause)
    }
  }

  // MARK: - Showing frames

  /// Seconds from giving a frame to the window until it is shown; at most a tenth.
  var presentation: Double { shown.withLock { min($0.delay, 0.1) } }

  /// Gives a frame to the window.
  func present(_ frame: Frame) {
    let window = shown.withLock { shown in
      shown.given = (frame.time, .now)
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
    shown.withLock { shown in
      guard let given = shown.given, given.time == frame.time else { return }
      let delay = moment.seconds(since: given.moment)
      shown.delay += (delay - shown.delay) * 0.1
    }
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
