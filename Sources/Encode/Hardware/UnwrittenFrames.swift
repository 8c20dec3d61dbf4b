import CFFmpeg
import FFmpegHandles
import Frames

/// The frames that an encoder on hardware was sent, until their packets are written: if it fails, another one encodes
/// them.
///
/// Packets come in decoding order. They wait until those of all frames before them have come, so that what is written
/// ends at one moment.
struct UnwrittenFrames {
  /// A packet that may be written.
  final class Held {
    let packet: AVPacketHandle
    fileprivate let ticks: Int64

    /// Takes the content of a packet, and leaves the packet blank.
    fileprivate init(moving packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
      self.packet = try AVPacketHandle()
      ticks = packet.pointee.pts
      av_packet_move_ref(self.packet.pointer, packet)
    }
  }

  /// More frames than any hardware holds; one that gives no packet for so long has failed.
  static let most = 120

  private var sent: [(ticks: Int64, frame: Frame)] = []
  private var packets: [Held] = []

  /// Frames whose packets were not written, in their order.
  var frames: [Frame] { sent.map(\.frame) }

  /// The time of the first of them; nil if there is none.
  var first: Rational? { sent.first?.frame.time }

  mutating func enter(_ frame: Frame, ticks: Int64) { sent.append((ticks, frame)) }

  /// Takes a packet and leaves it blank; returns the packets that may be written now, and their frames in the order of
  /// presentation.
  mutating func take(
    _ packet: UnsafeMutablePointer<AVPacket>
  ) throws(FFmpegError) -> (packets: [Held], frames: [(ticks: Int64, frame: Frame)]) {
    packets.append(try Held(moving: packet))
    let newest = packets.map(\.ticks).max() ?? 0
    let waiting = sent.prefix { $0.ticks <= newest }
    guard waiting.count == packets.count else { return ([], []) }
    let ready = (packets, Array(waiting))
    packets = []
    sent.removeFirst(waiting.count)
    return ready
  }
}
