import FFmpegHandles
import Frames

/// Audio packets that wait until it is known whether they are wanted.
struct PendingAudio {
  /// Seconds that players play before the first frame and that no output has; the most of any stream.
  ///
  /// Less than a decoder may need to start says nothing: such audio is seldom more than silence.
  var leftOut: Rational {
    let most = earlyOfStream.values.max() ?? .zero
    return most > Self.usualLead ? most : .zero
  }

  /// More than what most encoders put before the first sample, in seconds.
  private static let usualLead = Rational(1, 20)

  /// A shorter hole between two packets, in seconds, does not interrupt the audio.
  ///
  /// Containers round timestamps, and some do not give a packet's duration.
  private static let longestHole = Rational(1, 10)

  /// Packets stored before the first frame, kept until that frame is there.
  private var ahead: [CompressedPacket] = []
  /// Packets that may come after the last wanted frame, kept until that is known.
  private var behind: [CompressedPacket] = []
  /// Packets that end shortly before the first frame, by stream, kept until audio follows them.
  private var runUp: [Int: [CompressedPacket]] = [:]
  /// How much of the audio of each stream is played before the first frame, in seconds.
  private var earlyOfStream: [Int: Rational] = [:]

  mutating func hold(aheadOfFirstFrame packet: CompressedPacket) { ahead.append(packet) }

  mutating func hold(_ packet: CompressedPacket) { behind.append(packet) }

  /// Forgets all packets; they will be read again.
  mutating func removeAll() { self = PendingAudio() }

  /// Decides about a packet of a part whose first frame is known.
  ///
  /// Returns nothing if the packet is unwanted or must wait; else the packet, after the earlier packets
  /// that a decoder needs to start with it.
  mutating func admit(_ packet: CompressedPacket, to part: SourceTrim) -> [CompressedPacket] {
    let stream = packet.streamIndex
    switch part.judge(audioAt: packet.time, duration: packet.duration) {
    case .leftOut: return []
    case .runUp:
      note(early: packet, before: part.beginning)
      runUp[stream, default: []].append(packet)
    case .early: note(early: packet, before: part.beginning)
    case .wanted:
      if part.offset == nil { note(early: packet, before: part.beginning) }
      guard let waiting = runUp.removeValue(forKey: stream), let last = waiting.last else {
        return [packet]
      }
      return packet.time - (last.time + last.duration) <= Self.longestHole
        ? waiting + [packet] : [packet]
    }
    return []
  }

  /// Counts how much of a packet players play before the first frame.
  private mutating func note(early packet: CompressedPacket, before first: Rational?) {
    guard let first, packet.time < first, !packet.isHidden else { return }
    let early = min(packet.duration, first - packet.time)
    earlyOfStream[packet.streamIndex] = (earlyOfStream[packet.streamIndex] ?? .zero) + early
  }

  /// Ends the stream: waiting audio that ended before the first frame is left out.
  mutating func end() { runUp = [:] }

  /// Returns the wanted packets that were stored before the first frame, once the part knows that frame.
  mutating func takeAhead(wantedBy part: SourceTrim) -> [CompressedPacket] {
    let packets = ahead
    ahead = []
    return packets.flatMap { admit($0, to: part) }
  }

  /// Returns the wanted packets that start before a time, or with nil all wanted packets.
  mutating func take(before time: Rational?, wantedBy part: SourceTrim) -> [CompressedPacket] {
    guard !behind.isEmpty else { return [] }
    let isReleased = { (packet: CompressedPacket) in time.map { packet.time < $0 } ?? true }
    defer { behind.removeAll(where: isReleased) }
    return behind.filter {
      isReleased($0) && part.judge(audioAt: $0.time, duration: $0.duration) != .leftOut
    }
  }
}
