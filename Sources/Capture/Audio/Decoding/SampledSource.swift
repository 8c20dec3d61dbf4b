import FFmpegHandles
import Frames

/// Decodes the audio of another source: each track comes as samples, from the first frame's time on to the sample.
///
/// The audio of a part ends with the part. Of a whole source it ends where it ends, before or after the frames.
final class SampledSource: MediaSource {
  private(set) var description: SourceDescription
  private let source: any MediaSource
  private let request: SourceRequest
  /// Whether the packets come too.
  private let keepsCoded: Bool
  private let streams: [CompressedStream]
  private let formats: [AudioFormat]
  /// How the samples of each track are changed; nil for one that is not.
  private let filters: [String?]
  /// Made with the first frame, whose time is the first sample's.
  private var tracks: [SampledTrack] = []
  /// The source's time from which audio is wanted, and before which it is; nil while that is not known.
  private var start: Rational?
  private var end: Rational?
  private var frames = 0
  private var ready: [MediaSample] = []
  private var isOver = false

  /// Takes over an open source; nil if its audio is wanted as it is.
  init?(_ source: any MediaSource, _ request: SourceRequest) throws(CaptureError) {
    let streams = source.description.codedAudio
    let form = request.sound.form(of: streams)
    guard form != .coded else { return nil }
    let formats = streams.compactMap { AudioDecoder($0)?.format }
    guard formats.count == streams.count else {
      guard request.sound.isChanged else { return nil }
      throw CaptureError(
        """
        FFmpeg cannot decode the audio of \(source.description.name), so it cannot be changed; leave out the audio \
        with --no-audio
        """)
    }
    self.source = source
    self.request = request
    (self.streams, self.formats) = (streams, formats)
    keepsCoded = form == .both
    filters = try request.soundFilters(of: source.description.name, tracks: streams.indices)
    description = source.description
    description.audio = formats
    description.audioOrigins = streams
    if !keepsCoded { description.codedAudio = [] }
  }

  var report: SourceReport {
    var report = source.report
    report.damagedAudio = DamagedAudio(
      description.name, packets: tracks.reduce(0) { $0 + $1.damaged })
    return report
  }

  func next() throws(CaptureError) -> MediaSample? {
    while ready.isEmpty, !isOver {
      guard let sample = try source.next() else {
        isOver = true
        try finish()
        break
      }
      switch sample {
      case .frame(let frame):
        ready.append(sample)
        try note(frame)
      case .codedAudio(let packet):
        if keepsCoded, isWanted(packet) { ready.append(sample) }
        try explained { () throws(FFmpegError) in try tracks[packet.streamIndex].add(packet) }
        try release()
      case .audio, .subtitle, .audioForEffects: return sample
      }
    }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  /// Notes how far the frames have come; the first one opens the decoders.
  private func note(_ frame: Frame) throws(CaptureError) {
    frames += 1
    let shown = frame.duration ?? source.description.frameRate.reciprocal
    if start == nil {
      start = frame.time
      let zero = source.description.zero
      end = FrameGrid.end(
        from: frame.time, duration: request.duration, limit: request.end.map { zero + $0 },
        own: source.description.frameRate, on: request.grid)
      for (place, stream) in streams.enumerated() {
        let (format, filters) = (formats[place], filters[place])
        let track = try explained { () throws(FFmpegError) in
          try SampledTrack(
            stream, format, place: place, from: frame.time, filters: filters,
            volume: request.sound.volumeCurve)
        }
        // It was decoded when the source was opened.
        if let track { tracks.append(track) }
      }
    }
    if countsFrames { end = frame.time + shown }
    try release()
  }

  /// Whether the end is the last frame's, which is not known before it.
  private var countsFrames: Bool {
    !request.skipsFrames && (request.frames != nil || request.range != nil)
  }

  /// Whether a packet would be delivered to somebody who does not decode it: none that ends before a requested start.
  private func isWanted(_ packet: CompressedPacket) -> Bool {
    guard let start, request.start != nil || request.range != nil else { return true }
    return packet.time + packet.duration > start
  }

  /// Delivers the samples that are known.
  private func release() throws(CaptureError) {
    for track in tracks {
      try explained { () throws(FFmpegError) in
        try track.release(before: end, inWholeBlocks: !request.feedsEffects) {
          ready.append(.audio($0))
        }
      }
    }
  }

  /// Delivers the rest after the last sample of the source.
  private func finish() throws(CaptureError) {
    for track in tracks {
      try explained { () throws(FFmpegError) in
        try track.finish(before: end) { ready.append(.audio($0)) }
      }
    }
  }

  private func explained<Value>(
    _ work: () throws(FFmpegError) -> Value
  ) throws(CaptureError) -> Value {
    let name = source.description.name
    return try Capture.explained({ "\(name): its audio cannot be decoded: \($0)" }, work)
  }
}

/// One track of a sampled source.
private final class SampledTrack {
  private let audio: SourceAudio
  private let format: AudioFormat
  private let start: Rational
  private let blocks: AudioBlockFeed

  /// Opens a decoder for samples from `start`, in the source's own time; nil if FFmpeg has none.
  init?(
    _ stream: CompressedStream, _ format: AudioFormat, place: Int, from start: Rational,
    filters: String?, volume: VolumeCurve?
  ) throws(FFmpegError) {
    guard let audio = try SourceAudio(stream, from: start, as: format) else { return nil }
    self.audio = audio
    (self.format, self.start) = (format, start)
    blocks = try AudioBlockFeed(format, from: start, track: place, filters: filters, volume: volume)
  }

  var damaged: Int { audio.damaged }

  func add(_ packet: CompressedPacket) throws(FFmpegError) { try audio.add(packet) }

  /// Delivers the samples that are known and come before a time; a long silence is left out.
  func release(
    before end: Rational?, inWholeBlocks: Bool, to deliver: (AudioBlock) -> Void
  ) throws(FFmpegError) {
    let limit = end.map { max(($0 - start).ticks(timeBase: format.sampleDuration), 0) } ?? .max
    while true {
      if case let silence = audio.silence, silence > 0 {
        audio.skip(silence)
        try blocks.skip(silence)
      }
      let known = audio.countBeforeSilence ?? audio.ready
      let count = Int(min(Int64(min(known, AudioBlockFeed.usualSize)), limit - blocks.position))
      let isWhole = count == AudioBlockFeed.usualSize || count == audio.countBeforeSilence
      guard count > 0, isWhole || !inWholeBlocks else { break }
      try audio.read(count, into: blocks.planes, at: 0)
      try blocks.add(count)
    }
    while let block = blocks.next() { deliver(block) }
  }

  /// Delivers the blocks that still wait after the last packet.
  func finish(before end: Rational?, to deliver: (AudioBlock) -> Void) throws(FFmpegError) {
    try audio.end()
    try release(before: end, inWholeBlocks: false, to: deliver)
    try blocks.end()
    while let block = blocks.next() { deliver(block) }
  }
}
