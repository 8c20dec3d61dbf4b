import Capture
import FFmpegHandles
import Frames

/// A source that is shown at times of the output: its frames, read ahead on their own thread, and its
/// audio.
///
/// It is one of several consecutive clips, or image inputs show it. One thread at a time has it.
final class Clip {
  let request: SourceRequest
  /// Description from the first time the source was opened.
  let description: SourceDescription
  let firstFrame: Frame

  /// The thread that reads ahead uses them, if there is one.
  private let frames: Handover<SourceFrames>
  private var prefetcher: SourcePrefetcher?
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
    frames = Handover(
      SourceFrames(source, request: request, control: control, repeats: repeats))
  }

  deinit {
    // The reading thread may still wait for a pipe.
    if prefetcher != nil { request.interruption.interrupt() }
    close()
  }

  var name: String { description.name }
  var firstFormat: FrameFormat { firstFrame.format }
  /// Source time of the first frame, in seconds.
  var firstTime: Rational { firstFrame.time }

  /// Returns whether there is a second frame; called before the source is read ahead.
  func isMoving() throws -> Bool {
    if description.isLive { return true }
    return try !description.isStill && frames.use { frames in try frames.hasSecond() } ?? false
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
    if request.canBeOpenedAgain { frames.use { $0.close() } }
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
    let (frames, interruption) = (frames, request.interruption)
    prefetcher = try SourcePrefetcher(place: place, isLive: description.isLive) {
      do {
        return try frames.use { frames in try frames.next(audioIndex: audioIndex) } ?? nil
      } catch {
        // A source whose opening is interrupted looks like a damaged file; what ends the reading is no failure of it.
        guard interruption.isInterrupted else { throw error }
        return nil
      }
    }
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
    guard let prefetcher else { return nil }
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
    while let next = try prefetcher?.nextIfReady() {
      if case .frame(let frame) = next { shown = frame }
    }
    return shown ?? firstFrame
  }

  /// Stops reading; the source must have ended, or be interrupted.
  func close() {
    prefetcher.take()?.finish()
    frames.use { $0.close() }
  }

  var report: SourceReport {
    var report = frames.use { $0.report } ?? SourceReport()
    report.damagedAudio =
      report.damagedAudio ?? DamagedAudio(description.name, packets: audio?.damaged ?? 0)
    return report
  }
}

/// The samples of a source in order; a closed source is opened again when it is read.
private final class SourceFrames {
  private let request: SourceRequest
  private let control: RecordingControl
  private let repeats: Bool
  /// The source; nil while it is closed.
  private var source: OpenedSource?
  /// Frames that were read but not delivered, in order; nil before the first read.
  private var ahead: [Frame]?
  /// Seconds added to the source's times: the total length of all previous repetitions.
  private var offset = Rational.zero
  /// Source time at which the frames delivered so far end.
  private var end: Rational?
  /// The report at the time the source was closed.
  private var lastReport = SourceReport()

  init(
    _ source: OpenedSource, request: SourceRequest, control: RecordingControl, repeats: Bool
  ) {
    (self.request, self.control, self.repeats) = (request, control, repeats)
    self.source = source
  }

  /// Reads the next sample, with its source time plus the length of earlier repetitions; nil at the end.
  func next(audioIndex: Int?) throws -> MediaSample? {
    if let sample = try nextOfTurn(audioIndex: audioIndex) { return note(sample) }
    guard repeats, end != nil, !request.interruption.isInterrupted else { return nil }
    try beginAgain()
    return try nextOfTurn(audioIndex: audioIndex).map(note)
  }

  func hasSecond() throws -> Bool {
    let frames = try (0..<2).compactMap { _ -> Frame? in
      guard case .frame(let frame)? = try nextOfTurn(audioIndex: nil) else { return nil }
      return frame
    }
    ahead = frames
    return frames.count == 2
  }

  private func nextOfTurn(audioIndex: Int?) throws -> MediaSample? {
    let source = try open()
    let waiting = ahead ?? [source.first]
    ahead = Array(waiting.dropFirst())
    if let frame = waiting.first { return .frame(frame) }
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
    guard case .frame(var frame) = sample else { return sample }
    let rate = source?.media.description.frameRate ?? .one
    end = frame.time + (frame.duration ?? rate.reciprocal)
    frame.time = frame.time + offset
    return .frame(frame)
  }

  private func beginAgain() throws {
    close()
    let source = try open()
    ahead = nil
    if let end { offset = offset + end - source.first.time }
    end = nil
  }

  private func open() throws -> OpenedSource {
    if let source { return source }
    let opened = try OpenedSource(request, control: control)
    source = opened
    return opened
  }

  func close() {
    lastReport = report
    source = nil
  }

  var report: SourceReport { source?.media.report ?? lastReport }
}
