public import Frames

/// Finds frames of a source by their numbers.
public struct FrameSearch {
  /// The first frame's format, and the nominal frame rate.
  public let format: FrameFormat
  public let frameRate: Rational
  /// Time of the first frame in the source's own time, in seconds.
  public let origin: Rational
  /// A single image, whose only frame is repeated.
  public let isStill: Bool
  /// Seconds according to the container, if it says so.
  public let duration: Rational?
  private let request: SourceRequest

  /// Decodes the first frame of a source; all of it is searched, without its audio.
  public init(_ request: SourceRequest) throws(CaptureError) {
    var request = request
    (request.includesAudio, request.feedsEffects) = (false, false)
    self.request = request
    let source = try openSource(request)
    guard case .frame(let first)? = try source.next() else {
      throw CaptureError("\(source.description.name) has no frame to record; check the file")
    }
    (format, origin) = (first.format, first.time)
    (frameRate, isStill) = (source.description.frameRate, source.description.isStill)
    duration = source.description.duration
  }

  /// Returns where a frame lies, which is after the first one; nil for a still image.
  ///
  /// A MOV or MP4 is asked for the time. Of another file the frames before are decoded and counted.
  func place(of number: Int) throws(CaptureError) -> FramePlace? {
    guard !isStill else { return nil }
    if let times = try times(readsPackets: false), times.hasCertainNumbers {
      guard number < times.count else { throw missing(number, count: times.count) }
      if let time = try times.time(of: number) { return FramePlace(origin: origin, start: time) }
    }
    let source = try openSource(request)
    var count = 0
    while let sample = try source.next() {
      guard case .frame(let frame) = sample else { continue }
      if count == number { return FramePlace(origin: origin, start: frame.time) }
      count += 1
    }
    guard !request.interruption.isInterrupted else { return nil }
    throw missing(number, count: count)
  }

  /// Returns the times of all frames of a movie or of numbered images; nil if they cannot be told without decoding.
  ///
  /// With `readsPackets` a file without an exact index may be read from start to end.
  public func times(readsPackets: Bool) throws(CaptureError) -> (any FrameTimes)? {
    guard !isStill, request.deinterlacing.mode != .bob else { return nil }
    let kind = request.kind
    if kind.takesFrameRate {
      let input = try FileInput.sequence(request)
      guard let numbered = input.numbered, let pictures = numbered.pictures else { return nil }
      return ImageTimes(count: pictures.count, rate: numbered.rate)
    }
    guard kind.isCountable else { return nil }
    var times: (any FrameTimes)? = try MovieTimes(request)
    if times == nil, readsPackets { times = try PacketTimes(request) }
    guard let times, try times.time(of: 0) == origin else { return nil }
    return times
  }

  private func missing(_ number: Int, count: Int) -> CaptureError {
    CaptureError(
      "\(request.input) has \(count) frames, from 0 to \(count - 1), so there is no frame \(number); "
        + "choose another --frame-range")
  }
}
