import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// The header of a fragmented MOV or MP4, which is in the file with the first frame and says where
/// each track starts.
///
/// libavformat writes it once, and an audio stream that has not begun then would be played from 0.
/// So space is kept after it. When an audio stream begins, a header for all streams that have begun
/// is put there, made by another muxer from the same first packets, and a single write of eight
/// bytes turns the first header into free space. The file can be played at every moment.
///
/// Used by one thread at a time.
struct MovieHeader: ~Copyable {
  /// libavformat's `movflags` of the file's muxer.
  ///
  /// Without delay_moov there would be no edit list, and video and audio would be late.
  static let flags = "frag_custom+empty_moov+delay_moov+default_base_moof"

  private let container: Container
  private let request: SinkRequest
  private let name: String
  /// The first packet of each stream, until the header describes all streams.
  private var firstPackets: [PacketReference?]
  /// Number of streams that the header in the file describes; nil if there is no header.
  private var reported: Int?
  private var box: MovieBox?
  /// End of the free space after the header, in bytes.
  private var roomEnd: Int64 = 0

  /// Bytes of an edit list of one empty and one other entry, in its longest form, with its box
  /// (ISO/IEC 14496-12, 8.6.5 and 8.6.6).
  private static let editListBytes = 8 + 16 + 2 * 20

  init(container: Container, request: SinkRequest, name: String) {
    self.container = container
    self.request = request
    self.name = name
    firstPackets = Array(repeating: nil, count: 1 + request.codedAudio.count)
  }

  var isWritten: Bool { reported != nil }
  /// All streams have begun, and the header in the file describes them.
  var isComplete: Bool { reported == firstPackets.count }

  /// Remembers a packet before it goes to the file's muxer, if it is its stream's first; returns
  /// whether it is.
  mutating func note(_ packet: UnsafeMutablePointer<AVPacket>) throws -> Bool {
    let stream = Int(packet.pointee.stream_index)
    guard !isComplete, firstPackets[stream] == nil else { return false }
    firstPackets[stream] = try PacketReference(packet)
    return true
  }

  /// Forgets a stream's first packet, which the muxer did not take.
  mutating func forget(_ stream: Int) { firstPackets[stream] = nil }

  /// All streams have begun.
  var hasAllBegun: Bool { isComplete || begun == firstPackets.count }
  private var begun: Int { firstPackets.count { $0 != nil } }

  /// For each audio stream, whether the header must wait until it begins.
  var awaited: [Bool] {
    zip(firstPackets.dropFirst(), request.codedAudio).map { $0 == nil && Self.isAwaited($1) }
  }

  /// Whether libavformat cannot describe a stream before its first packet.
  ///
  /// In movenc.c, "Cannot write moov atom before ... packets".
  static func isAwaited(_ stream: CompressedStream) -> Bool {
    [AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3, AV_CODEC_ID_TRUEHD]
      .contains(stream.parameters.pointee.codec_id)
  }

  /// Records that the muxer has put its header between two positions of the file; returns the size in bytes of the free box
  /// that must follow it.
  mutating func wasWritten(to file: Int32, from start: Int64, to end: Int64) -> Int {
    reported = begun
    guard !isComplete else {
      firstPackets = firstPackets.map { _ in nil }
      return 0
    }
    box = MovieBox.boxes(of: file, from: start, to: end).first { $0.type == MovieBox.movie }
    guard let box else { return 0 }
    let streams = firstPackets.count
    let room = (streams - begun) * (Int(box.size) + streams * MovieHeader.editListBytes + 8) + 8
    roomEnd = end + Int64(room)
    return room
  }

  /// Writes a header that also describes the audio streams that have begun since the last one; returns its new box, if any.
  mutating func update(
    in file: Int32, encoder: borrowing some VideoTrack & ~Copyable
  ) throws -> MovieBox? {
    guard let reported, reported < begun, let old = box else { return nil }
    let header = try make(encoder)
    self.reported = begun
    if isComplete { firstPackets = firstPackets.map { _ in nil } }
    // After the head of the free box, so that readers do not see it yet.
    let place = old.position + old.size + 8
    let rest = roomEnd - place - Int64(header.count)
    guard rest >= 8 else { return nil }
    let bytes = header + MovieHeader.head(size: rest)
    guard MovieHeader.put(bytes, into: file, at: place),
      MovieHeader.put(MovieHeader.head(size: place - old.position), into: file, at: old.position)
    else { throw EncodeError.cannotWrite(name, errno) }
    let new = MovieBox(type: MovieBox.movie, position: place, size: Int64(header.count))
    box = new
    return new
  }

  private func make(_ encoder: borrowing some VideoTrack & ~Copyable) throws -> [UInt8] {
    let bytes = try TableBytes()
    bytes.keepBytes(from: 0)
    var context = try MuxerContext(
      container: container, to: bytes.context, encoder: encoder, request: request, name: name)
    try check(
      context.writeHeader(
        container, videoScale: encoder.timeBase.denominator, flags: MovieHeader.flags),
      "avformat_write_header", name)
    for packet in firstPackets {
      guard let packet else { continue }
      try check(av_write_frame(context.pointer, packet.pointer), "av_write_frame", name)
    }
    try check(av_write_frame(context.pointer, nil), "av_write_frame", name)
    avio_flush(bytes.context)
    let kept = bytes.kept
    if let movie = MovieBox.children(of: kept, 0..<kept.count).first(where: { $0.type == "moov" }) {
      return Array(kept[movie.body.lowerBound - 8..<movie.body.upperBound])
    }
    throw EncodeError("\(name): the movie's header could not be made; write .mkv instead")
  }

  /// Returns the first eight bytes of a box of free space.
  static func head(size: Int64) -> [UInt8] {
    [UInt32(size), MovieBox.free].flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  private static func put(_ bytes: [UInt8], into file: Int32, at position: Int64) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        pwrite(
          file, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(position) + done)
      }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
