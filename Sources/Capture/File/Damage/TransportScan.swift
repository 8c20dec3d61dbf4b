/// Looks for lost packets in a transport stream that is a file: FFmpeg skips them, and reports it only in messages
/// for its developers.
///
/// It checks the counters of each stream's packets (ISO/IEC 13818-1, 2.4.3.3): they go up by one. Where recordings were
/// joined, they begin again, and so does the list of programs, which is no loss.
///
/// Used by one thread.
final class TransportScan {
  /// What is known of the packets with one number (PID).
  private struct Stream {
    var counter: UInt8
    var hasRepeated = false
    /// Number of packets whose counters went up as they should, since one that did not.
    var inOrder = 0
  }

  private let file: RegularFile
  /// Bytes from one packet to the next, and of a packet before its first byte of synchronisation.
  private let size: Int
  private let lead: Int
  /// The place of the next packet.
  private var place: Int
  /// The numbers of the streams whose losses count.
  private let wanted: Set<Int>
  private var streams: [Int: Stream] = [:]
  /// Numbers of streams that had no packet since the list of programs came, and since bytes were found that are no packet.
  private var listed: Set<Int> = []
  private var broken: Set<Int> = []
  private var buffer: [UInt8]
  /// Whether the file ends within a packet, once it was looked at up to its end.
  private(set) var isCut = false

  /// The byte that begins a packet.
  private static let mark: UInt8 = 0x47
  private static let packet = 188
  /// So many packets show that the counters of a stream mean something: some programs write any number.
  private static let trusted = 3

  /// Opens a file; nil if it is none, or if it does not begin with whole packets.
  init?(_ path: String, streams: [Int]) {
    guard let file = RegularFile(path) else { return nil }
    var head = [UInt8](repeating: 0, count: 204 * 4)
    let count = file.read(into: &head, count: head.count, at: 0)
    // As it is, with the time before each packet (M2TS), and with the bytes behind it that mend it.
    let kinds = [(188, 0), (192, 4), (204, 0)]
    guard
      let kind = kinds.first(where: { kind in
        (0..<4).allSatisfy {
          let place = $0 * kind.0 + kind.1
          return place < count && head[place] == Self.mark
        }
      })
    else { return nil }
    self.file = file
    (size, lead) = kind
    place = 0
    wanted = Set(streams)
    buffer = [UInt8](repeating: 0, count: size * 1024)
  }

  /// Goes to another packet of the file, after a seek.
  func go(to place: Int) {
    self.place = max(place - lead, 0)
    (streams, listed, broken) = ([:], [], [])
  }

  /// Returns how often packets of a wanted stream are missing or damaged before a place; nil for the end of the file.
  func losses(before end: Int?) -> Int {
    var losses = 0
    while end.map({ place < $0 - lead }) ?? true {
      // Some packets more show whether packets begin elsewhere.
      let room = end.map { min(buffer.count, $0 - place + 4 * size) } ?? buffer.count
      let count = file.read(into: &buffer, count: room, at: place)
      guard count >= lead + Self.packet else {
        // Anything else is behind the stream.
        isCut = end == nil && count > lead && buffer[lead] == Self.mark
        break
      }
      var offset = 0
      while offset + lead + Self.packet <= count, end.map({ place < $0 - lead }) ?? true {
        if buffer[offset + lead] == Self.mark {
          if isLoss(at: offset + lead) { losses += 1 }
          offset += size
          place += size
        } else {
          for number in streams.keys { broken.insert(number) }
          let step = nextPacket(from: offset, count: count)
          offset += step
          place += step
        }
      }
    }
    return losses
  }

  /// Returns how far the next packet is: a whole packet further, unless three marks show that packets begin elsewhere.
  private func nextPacket(from offset: Int, count: Int) -> Int {
    guard offset + 4 * size <= count else { return size }
    let begins = (1..<size).first { step in
      (0..<3).allSatisfy { buffer[offset + step + lead + $0 * size] == Self.mark }
    }
    return begins ?? size
  }

  /// Notes a packet; whether packets before it are missing, or it is marked as damaged.
  private func isLoss(at start: Int) -> Bool {
    let number = Int(buffer[start + 1] & 0x1f) << 8 | Int(buffer[start + 2])
    if number == 0 { for number in streams.keys { listed.insert(number) } }
    guard wanted.contains(number) else { return false }
    if buffer[start + 1] & 0x80 != 0 { return true }
    let (control, counter) = (buffer[start + 3] >> 4 & 3, buffer[start + 3] & 0xf)
    // A packet without content does not count.
    guard control & 1 != 0 else { return false }
    let beginsAnew =
      control & 2 != 0 && buffer[start + 4] > 0 && buffer[start + 5] & 0x80 != 0
    let beginsContent = buffer[start + 1] & 0x40 != 0
    let (isListed, isBroken) = (listed.contains(number), broken.contains(number))
    let last = streams[number]
    defer {
      listed.remove(number)
      broken.remove(number)
    }
    if let last, last.counter == counter, !last.hasRepeated, !isBroken {
      // A packet may come twice.
      streams[number]?.hasRepeated = true
      return false
    }
    streams[number] = Stream(counter: counter)
    guard let last, !beginsAnew else { return false }
    guard (last.counter + 1) & 0xf != counter else {
      streams[number]?.inOrder = last.inOrder + 1
      return false
    }
    return isBroken || last.inOrder >= Self.trusted && !(isListed && beginsContent)
  }
}
