import CFFmpeg
import FFmpegHandles
import Frames

/// One of libavformat's muxers at work: packets in, a container's bytes out.
///
/// Used by one thread at a time.
struct MovieMuxer: ~Copyable {
  private var output: MuxerContext
  private let channel: OutputChannel
  /// For sound, filled anew for each packet.
  private let packet: AVPacketHandle
  private let encoderTimeBase: Rational
  /// Bytes given to libavformat so far, of which some may be waiting to be interleaved.
  private var given: Int64 = 0
  private var packets: Int64 = 0
  /// Pictures written, and where the last one to be shown ends, in the encoder's ticks.
  private(set) var pictures = 0
  private var end: Int64 = 0
  /// Packets of sound that were left out.
  private(set) var damagedSound = 0
  /// What was written can be played at any moment, if not quite to its end.
  private let isSafe: Bool
  /// For a MOV or MP4 that is written in fragments: what makes an ordinary movie of it at its end.
  private var tables: MovieTables?
  /// The first decoding time in the fragment that is not written yet, in the encoder's ticks.
  private var fragmentStart: Int64?
  /// The file holds a header and samples, and can be played as it is.
  private(set) var hasFragments = false

  private var context: UnsafeMutablePointer<AVFormatContext> { output.pointer }

  /// What MOV's tables take for a packet at most: times (8 + 8), size (4), chunk (8 + 12), key (4).
  private static let tableBytes: Int64 = 48
  /// Headers, and the head of the fragment that is not written yet.
  private static let headerBytes: Int64 = 64 << 10
  /// A fragment ends after this long, and before a key frame when it has half of that.
  private static let fragmentLength = Rational(1, 2)

  /// Writes the header for what the encoder makes, and for the sound.
  ///
  /// A movie of a live source into a file is written in fragments, so that what is left when the
  /// process is killed can be played up to its last half second; `finish` makes a MOV or MP4 an
  /// ordinary movie, without copying it. Matroska's fragments are its clusters.
  init(
    container: Container, channel: OutputChannel, encoder: borrowing VideoEncoder,
    request: SinkRequest
  ) throws {
    var output = try MuxerContext(
      container: container, to: channel.writer.context, encoder: encoder, request: request,
      name: channel.name)
    let packet = try AVPacketHandle()
    let isSafe = request.isLive && channel.isSeekable && !container.isUncompressed
    let isFragmented = isSafe && container.isMovieFamily
    // Without delay_moov there would be no edit list, and pictures and sound late.
    let flags =
      isFragmented
      ? "frag_custom+empty_moov+delay_moov+default_base_moof"
      : channel.isSeekable ? nil : "frag_keyframe+empty_moov+delay_moov+default_base_moof"
    guard channel.writer.takeRoom(for: MovieMuxer.headerBytes) else {
      throw EncodeError.cannotWrite(channel.name, channel.writer.failure)
    }
    let result = output.writeHeader(
      container, videoScale: encoder.timeBase.denominator, flags: flags)
    try channel.checkWritten()
    guard result >= 0 else {
      throw EncodeError(
        "\(channel.name): \(container.title) does not take these streams "
          + "(\(FFmpegError.reason(result))): write .mkv, or leave the sound out with --no-audio")
    }
    tables =
      isFragmented
      ? try MovieTables(
        container: container, encoder: encoder, request: request, name: channel.name) : nil
    self.isSafe = isSafe
    self.output = output
    self.packet = packet
    self.channel = channel
    encoderTimeBase = encoder.timeBase
  }

  /// Takes an encoder's packet, with how long its frame is shown in the encoder's ticks.
  mutating func write(video encoded: UnsafeMutablePointer<AVPacket>, duration: Int64) throws {
    encoded.pointee.duration = duration
    encoded.pointee.stream_index = output.video
    let shownUntil = encoded.pointee.pts + duration
    if isSafe { try endFragment(before: encoded) }
    if let timeBase = output.timeBase(of: output.video) {
      av_packet_rescale_ts(encoded, AVRational(encoderTimeBase), timeBase)
    }
    try write(encoded)
    pictures += 1
    end = max(end, shownUntil)
  }

