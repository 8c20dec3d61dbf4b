import CFFmpeg
import FFmpegHandles
import Frames

/// Compressed frames that wait until the audio of their time was read, for effects that use both, and for players.
///
/// A container may store this audio after the frames, by a fragment's length or more.
struct FramesBehindAudio {
  /// Seconds of audio after a frame's time that come before it too.
  private let lead: Rational
  private var packets: ArraySlice<(packet: HeldPacket, time: Rational?)> = []
  private var byteCount = 0
  /// The latest timestamp among the packets, in seconds.
  private var latest: Rational?

  /// Most bytes to keep, even if the audio has not come: some seconds of the largest video files.
  private static let mostBytes = 64 << 20

  init(lead: Rational = .zero) { self.lead = lead }

  /// Takes the content of a packet, and leaves the packet blank.
  mutating func add(
    moving packet: UnsafeMutablePointer<AVPacket>, time: Rational?
  ) throws(FFmpegError) {
    let held = try HeldPacket()
    byteCount += Int(packet.pointee.size)
    latest = [latest, time].compactMap(\.self).max()
    av_packet_move_ref(held.pointer, packet)
    packets.append((held, time))
  }

  /// Moves the next packet into a blank one, if its audio was read or is not expected; returns whether one was moved.
  ///
  /// All audio was read up to the time `reach`, which is nil if there is none to wait for.
  mutating func take(
    into target: borrowing AVPacketHandle, reach: Rational?, isOver: Bool
  ) -> Bool {
    guard let first = packets.first else { return false }
    if !isOver, let reach, let time = first.time, reach < time + lead, byteCount < Self.mostBytes,
      let latest, latest - time < AudioProgress.longestLag
    {
      return false
    }
    packets.removeFirst()
    byteCount -= Int(first.packet.pointer.pointee.size)
    av_packet_move_ref(target.pointer, first.packet.pointer)
    return true
  }

  /// Forgets all packets, because reading continues at another place.
  mutating func removeAll() { self = FramesBehindAudio(lead: lead) }
}
