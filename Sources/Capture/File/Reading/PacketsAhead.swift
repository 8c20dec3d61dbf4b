import CFFmpeg
import FFmpegHandles

/// Packets that are read early, because they describe their streams.
///
/// Used by one thread at a time.
final class PacketsAhead {
  private var packets: ArraySlice<HeldPacket> = []
  /// FFmpeg's end or error code, if a read returned it instead of a packet.
  private var end: Int32?

  /// Most bytes to read: more than libavformat itself reads to find the streams (its `probesize`).
  private static let mostBytes = 8_000_000

  /// Returns the AudioSpecificConfig of each stream that has ADTS headers, which say it alone.
  ///
  /// libavformat knows these streams, so it already holds a packet of each one.
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
      let held = try HeldPacket()
      let result = av_read_frame(context, held.pointer)
      guard result >= 0 else {
        end = result
        break
      }
      packets.append(held)
      let packet = held.pointer
      size += Int(packet.pointee.size)
      guard awaited.remove(packet.pointee.stream_index) != nil,
        let stream = context.pointee.streams[Int(packet.pointee.stream_index)]
      else { continue }
      found[packet.pointee.stream_index] = try ADTSHeaders.configuration(
        packet, of: stream.pointee.codecpar)
    }
    return found
  }

  /// Moves the next packet and returns 0, or returns FFmpeg's code that came after them; nil if nothing
  /// is left.
  func read(into target: borrowing AVPacketHandle) -> Int32? {
    if let next = packets.popFirst() {
      av_packet_move_ref(target.pointer, next.pointer)
      return 0
    }
    return end.take()
  }

  /// Forgets all packets, because reading continues at another place.
  func removeAll() { (packets, end) = ([], nil) }
}

/// A packet that an array can hold; blank at first.
final class HeldPacket {
  private let packet: AVPacketHandle
  var pointer: UnsafeMutablePointer<AVPacket> { packet.pointer }

  init() throws(FFmpegError) { packet = try AVPacketHandle() }
}
