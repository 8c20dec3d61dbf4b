import CFFmpeg
import FFmpegHandles
import Frames

/// The tables of an ordinary movie for samples that another muxer has written in fragments.
///
/// A second muxer of the same kind is given every packet a second time, at the place where the
/// sample already lies in the file. Its bytes go nowhere, except the tables that it writes at the
/// end: with those behind the fragments, and the fragments' own heads made free space, the file is
/// an ordinary movie, of which nothing was copied.
///
/// Used by one thread at a time.
struct MovieTables: ~Copyable {
  private let bytes: TableBytes
  private var context: MuxerContext
  /// Packets whose place is not known yet, by stream; references, not copies.
  private var waiting: [[PacketReference]]
  /// The size of those packets; a guess once the samples are lost.
  private(set) var waitingBytes: Int64 = 0
  /// Everything below was looked at.
  private var looked: Int64 = 0
  /// The boxes that are to become free space.
  private var heads: [MovieBox] = []
  /// A sample was not found where it should lie: the movie stays as it is.
  private var isLost = false

  /// Half a second at 16 Mbit/s.
  private static let usualFragmentBytes: Int64 = 1 << 20

  init(
    container: Container, encoder: borrowing VideoEncoder, request: SinkRequest, name: String
  ) throws {
    let bytes = try TableBytes()
    var context = try MuxerContext(
      container: container, to: bytes.context, encoder: encoder, request: request, name: name)
    try check(
      context.writeHeader(container, videoScale: encoder.timeBase.denominator, flags: nil),
      "avformat_write_header", name)
    self.bytes = bytes
    self.context = context
    waiting = Array(repeating: [], count: 1 + request.sound.count)
  }

  /// Remembers a packet that the file's muxer is about to be given, in the same units of time.
  mutating func expect(_ packet: UnsafeMutablePointer<AVPacket>) throws {
    guard !isLost else { return }
    waiting[Int(packet.pointee.stream_index)].append(try PacketReference(packet))
    waitingBytes += Int64(packet.pointee.size)
  }

  /// Finds the samples in what was written to the file since the last call.
  mutating func look(in file: Int32, upTo end: Int64) {
    for box in MovieBox.boxes(of: file, from: looked, to: end) where !isLost {
      looked = box.position + box.size
      if box.type == MovieBox.movie { heads.append(box) }
      guard box.type == MovieBox.fragment else { continue }
      heads.append(box)
      guard let contents = box.contents(of: file),
        let runs = FragmentRun.runs(ofFragment: contents, at: box.position)
      else {
        giveUp()
        return
      }
      for run in runs where !isLost && !place(run) { giveUp() }
    }
  }

  /// The packets that were expected, by stream, when the file was found to need another muxer.
  consuming func released() -> [[PacketReference]] { waiting }

  /// The header has become another box, before a fragment was written behind it.
  mutating func replaceHeader(with box: MovieBox) {
    if let place = heads.firstIndex(where: { $0.type == MovieBox.movie }) { heads[place] = box }
  }

  private mutating func giveUp() {
    isLost = true
    waiting = []
    waitingBytes = MovieTables.usualFragmentBytes
  }

  /// Gives the samples of a run to the muxer, with their places.
  private mutating func place(_ run: FragmentRun) -> Bool {
    guard waiting.indices.contains(run.stream), waiting[run.stream].count >= run.sizes.count
    else { return false }
    var position = run.position
    for (packet, size) in zip(waiting[run.stream], run.sizes) {
      guard avio_seek(bytes.context, position, SEEK_SET) == position,
        av_write_frame(context.pointer, packet.pointer) >= 0,
        avio_tell(bytes.context) == position + Int64(size)
      else { return false }
      position += Int64(size)
      waitingBytes -= Int64(packet.pointer.pointee.size)
    }
    waiting[run.stream].removeFirst(run.sizes.count)
    return true
  }

  /// The tables, to be put behind the fragments at `end`, and the boxes that are then free space, in
  /// the order in which that is safe; nil when the movie must stay as it is.
  consuming func finish(at end: Int64) -> (tables: [UInt8], heads: [MovieBox])? {
    guard !isLost, waiting.allSatisfy(\.isEmpty), looked == end, !heads.isEmpty,
      avio_seek(bytes.context, end, SEEK_SET) == end
    else { return nil }
    bytes.keepBytes(from: end)
    guard av_write_trailer(context.pointer) >= 0 else { return nil }
    avio_flush(bytes.context)
    return (bytes.kept, heads)
  }
}

/// A second reference to a packet's data, with its times.
final class PacketReference {
  private let handle: AVPacketHandle
  var pointer: UnsafeMutablePointer<AVPacket> { handle.pointer }

  init(_ packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
    handle = try AVPacketHandle()
    try check(av_packet_ref(handle.pointer, packet), "av_packet_ref", "a packet")
  }
}
