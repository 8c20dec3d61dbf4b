import CFFmpeg
import FFmpegHandles
import Frames

/// Reads the samples of a file's best audio from any place, with a demuxer of its own.
///
/// A sample's position is its source time multiplied by the sample rate. Silence replaces missing audio.
final class SampleReader {
  let format: AudioFormat
  /// Index of the track that is read, among the file's audio tracks.
  let track: Int
  /// Number of audio tracks in the file.
  let trackCount: Int
  private let name: String
  private let demuxer: Demuxer
  let stream: CompressedStream
  private let index: Int32
  private let packet: AVPacketHandle
  private var continuity: TimeContinuity
  /// Whether the times of the file jump, so that every place is looked for from its beginning.
  private let timesJump: Bool
  private var audio: SourceAudio? {
    willSet { damagedBefore = damaged }
  }
  /// The most packets that did not decode in one reading: each that begins elsewhere may read the same ones again.
  var damaged: Int { max(damagedBefore, audio?.damaged ?? 0) }
  private var damagedBefore = 0
  /// Place of the next sample that `audio` gives.
  private var position: Int64 = 0
  /// Seconds before a wanted sample at which reading begins.
  private var lead = Rational.one
  /// Timestamp of the first packet of all, in seconds, and the duration of every packet; nil if that differs.
  private var grid: (first: Rational, length: Rational)?

  /// A decoder gets packets from this many seconds before the first wanted sample: more than any codec needs to start.
  private static let runUp = Rational(1, 2)
  private static let longestLead = Rational(64)

  /// Opens the audio of a file; nil if it has none, or if FFmpeg cannot decode it.
  init?(_ request: SourceRequest) throws(CaptureError) {
    var request = request
    request.includesAudio = true
    let input: FileInput =
      try SourceKind.url.isWritten(request.input)
      ? .url(request) : .file(request)
    let demuxer = try Demuxer(request, input: input)
    name = input.name
    guard let best = demuxer.bestAudio, let decoder = AudioDecoder(demuxer.codedAudio[best]) else {
      return nil
    }
    format = decoder.format
    (track, trackCount) = (best, demuxer.codedAudio.count)
    (stream, index) = (demuxer.codedAudio[best], demuxer.audioIndexes[best])
    packet = try Capture.explained { () throws(FFmpegError) in try AVPacketHandle() }
    continuity = TimeContinuity(demuxer.context)
    timesJump = try input.hasTimeJumps(
      of: demuxer.video.pointee.index, continuity, request.interruption)
    self.demuxer = demuxer
    while let read = try nextPacket() {
      guard let audio = read.audio else { continue }
      grid = fixedLength(audio).map { (audio.time, $0) }
      break
    }
  }

  /// Writes samples from a place on into the planes, in their order.
  func read(
    _ count: Int, from place: Int64, into target: SamplePlanes, at offset: Int
  ) throws(CaptureError) {
    guard let audio = try know(count, from: place) else { return }
    try explained { () throws(FFmpegError) in try audio.read(count, into: target, at: offset) }
    position += Int64(count)
  }

  /// Returns how many samples from a place on are silent for a long time; 0 if they are not.
  func silence(from place: Int64) throws(CaptureError) -> Int64 {
    try know(1, from: place)?.silence ?? 0
  }

  /// Leaves out samples of such a silence.
  func skip(_ count: Int64) {
    audio?.skip(count)
    position += count
  }

  /// Reads until `count` samples from a place on are known, and returns the audio that has them.
  private func know(_ count: Int, from place: Int64) throws(CaptureError) -> SourceAudio? {
    if audio == nil || place != position { try begin(at: place) }
    guard let audio else { return nil }
    try explained { () throws(FFmpegError) in
      let wanted = (position - startPlace) + Int64(count)
      while audio.known.map({ $0 < wanted }) ?? false {
        guard let read = try nextPacketOrFailure() else {
          try audio.end()
          break
        }
        if let packet = read.audio {
          try audio.add(packet)
        } else if read.time > time(of: place + Int64(count)) + AudioProgress.longestLag {
          try audio.pad(to: wanted)
        }
      }
    }
    return audio
  }

  /// Place of the first sample of `audio`.
  private var startPlace: Int64 = 0

  private func time(of place: Int64) -> Rational { Rational(place) * format.sampleDuration }

