import CFFmpeg
import FFmpegHandles
import Frames

/// Looks for black bars in a file, at places that lie over all of it.
///
/// Bars are what is black in every frame that is looked at, beside a straight edge of the picture. One thread uses it.
final class BlackBars {
  /// Frames that are looked at in a file of known duration.
  private static let frames: Int64 = 24

  private let demuxer: Demuxer
  private let decoder: VideoDecoder
  private let packet: AVPacketHandle
  private var conversion: FrameConversion
  private let interruption: Interruption
  private let timeBase: Rational
  private let frameDuration: Rational
  private var isDraining = false
  private var lastTime: Rational?

  /// Opens the file a second time, beside the recording.
  private init(_ request: SourceRequest, input: FileInput) throws(CaptureError) {
    var request = request
    (request.includesAudio, request.feedsEffects) = (false, false)
    demuxer = try Demuxer(request, input: input)
    let stream = demuxer.video
    decoder = try VideoDecoder(stream, name: input.name, threads: request.decoderThreads)
    packet = try explained { () throws(FFmpegError) in try AVPacketHandle() }
    conversion = FrameConversion(
      name: input.name, parameters: stream.pointee.codecpar,
      orientation: Orientation(stream: stream) ?? .upright, overrides: request.tagOverrides,
      streamAspectRatio: Rational(stream.pointee.sample_aspect_ratio))
    interruption = request.interruption
    timeBase = Rational(stream.pointee.time_base)
    frameDuration = NominalRate.of(stream, in: demuxer.context).reciprocal
  }

  /// Finds the picture between the bars, in pixels as it is shown; nil if there are no bars.
  ///
  /// All of the file counts, whatever part of it is wanted, so that every part of it gets the same crop.
  static func picture(
    in request: SourceRequest, input: FileInput
  ) throws(CaptureError) -> PixelArea? {
    let bars = try BlackBars(request, input: input)
    return try bars.find()
  }

  private func find() throws(CaptureError) -> PixelArea? {
    var edges: PictureEdges?
    let start = demuxer.extent.start ?? .zero
    let end = demuxer.extent.duration.map { start + $0 }
    let between =
      demuxer.extent.duration.map { $0 / Rational(Self.frames) } ?? .one
    var place = start + between / Rational(2)
    // A seek that does not go past the last frame is not worth its time: the keyframes are far apart.
    var seeks = demuxer.extent.duration != nil
    while !interruption.isInterrupted, end.map({ place < $0 }) ?? true {
      let previous = lastTime
      if seeks { seeks = seek(to: place) }
      guard var frame = try next() else { break }
      if let previous, frame.time <= previous { seeks = false }
      // Without seeks every frame is decoded, and the one of the place is looked at.
      while !seeks, frame.time < place, !interruption.isInterrupted {
        guard let later = try next() else { break }
        frame = later
      }
      if edges == nil { edges = PictureEdges(frame.format) }
      edges?.add(frame)
      if edges?.isWhole == true { return nil }
      place = max(place, frame.time) + between
    }
    return edges?.picture
  }

  private func seek(to place: Rational) -> Bool {
    guard demuxer.seek(to: place.ticks(timeBase: timeBase)) else { return false }
    decoder.flush()
    isDraining = false
    return true
  }

  /// Decodes the next frame; nil at the end.
  private func next() throws(CaptureError) -> Frame? {
    while !interruption.isInterrupted {
      switch try decoder.receive() {
      case .end: return nil
      case .damaged: continue
      case .frame(let decoded, _):
        let time =
          plausible(decoded.pointer.pointee.best_effort_timestamp, timeBase)
          .map { Rational($0) * timeBase } ?? lastTime.map { $0 + frameDuration } ?? .zero
        lastTime = time
        return try conversion.frame(decoded, time: time, duration: nil)
      case .needsPacket:
        if isDraining { return nil }
        repeat {
          isDraining = demuxer.read(into: packet) < 0
        } while !isDraining && packet.pointer.pointee.stream_index != demuxer.video.pointee.index
        _ = decoder.send(isDraining ? nil : packet.pointer)
      }
    }
    return nil
  }
}
