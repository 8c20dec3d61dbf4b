import CFFmpeg
import FFmpegHandles
import Frames

/// The tables of an ordinary MOV or MP4 for samples that another muxer has written in fragments.
///
/// A second muxer of the same kind receives every packet again, at the position where the sample
/// already is in the file. Its bytes are discarded, except the tables that it writes at the end.
/// With these after the fragments, and the fragments' own heads turned into free space, the file is
/// an ordinary one, and nothing was copied.
///
/// Used by one thread at a time.
struct MovieTables: ~Copyable {
  private let bytes: TableBytes
  private var context: MuxerContext
  /// Packets whose position is not known yet, by stream; references, not copies.
  private var waiting: [[PacketReference]]
  /// Bytes of those packets; an estimate once the samples are lost.
  private(set) var waitingBytes: Int64 = 0
  /// When the first frame is decoded, and from when to when frames are shown, in the video's time base.
  private var video: (decoded: Int64, start: Int64, end: Int64)?
  /// The file was searched up to this position.
  private var looked: Int64 = 0
  /// The boxes that will become free space.
  private var heads: [MovieBox] = []
  /// A sample was not found where it should be: the file stays in fragments.
  private var isLost = false

  /// Bytes of half a second at 16 Mbit/s.
  private static let usualFragmentBytes: Int64 = 1 << 20

  init(
    container: Container, encoder: borrowing some VideoTrack & ~Copyable, request: SinkRequest,
    name: String
  ) throws {
    let bytes = try TableBytes()
    var context = try MuxerContext(
      container: container, to: bytes.context, encoder: encoder, request: request, name: name)
    try check(
      context.writeHeader(container, videoScale: encoder.timeBase.denominator, flags: nil),
      "avformat_write_header", name)
    self.bytes = bytes
    self.context = context
    waiting = Array(repeating: [], count: 1 + request.codedAudio.count)
  }

  /// Remembers a packet before it goes to the file's muxer, in the same time base.
  mutating func expect(_ packet: UnsafeMutablePointer<AVPacket>) throws {
    guard !isLost else { return }
    waiting[Int(packet.pointee.stream_index)].append(try PacketReference(packet))
    waitingBytes += Int64(packet.pointee.size)
    guard packet.pointee.stream_index == 0 else { return }
    let (start, end) = (packet.pointee.pts, packet.pointee.pts + packet.pointee.duration)
    video = (
      video?.decoded ?? packet.pointee.dts, min(video?.start ?? start, start),
      max(video?.end ?? end, end)
    )
  }

  /// Makes the samples of the video last together as long as its frames are shown, before the last one is written.
  ///
  /// A long last frame may be decoded before others. Readers that add up the samples, such as FFmpeg from 6.1 on, would not show
  /// it to its end.
  mutating func endVideo() {
    guard let video, let last = waiting[0].last?.pointer else { return }
    let missing = video.end - video.start - (last.pointee.dts - video.decoded)
    last.pointee.duration = max(last.pointee.duration, min(missing, video.end - last.pointee.pts))
  }

  /// Finds the samples in the data that was written to the file since the last call.
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

  /// Returns the expected packets, by stream, if the file needs another muxer.
  consuming func released() -> [[PacketReference]] { waiting }

  /// Replaces the header's box, before a fragment is written after it.
  mutating func replaceHeader(with box: MovieBox) {
    if let place = heads.firstIndex(where: { $0.type == MovieBox.movie }) { heads[place] = box }
  }

  private mutating func giveUp() {
    isLost = true
    waiting = []
    waitingBytes = MovieTables.usualFragmentBytes
  }

  /// Gives the samples of a run to the muxer, with their positions.
  private mutating func place(_ run: FragmentRun) -> Bool {
    guard waiting.indices.contains(run.stream), writeEmpty(of: run.stream),
      waiting[run.stream].count >= run.sizes.count
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

  /// Gives the muxer the packets without bytes that are next: no sample of a fragment, but they may bring what describes the
  /// track in the end, as FLAC's encoder does.
  private mutating func writeEmpty(of stream: Int) -> Bool {
    while let packet = waiting[stream].first, packet.pointer.pointee.size == 0 {
      guard av_write_frame(context.pointer, packet.pointer) >= 0 else { return false }
      waiting[stream].removeFirst()
    }
    return true
  }

  /// Returns the tables to put after the fragments at `end`, and the boxes that then become free
  /// space, in the order in which that is safe; nil if the file must stay in fragments.
  consuming func finish(at end: Int64) -> (tables: [UInt8], heads: [MovieBox])? {
    guard !isLost, waiting.indices.allSatisfy({ writeEmpty(of: $0) }),
      waiting.allSatisfy(\.isEmpty), looked == end, !heads.isEmpty,
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
