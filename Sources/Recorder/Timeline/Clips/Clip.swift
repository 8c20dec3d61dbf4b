import Capture
import FFmpegHandles
import Frames
import Synchronization

/// A source that is shown at times of the output: its frames, read ahead on their own thread, and its
/// audio.
///
/// It is one of several consecutive clips, or image inputs show it. Only one thread uses it, except for
/// `interrupt`.
final class Clip: @unchecked Sendable {
  // @unchecked: only one thread uses the mutable state; `prefetcher` is a mutex, for `interrupt`.
  let request: SourceRequest
  /// Description from the first time the source was opened.
  let description: SourceDescription
  let firstFrame: Frame

  private let frames: SourceFrames
  private let prefetcher = Mutex<SourcePrefetcher?>(nil)
  /// The best audio as far as it was read; nil if FFmpeg can decode none, or none is wanted.
  private(set) var audio: SourceAudio?
  /// Output time of the first frame, in seconds.
  private(set) var start = Rational.zero
  /// Source time of the first frame that was taken.
  private var zero: Rational?
  /// The next frame with its output time, if it was peeked.
  private var coming: Frame?
  /// The frame shown at the time of the last request.
  private var shown: Frame?

  /// Opens the source; one that `repeats` starts again at its end, without limit, and must be one that can be opened again.
  init(_ request: SourceRequest, control: RecordingControl, repeats: Bool = false) throws {
    self.request = request
    let source = try OpenedSource(request, control: control)
    description = source.media.description
    firstFrame = source.first
    frames = SourceFrames(source, request: request, control: control, repeats: repeats)
  }

  deinit {
    // The reading thread may still wait for a pipe.
    if prefetcher.withLock({ $0 != nil }) { request.interruption.interrupt() }
    close()
  }

  var name: String { description.name }
  var firstFormat: FrameFormat { firstFrame.format }
  /// Source time of the first frame, in seconds.
  var firstTime: Rational { firstFrame.time }

  /// Returns whether there is a second frame; called before the source is read ahead.
  func isMoving() throws -> Bool {
    if description.isLive { return true }
    return try !description.isStill && frames.hasSecond()
  }

  /// Seconds from the first frame to the end of the last one, by the container and by the requested part; nil for a
  /// still image, and if neither says it.
  var length: Rational? {
    let part = request.retiming.isPlain ? request.partDuration.map { firstTime + $0 } : nil
    let limit = request.retiming.isPlain ? request.end.map { description.zero + $0 } : nil
    guard let end = [description.end, part, limit].compactMap(\.self).min(), end > firstTime
    else { return nil }
    return end - firstTime
  }

  /// Returns how long a frame is shown, in seconds; the nominal time if the frame does not say.
  func length(of frame: Frame) -> Rational { frame.duration ?? description.frameRate.reciprocal }

  /// Closes the source until it is read, if it can be opened again.
  func rest() {
    if request.canBeOpenedAgain { frames.close() }
  }

  /// Requests the best audio in a format, from the first frame's time on; called before `prefetch`.
  func hear(as format: AudioFormat) throws {
    guard let best = description.bestAudio else { return }
    audio =
      description.audio.isEmpty
      ? try SourceAudio(description.codedAudio[best], from: firstTime, as: format)
      : try SourceAudio(description.audio[best], from: firstTime, as: format)
  }

  /// The format of the best audio; nil if there is none, or FFmpeg cannot decode it.
  var audioFormat: AudioFormat? {
    guard let best = description.bestAudio else { return nil }
    return description.audio.isEmpty
      ? AudioDecoder(description.codedAudio[best])?.format : description.audio[best]
  }

  /// The stream of the audio that was requested; nil if there is none.
  var audioOrigin: CompressedStream? {
    guard audio != nil, let best = description.bestAudio else { return nil }
    let streams =
      description.audio.isEmpty ? description.codedAudio : description.audioOrigins
    return streams.indices.contains(best) ? streams[best] : nil
  }

  /// Starts to read ahead, as the thread of this index; opens the source again if it is closed.
  func prefetch(place: Int) throws {
    let audioIndex = audio == nil ? nil : description.bestAudio
    let prefetcher = try SourcePrefetcher(place: place, isLive: description.isLive) { [frames] in
      try frames.next(audioIndex: audioIndex)
    }
    self.prefetcher.withLock { $0 = prefetcher }
  }

  /// Sets the output time of the first frame, in seconds.
  func begin(at time: Rational) { start = time }

  /// Returns the next frame with its output time, without taking it; nil at the end.
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

