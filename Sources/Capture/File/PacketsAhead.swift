import CFFmpeg
import FFmpegHandles

/// Packets that are read before they are asked for, to learn from them what their streams are.
///
/// Used by one thread at a time.
final class PacketsAhead {
  private var packets: ArraySlice<Held> = []
  /// FFmpeg's code, where it has given that in place of another packet.
  private var end: Int32?

  private final class Held {
    let packet: AVPacketHandle
    init() throws(FFmpegError) { packet = try AVPacketHandle() }
  }

  /// More than libavformat has read by itself to find what streams there are (its `probesize`).
  private static let mostBytes = 8_000_000

  /// What the ADTS headers of AAC tell of its streams, which stands nowhere else.
  ///
  /// libavformat knows of these streams, so it holds a packet of each already.
  ///
  /// - Parameters:
  ///   - streams: The numbers of the streams that are wanted.
  ///   - context: The open container that holds them.
  /// - Returns: An AudioSpecificConfig for each that has one.
  /// - Throws: Where there is no memory.
  func configurations(
    of streams: [Int32], in context: UnsafeMutablePointer<AVFormatContext>
  ) throws(FFmpegError) -> [Int32: [UInt8]] {
    var awaited = Set(
      streams.filter { number in
        guard let parameters = context.pointee.streams[Int(number)]?.pointee.codecpar else {
          return false
        }
        return parameters.pointee.codec_id == AV_CODEC_ID_AAC
          && parameters.pointee.extradata_size == 0 && parameters.pointee.sample_rate > 0
      })
    var found: [Int32: [UInt8]] = [:]
    var size = 0
    while !awaited.isEmpty, end == nil, size < PacketsAhead.mostBytes {
      let held = try Held()
      let result = av_read_frame(context, held.packet.pointer)
      guard result >= 0 else {
        end = result
        break
      }
      packets.append(held)
      let packet = held.packet.pointer
      size += Int(packet.pointee.size)
      guard awaited.remove(packet.pointee.stream_index) != nil,
        let stream = context.pointee.streams[Int(packet.pointee.stream_index)]
      else { continue }
      found[packet.pointee.stream_index] = try ADTSHeaders.configuration(
        packet, of: stream.pointee.codecpar)
    }
    return found
  }

  /// Gives the next of them, 0, or what FFmpeg has said behind them; nil where there is no more.
  func read(into target: borrowing AVPacketHandle) -> Int32? {
    if let next = packets.popFirst() {
      av_packet_move_ref(target.pointer, next.packet.pointer)
      return 0
    }
    return end.take()
  }

  /// Reading goes on at another place.
  func removeAll() { (packets, end) = ([], nil) }
}
