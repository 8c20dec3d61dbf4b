import FFmpegHandles
import Frames

/// Packets of sound that wait until it is known whether they are wanted.
struct PendingAudio {
  /// Seconds of sound that were left out because they end before the first picture; the most of any
  /// stream.
  private(set) var leftOut = Rational.zero

  /// Less than this between two packets is no end of sound; containers round, and do not all say how
  /// long a packet lasts.
  private static let longestHole = Rational(1, 10)

  /// Stored ahead of the first frame, until that is there.
  private var ahead: [CompressedPacket] = []
  /// Perhaps behind the last frame that is wanted, until that is known.
  private var behind: [CompressedPacket] = []
  /// What ends shortly before the first picture, by stream, until sound follows on it.
  private var runUp: [Int: [CompressedPacket]] = [:]
  private var leftOutOfStream: [Int: Rational] = [:]

  mutating func hold(aheadOfFirstFrame packet: CompressedPacket) { ahead.append(packet) }

  mutating func hold(_ packet: CompressedPacket) { behind.append(packet) }

  /// Forgets all; it will be read again.
  mutating func removeAll() { self = PendingAudio() }

  /// A packet of a part whose first frame is known: nothing if it is not wanted or has to wait, else
  /// the packet, with those before it that a decoder needs to begin with it.
  mutating func admit(_ packet: CompressedPacket, to part: SourceTrim) -> [CompressedPacket] {
    let stream = packet.streamIndex
    switch part.judge(soundAt: packet.time, duration: packet.duration) {
    case .leftOut: return []
    case .runUp: runUp[stream, default: []].append(packet)
    case .early: leaveOut([packet])
    case .wanted:
      guard let waiting = runUp.removeValue(forKey: stream), let last = waiting.last else {
        return [packet]
      }
      if packet.time - (last.time + last.duration) <= Self.longestHole { return waiting + [packet] }
      leaveOut(waiting)
      return [packet]
    }
    return []
  }

  private mutating func leaveOut(_ packets: [CompressedPacket]) {
    for packet in packets {
      let sum = (leftOutOfStream[packet.streamIndex] ?? .zero) + packet.duration
      leftOutOfStream[packet.streamIndex] = sum
      leftOut = max(leftOut, sum)
    }
  }

  /// No more comes: sound that ended before the first picture led to nothing.
  mutating func end() {
    for packets in runUp.values { leaveOut(packets) }
    runUp = [:]
  }

  /// What was stored ahead of the first frame, now that the part knows that frame.
  mutating func takeAhead(wantedBy part: SourceTrim) -> [CompressedPacket] {
    let packets = ahead
    ahead = []
    return packets.flatMap { admit($0, to: part) }
  }

  /// What starts before a time, or all, as far as it is wanted.
  mutating func take(before time: Rational?, wantedBy part: SourceTrim) -> [CompressedPacket] {
    guard !behind.isEmpty else { return [] }
    let isReleased = { (packet: CompressedPacket) in time.map { packet.time < $0 } ?? true }
    defer { behind.removeAll(where: isReleased) }
    return behind.filter {
      isReleased($0) && part.judge(soundAt: $0.time, duration: $0.duration) != .leftOut
    }
  }
}