  /// Returns the next frame as it was read, and passes on the audio before it.
  private func nextFrame() throws -> Frame? {
    guard let prefetcher = prefetcher.withLock({ $0 }) else { return nil }
    while let sample = try prefetcher.next() {
      switch sample {
      case .frame(let frame): return frame
      case .codedAudio(let packet): try audio?.add(packet)
      case .audio(let block): try audio?.add(block)
      case .subtitle, .audioForEffects: break
      }
    }
    try audio?.end()
    return nil
  }

  /// Takes the next frame, with its output time; nil at the end.
  ///
  /// This also reads the audio after the frame, up to the following frame.
  func take() throws -> Frame? {
    shown = try peek()
    coming = nil
    if audio != nil { _ = try peek() }
    return shown
  }

  /// How long before its time a frame is due, in seconds.
  ///
  /// Where frames are no whole number of ticks long, as in Matroska, the container has rounded their times by up to half
  /// a tick: beside a source with exact times some would come one frame late. A quarter of a frame is the limit.
  var leeway: Rational {
    Clip.leeway(tick: description.timeBase, frame: description.frameRate.reciprocal)
  }

  /// The same for a source with this tick and length of a frame, in seconds.
  static func leeway(tick: Rational, frame length: Rational) -> Rational {
    guard tick > .zero, (length / tick).denominator > 1 else { return .zero }
    return min(tick, length / Rational(2)) / Rational(2)
  }

  /// Returns the frame shown at an output time: the latest one whose time has come, but for what the container has
  /// rounded; nil before the first.
  func frame(at time: Rational) throws -> Frame? {
    let latest = time + leeway
    while let next = try peek(), next.time <= latest { _ = try take() }
    return shown
  }

  /// Returns the frame that is due at an output time.
  ///
  /// For a live source this is the latest frame, even before its time. For any other source it is the
  /// latest frame whose time has come, and at the end the last frame.
  func due(at time: Rational) throws -> Frame {
    guard description.isLive else { return try frame(at: time) ?? firstFrame }
    while let next = try prefetcher.withLock({ $0 })?.nextIfReady() {
      if case .frame(let frame) = next { shown = frame }
    }
    return shown ?? firstFrame
  }

  /// Makes a waiting read return nil soon, once the source is interrupted; may be called from any
  /// thread.
  func interrupt() { prefetcher.withLock { $0 }?.interrupt() }

  /// Stops reading; the source must have ended, or be interrupted.
  func close() {
    prefetcher.withLock { $0.take() }?.finish()
    frames.close()
  }

  var report: SourceReport {
    var report = frames.report
    report.damagedAudio =
      report.damagedAudio ?? DamagedAudio(description.name, packets: audio?.damaged ?? 0)
    return report
  }
}

/// The samples of a source in order; a closed source is opened again when it is read; only one thread reads.
private final class SourceFrames: Sendable {
  private struct State: Sendable {
    /// The source; nil while it is closed.
    var source: OpenedSource?
    /// Frames that were read but not delivered, in order; nil before the first read.
    var ahead: [Frame]?
    /// Seconds added to the source's times: the total length of all previous repetitions.
    var offset = Rational.zero
    /// Source time at which the frames delivered so far end.
    var end: Rational?
    /// The report at the time the source was closed.
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

  /// Reads the next sample, with its source time plus the length of earlier repetitions; nil at the end.
  func next(audioIndex: Int?) throws -> MediaSample? {
    if let sample = try nextOfTurn(audioIndex: audioIndex) { return note(sample) }
    guard repeats, state.withLock({ $0.end != nil }), !request.interruption.isInterrupted else {
      return nil
    }
    try beginAgain()
    return try nextOfTurn(audioIndex: audioIndex).map(note)
  }

  func hasSecond() throws -> Bool {
    let frames = try (0..<2).compactMap { _ -> Frame? in
      guard case .frame(let frame)? = try nextOfTurn(audioIndex: nil) else { return nil }
      return frame
    }
    state.withLock { $0.ahead = frames }
    return frames.count == 2
  }

  private func nextOfTurn(audioIndex: Int?) throws -> MediaSample? {
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
      case .codedAudio(let packet): if packet.streamIndex == audioIndex { return sample }
      case .audio(let block): if block.track == audioIndex { return sample }
      case .subtitle, .audioForEffects: break
      }
    }
    return nil
  }

  /// Moves a frame's time by the length of the previous repetitions.
  private func note(_ sample: MediaSample) -> MediaSample {
    // A source that repeats has no wanted audio.
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

  var report: SourceReport {
    state.withLock { $0.source?.media.report ?? $0.report }
  }
}
