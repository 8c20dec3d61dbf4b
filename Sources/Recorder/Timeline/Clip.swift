import Capture
import FFmpegHandles
import Frames
import Synchronization

/// A source that is shown at times of the output, one of several that follow each other or that play
/// behind an image input: its frames, which are read ahead on a thread of their own, and its sound.
///
/// Used by one thread, but for `interrupt`.
final class Clip: @unchecked Sendable {
  // @unchecked: one thread uses what changes; `prefetcher` has a lock, for `interrupt`.
  let request: SourceRequest
  /// As it was when the source was first opened.
  let description: SourceDescription
  let firstFrame: Frame

  private let frames: SourceFrames
  private let prefetcher = Mutex<SourcePrefetcher?>(nil)
  /// Its best sound as far as it was read; nil where there is none that FFmpeg decodes, or none is
  /// wanted.
  private(set) var audio: SourceAudio?
  /// The output's time of the first frame, in seconds.
  private(set) var start = Rational.zero
  /// The source's own time of the first frame that was taken.
  private var zero: Rational?
  /// The next frame with its time in the output, where it was looked at.
  private var coming: Frame?
  /// The frame that was shown at the time that was asked for last.
  private var shown: Frame?

  /// Opens the source.
  ///
  /// - Parameters:
  ///   - request: What is read. Of one that `repeats` it must be possible to open it again.
  ///   - control: Ends the opening early.
  ///   - repeats: It begins again at its end, without one.
  /// - Throws: A sentence for the user; nothing is left open.
  init(_ request: SourceRequest, control: RecordingControl, repeats: Bool = false) throws {
    self.request = request
    let source = try OpenedSource(request, control: control)
    description = source.media.description
    firstFrame = source.first
    frames = SourceFrames(source, request: request, control: control, repeats: repeats)
  }

  deinit {
    // What still reads may wait for a pipe.
    if prefetcher.withLock({ $0 != nil }) { request.interruption.interrupt() }
    close()
  }

  var name: String { description.name }
  var firstFormat: FrameFormat { firstFrame.format }
  /// The first frame's own time, in seconds.
  var firstTime: Rational { firstFrame.time }

  /// Whether another frame comes behind the first one; asked before it is read ahead.
  func isMoving() throws -> Bool {
    if description.isLive { return true }
    return try !description.isStill && frames.hasSecond()
  }

  /// From the first frame to the end of the last one by the container, in seconds; nil where that
  /// does not say, and of a still.
  var length: Rational? {
    guard let end = description.end, end > firstTime else { return nil }
    return end - firstTime
  }

  /// How long a frame is shown, in seconds; one that does not say is shown for the nominal time.
  func length(of frame: Frame) -> Rational { frame.duration ?? description.frameRate.reciprocal }

  /// Closes a source that can be opened again, until it is read.
  func rest() {
    if request.canBeOpenedAgain { frames.close() }
  }

  /// Has the best sound given as samples, from the first frame's time on; said before `prefetch`.
  func hear(as format: AudioFormat) throws {
    audio = try bestAudio.flatMap { try SourceAudio($0, from: firstTime, as: format) }
  }

  /// Nil where it has no sound.
  var bestAudio: CompressedStream? { description.bestAudio.map { description.sound[$0] } }

  /// Starts to read ahead; opens the source again if it rests.
  ///
  /// - Parameter place: The clip's number, from 0.
  /// - Throws: Where the source cannot be opened again, or no thread is to be had.
  func prefetch(place: Int) throws {
    let sound = audio == nil ? nil : description.bestAudio
    let prefetcher = try SourcePrefetcher(place: place, isLive: description.isLive) { [frames] in
      try frames.next(sound: sound)
    }
    self.prefetcher.withLock { $0 = prefetcher }
  }

  /// Has the first frame shown at a time of the output, in seconds.
  func begin(at time: Rational) { start = time }

  /// The next frame, with its time in the output, which stays the next one; nil at the end.
  func peek() throws -> Frame? {
    if let coming { return coming }
    guard var frame = try nextFrame() else { return nil }
    let zero = zero ?? frame.time
    self.zero = zero
    frame.time = frame.time - zero + start
    frame.captured = frame.captured ?? .now
    coming = frame
    return frame
  }

  /// The next frame as it was read; the sound before it is passed on.
  private func nextFrame() throws -> Frame? {
    guard let prefetcher = prefetcher.withLock({ $0 }) else { return nil }
    while let sample = try prefetcher.next() {
      switch sample {
      case .frame(let frame): return frame
      case .sound(let packet): try audio?.add(packet)
      case .heard: break
      }
    }
    try audio?.end()
    return nil
  }

