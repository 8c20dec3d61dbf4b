import CFFmpeg
import FFmpegHandles
import Frames

/// Coded pictures that wait until the sound of their time was read, for those who hear it while they see
/// them: a container may store it behind them, by a fragment's length or more.
struct FramesBehindAudio {
  private final class Held {
    let packet: AVPacketHandle
    let time: Rational?

    init(_ time: Rational?) throws(FFmpegError) {
      packet = try AVPacketHandle()
      self.time = time
    }
  }

  private var packets: ArraySlice<Held> = []
  private var byteCount = 0
  /// The latest time among them.
  private var latest: Rational?

  /// More is not kept, whatever the sound is: some seconds of the largest films.
  private static let mostBytes = 64 << 20

  /// Takes over a packet, and leaves it blank.
  mutating func add(
    moving packet: UnsafeMutablePointer<AVPacket>, time: Rational?
  ) throws(FFmpegError) {
    let held = try Held(time)
    byteCount += Int(packet.pointee.size)
    latest = [latest, time].compactMap(\.self).max()
    av_packet_move_ref(held.packet.pointer, packet)
    packets.append(held)
  }

  /// Moves the next packet into a blank one where its sound was read, or is not to be expected.
  ///
  /// - Parameters:
  ///   - target: Receives the packet.
  ///   - reach: Until when all sound was read, in seconds; nil where there is none to wait for.
  ///   - isOver: No more comes of anything.
  /// - Returns: Whether there was one.
  mutating func take(
    into target: borrowing AVPacketHandle, reach: Rational?, isOver: Bool
  ) -> Bool {
    guard let first = packets.first else { return false }
    if !isOver, let reach, let time = first.time, reach < time, byteCount < Self.mostBytes,
      let latest, latest - time < AudioProgress.longestLag
    {
      return false
    }
    packets.removeFirst()
    byteCount -= Int(first.packet.pointer.pointee.size)
    av_packet_move_ref(target.pointer, first.packet.pointer)
    return true
  }

  /// Reading goes on at another place.
  mutating func removeAll() { self = FramesBehindAudio() }
}