  /// Begins to decode before a place, so far that its sample is the one that a reading from the start gives.
  private func begin(at place: Int64) throws(CaptureError) {
    let start = time(of: place)
    var back = lead
    var first: CompressedPacket?
    while true {
      let target = start - Self.runUp - back
      let beginning = demuxer.extent.start ?? .zero
      let isBeginning = target <= beginning || !demuxer.isInOrder || timesJump
      let unit = demuxer.timeBase(of: demuxer.video.pointee.index)
      let isDone =
        isBeginning
        ? demuxer.seekToStart(beginning.ticks(timeBase: unit))
        : demuxer.seek(to: target.ticks(timeBase: unit))
      guard isDone else {
        throw CaptureError(
          "the audio of \(name) cannot be read again from another place; add --no-audio")
      }
      continuity.restart(atBeginning: isBeginning)
      first = try nextAudio(from: start - Self.runUp)
      // A container may store audio long before its frames.
      if isBeginning || first.map({ $0.time <= start }) ?? false { break }
      guard back < Self.longestLead else { break }
      back = back * Rational(4)
    }
    if first.map({ $0.time <= start }) ?? false { lead = back }
    (position, startPlace) = (place, place)
    let shift = first.map(roundingError) ?? .zero
    audio = try explained { () throws(FFmpegError) in
      let audio = try SourceAudio(stream, from: start - shift, as: format)
      if let first { try audio?.add(first) } else { try audio?.end() }
      return audio
    }
  }

  /// Returns the first packet of the audio that ends after a time.
  private func nextAudio(from time: Rational) throws(CaptureError) -> CompressedPacket? {
    while let read = try nextPacket() {
      if let audio = read.audio, audio.time + audio.duration > time { return audio }
    }
    return nil
  }

  /// Returns how much later a packet is than its timestamp says: Matroska rounds to milliseconds.
  private func roundingError(of packet: CompressedPacket) -> Rational {
    guard let grid, fixedLength(packet) == grid.length else { return .zero }
    let number = ((packet.time - grid.first) / grid.length + Rational(1, 2)).floor
    let error = grid.first + Rational(number) * grid.length - packet.time
    return max(error, -error) <= stream.timeBase ? error : .zero
  }

  /// Returns the duration of a packet if all packets of its codec have the same, or if its size tells it.
  private func fixedLength(_ packet: CompressedPacket) -> Rational? {
    let samples = stream.parameters.pointee.samples(ofBytes: packet.size)
    guard samples > 0, format.rate > 0, stream.timeBase > format.sampleDuration else { return nil }
    return Rational(samples) * format.sampleDuration
  }

  /// A packet that was read: its time, and what it holds if it is of the wanted audio.
  private struct Read {
    let time: Rational
    let audio: CompressedPacket?
  }

  private func nextPacket() throws(CaptureError) -> Read? {
    try explained { () throws(FFmpegError) in try nextPacketOrFailure() }
  }

  private func nextPacketOrFailure() throws(FFmpegError) -> Read? {
    while true {
      let result = demuxer.read(into: packet)
      if result == kf_averror(EAGAIN) { continue }
      guard result >= 0 else { return nil }
      let data = packet.pointer
      guard demuxer.isRead(data.pointee.stream_index) else { continue }
      let unit = demuxer.timeBase(of: data.pointee.stream_index)
      continuity.mend(data, timeBase: unit)
      guard let (time, duration) = data.pointee.span(unit) else { continue }
      guard data.pointee.stream_index == index else { return Read(time: time, audio: nil) }
      return Read(
        time: time,
        audio: try CompressedPacket(moving: data, streamIndex: 0, time: time, duration: duration))
    }
  }

  private func explained<Value>(
    _ work: () throws(FFmpegError) -> Value
  ) throws(CaptureError) -> Value {
    try Capture.explained({ [name] in "the audio of \(name) cannot be decoded: \($0)" }, work)
  }
}

extension AVCodecParameters {
  /// Returns how many samples of each channel a packet of a size has; 0 if that is not known.
  fileprivate func samples(ofBytes size: Int) -> Int64 {
    if frame_size > 1 { return Int64(frame_size) }
    switch codec_id {
    case AV_CODEC_ID_FLAC:
      // STREAMINFO begins with the smallest and the largest block.
      let (least, most) = (number(at: 0, bytes: 2), number(at: 2, bytes: 2))
      return least == most ? most : 0
    case AV_CODEC_ID_ALAC:
      // The cookie follows the head of its box.
      return number(at: 12, bytes: 4)
    default:
      let bits = Int64(av_get_bits_per_sample(codec_id)) * Int64(ch_layout.nb_channels)
      return bits > 0 ? Int64(size) * 8 / bits : 0
    }
  }

  /// Reads a number of the codec's own description, the high byte first; 0 if it is too short.
  private func number(at place: Int, bytes count: Int) -> Int64 {
    guard let extradata, place + count <= Int(extradata_size) else { return 0 }
    return (place..<place + count).reduce(0) { $0 << 8 | Int64(extradata[$1]) }
  }
}
