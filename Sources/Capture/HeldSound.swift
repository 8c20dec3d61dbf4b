import FFmpegHandles
import Frames

/// Packets of sound that wait until it is known whether they are wanted.
struct HeldSound {
  /// Stored ahead of the first frame, until that is there.
  private var ahead: [CompressedPacket] = []
  /// Perhaps behind the last frame that is wanted, until that is known.
  private var behind: [CompressedPacket] = []

  mutating func hold(aheadOfFirstFrame packet: CompressedPacket) { ahead.append(packet) }

  mutating func hold(_ packet: CompressedPacket) { behind.append(packet) }

  /// Forgets all; it will be read again.
  mutating func removeAll() {
    ahead = []
    behind = []
  }

  /// What was stored ahead of the first frame, now that the part knows that frame.
  mutating func takeAhead(wantedBy part: SourcePart) -> [CompressedPacket] {
    defer { ahead = [] }
    return ahead.filter { part.wants(soundAt: $0.time, duration: $0.duration) }
  }

  /// What starts before a time, or all, as far as it is wanted.
  mutating func take(before time: Rational?, wantedBy part: SourcePart) -> [CompressedPacket] {
    guard !behind.isEmpty else { return [] }
    let isReleased = { (packet: CompressedPacket) in time.map { packet.time < $0 } ?? true }
    defer { behind.removeAll(where: isReleased) }
    return behind.filter {
      isReleased($0) && part.wants(soundAt: $0.time, duration: $0.duration)
    }
  }
}