  /// The next frame, with its time in the output; nil at the end.
  ///
  /// The sound behind it was read then, up to the frame that follows.
  func take() throws -> Frame? {
    shown = try peek()
    coming = nil
    if audio != nil { _ = try peek() }
    return shown
  }

  /// The frame that is shown at a time of the output: the latest one whose time has come; nil before
  /// the first.
  func frame(at time: Rational) throws -> Frame? {
    while let next = try peek(), next.time <= time { _ = try take() }
    return shown
  }

  /// The frame that is due at a time of the output: of a live source the latest one, whatever its time;
  /// of any other the latest one whose time has come, and at the end the last one.
  func due(at time: Rational) throws -> Frame {
    guard description.isLive else { return try frame(at: time) ?? firstFrame }
    while let next = try prefetcher.withLock({ $0 })?.nextIfReady() {
      if case .frame(let frame) = next { shown = frame }
    }
    return shown ?? firstFrame
  }

  /// Makes what waits for a frame return nil soon, once the source is interrupted; from any thread.
  func interrupt() { prefetcher.withLock { $0 }?.interrupt() }

  /// Reads no further; the source must have ended, or be interrupted.
  func close() {
    prefetcher.withLock { $0.take() }?.finish()
    frames.close()
  }

  /// What went less than well.
  var report: SourceReport { frames.report }
}

/// The samples of a source in their order; one that was closed is opened again when it is read.
///
/// One thread reads.
private final class SourceFrames: Sendable {
  private struct State: Sendable {
    /// Nil while it is closed.
    var source: OpenedSource?
    /// Frames that were read and not given, in their order; nil before the first was read.
    var ahead: [Frame]?
    /// What is added to the source's times, in seconds: how long all its turns before this one took.
    var offset = Rational.zero
    /// When what was given so far ends, with the source's own times.
    var end: Rational?
    /// As it was when the source was closed.
    var report = SourceReport()
  }

  private let request: SourceRequest
  private let control: RecordingControl
  private let repeats: Bool
  private let state: Mutex<State>

  init(
    _ source: OpenedSource, request: SourceRequest, control: RecordingControl, repeats: Bool
  ) {
    (self.request, self.control, self.repeats) = (request, control, repeats)
    state = Mutex(State(source: source))
  }

  /// Reads the next sample.
  ///
  /// - Parameter sound: The stream of sound that is wanted; nil for none.
  /// - Returns: The sample with the source's own time; nil at the end.
  /// - Throws: Where the source fails.
  func next(sound: Int?) throws -> MediaSample? {
    if let sample = try nextOfTurn(sound: sound) { return note(sample) }
    guard repeats, state.withLock({ $0.end != nil }), !request.interruption.isInterrupted else {
      return nil
    }
    try beginAgain()
    return try nextOfTurn(sound: sound).map(note)
  }

  /// Whether there is a frame behind the first one.
  func hasSecond() throws -> Bool {
    let frames = try (0..<2).compactMap { _ -> Frame? in
      guard case .frame(let frame)? = try nextOfTurn(sound: nil) else { return nil }
      return frame
    }
    state.withLock { $0.ahead = frames }
    return frames.count == 2
  }

  private func nextOfTurn(sound: Int?) throws -> MediaSample? {
    let source = try open()
    let ahead = state.withLock { state -> Frame? in
      guard let frames = state.ahead else {
        state.ahead = []
        return source.first
      }
      state.ahead = Array(frames.dropFirst())
      return frames.first
    }
    if let ahead { return .frame(ahead) }
    while let sample = try source.media.next() {
      switch sample {
      case .frame: return sample
      case .sound(let packet): if packet.streamIndex == sound { return sample }
      case .heard: break
      }
    }
    return nil
  }

  /// Moves a frame to the turn that it is of.
  private func note(_ sample: MediaSample) -> MediaSample {
    // What repeats has no sound that is wanted.
    guard case .frame(let frame) = sample else { return sample }
    let rate = state.withLock { $0.source?.media.description.frameRate } ?? .one
    return state.withLock { state in
      state.end = frame.time + (frame.duration ?? rate.reciprocal)
      var moved = frame
      moved.time = moved.time + state.offset
      return .frame(moved)
    }
  }

  private func beginAgain() throws {
    close()
    let source = try open()
    state.withLock { state in
      state.ahead = nil
      if let end = state.end { state.offset = state.offset + end - source.first.time }
      state.end = nil
    }
  }

  private func open() throws -> OpenedSource {
    if let source = state.withLock({ $0.source }) { return source }
    let source = try OpenedSource(request, control: control)
    state.withLock { $0.source = source }
    return source
  }

  func close() {
    state.withLock { state in
      if let source = state.source { state.report = source.media.report }
      state.source = nil
    }
  }

  /// What went less than well; complete once it is closed.
  var report: SourceReport {
    state.withLock { $0.source?.media.report ?? $0.report }
  }
}