  /// Takes a packet of sound; one that is too damaged for the container is left out and counted.
  mutating func write(sound compressed: CompressedPacket) throws {
    guard output.sound.indices.contains(compressed.streamIndex) else { return }
    let place = output.sound[compressed.streamIndex].place(compressed)
    packet.clear()
    try compressed.reference(from: packet.pointer)
    packet.pointer.pointee.stream_index = output.sound[compressed.streamIndex].index
    packet.pointer.pointee.pts = place.start
    packet.pointer.pointee.dts = place.start
    packet.pointer.pointee.duration = place.duration
    packet.pointer.pointee.pos = -1
    do {
      try write(packet.pointer)
    } catch let error as FFmpegError
      where [kf_averror_invaliddata(), kf_averror_patchwelcome()].contains(error.code)
    {
      // What damage has made of a header may be one that FFmpeg has not learned to read.
      damagedSound += 1
    }
  }

  private mutating func write(_ packet: UnsafeMutablePointer<AVPacket>) throws {
    let size = Int64(packet.pointee.size)
    // What libavformat still holds back, this packet, and the tables that come at the end.
    let waiting = tables?.waitingBytes ?? max(given - channel.writer.end, 0)
    let room = (packets + 1) * MovieMuxer.tableBytes + MovieMuxer.headerBytes
    guard channel.writer.takeRoom(for: waiting + size + room) else {
      av_packet_unref(packet)
      throw EncodeError.cannotWrite(channel.name, channel.writer.failure)
    }
    given += size
    packets += 1
    try tables?.expect(packet)
    let result = av_interleaved_write_frame(context, packet)
    try channel.checkWritten()
    try check(result, "av_interleaved_write_frame", channel.name)
  }

  /// Writes what waits and the container's end.
  ///
  /// After a disk ran full this still works where room was kept; `known` is the failure that the
  /// caller has already heard of, as in errno, and is not thrown again.
  mutating func finish(afterFailure known: Int32) throws {
    guard pictures > 0 else { return }
    var result: Int32
    if tables == nil {
      result = av_write_trailer(context)
    } else {
      result = av_interleaved_write_frame(context, nil)
      if result >= 0 { result = av_write_frame(context, nil) }
    }
    channel.writer.flush()
    try checkEnd(afterFailure: known)
    try check(result, "av_write_trailer", channel.name)
    if tables != nil {
      completeFragments()
      try checkEnd(afterFailure: known)
    }
  }

  private func checkEnd(afterFailure known: Int32) throws {
    if known == 0 || channel.writer.context.pointee.error < 0 { try channel.checkWritten() }
  }

  /// Has libavformat write what it holds as a fragment, when one is due before this packet, whose
  /// times are the encoder's.
  private mutating func endFragment(before packet: UnsafeMutablePointer<AVPacket>) throws {
    let time = packet.pointee.dts
    guard let start = fragmentStart else {
      fragmentStart = time
      return
    }
    let length = Rational(time - start) * encoderTimeBase
    let isKey = packet.pointee.flags & AV_PKT_FLAG_KEY != 0
    let isDue = length >= MovieMuxer.fragmentLength / Rational(isKey ? 2 : 1)
    // The header comes with the first fragment, and tells where each track starts.
    guard isDue, output.sound.allSatisfy(\.hasStarted) || length >= Rational(2) else { return }
    fragmentStart = time
    let result = av_write_frame(context, nil)
    channel.writer.flush()
    try channel.checkWritten()
    try check(result, "av_write_frame", channel.name)
    hasFragments = true
    tables?.look(in: channel.writer.file, upTo: channel.writer.end)
  }

  /// Puts the tables of an ordinary movie behind the fragments, and makes their heads free space.
  ///
  /// At each moment the file is a movie: in fragments until the first head, the header, is gone, and
  /// then by its tables.
  private mutating func completeFragments() {
    guard var tables = tables.take() else { return }
    let end = channel.writer.end
    tables.look(in: channel.writer.file, upTo: end)
    guard let (bytes, heads) = tables.finish(at: end) else { return }
    let target = channel.writer.context
    bytes.withUnsafeBufferPointer { avio_write(target, $0.baseAddress, Int32($0.count)) }
    channel.writer.flush()
    // Without room for the tables the movie stays in fragments.
    guard target.pointee.error >= 0 else { return }
    for head in heads {
      avio_seek(target, head.typePosition, SEEK_SET)
      avio_wb32(target, MovieBox.free)
    }
    channel.writer.flush()
  }

  /// Where the last picture ends, in seconds from the first one's start.
  var duration: Rational { Rational(end) * encoderTimeBase }
}
