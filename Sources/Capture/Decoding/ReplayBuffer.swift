import CFFmpeg
import FFmpegHandles
import Frames

/// The packets that another decoder needs to take over: those since a key frame, by reference.
///
/// A frame is known by the number of its packet. The frames of packets that are no longer kept were all given.
struct ReplayBuffer {
  /// A packet of the video, with its number.
  typealias Kept = (packet: HeldPacket, number: Int64)

  /// The packets from a key frame up to the next one.
  private struct Group {
    let key: Int64
    var packets: [Kept] = []
    /// Whether the key frame itself was given, and with it, in the order of presentation, all frames that need
    /// earlier groups.
    var isGiven = false
    /// Whether some of its packets are not kept.
    var isCut = false
  }

  private var groups: [Group] = []
  private var count = 0
  private var byteCount = 0
  /// Whether frames may be missing that need packets before the first group.
  private var isCut = false

  private static let mostPackets = 600
  private static let mostBytes = 64 << 20

  /// Keeps the packet that is sent next; its number is greater than those before it.
  mutating func add(_ packet: UnsafePointer<AVPacket>, number: Int64) throws(FFmpegError) {
    if groups.isEmpty || packet.pointee.flags & AV_PKT_FLAG_KEY != 0 {
      groups.append(Group(key: number))
    }
    let last = groups.count - 1
    guard !groups[last].isCut else { return }
    let held = try HeldPacket()
    try check(av_packet_ref(held.pointer, packet), "av_packet_ref", "a packet")
    groups[last].packets.append((held, number))
    count += 1
    byteCount += Int(packet.pointee.size)
    while count > Self.mostPackets || byteCount > Self.mostBytes {
      guard groups.count > 1 else {
        removePackets(ofGroup: 0)
        groups[0].isCut = true
        break
      }
      removeFirst()
    }
  }

  /// Notes that the frame of a packet was given; returns the number of the first packet that is kept, if it has changed.
  ///
  /// The group before the one that is being given stays too: with intra refresh the picture is whole only some frames after
  /// a key frame.
  mutating func give(_ number: Int64) -> Int64? {
    guard let place = groups.firstIndex(where: { $0.key == number }) else { return nil }
    groups[place].isGiven = true
    if place == 0 { isCut = false }
    guard place > 1 else { return nil }
    for _ in 0..<place - 1 { removeFirst() }
    return groups[0].key
  }

  /// Forgets everything, because reading continues at another place.
  mutating func removeAll() { self = ReplayBuffer() }

  /// All kept packets in their order; nil if packets are missing that frames need which were not given.
  var all: [Kept]? {
    guard !isCut, !groups.contains(where: \.isCut) else { return nil }
    return groups.flatMap(\.packets)
  }

  private mutating func removeFirst() {
    removePackets(ofGroup: 0)
    groups.removeFirst()
    // Unless the next key frame was given, frames that need the removed packets may not be given yet.
    isCut = !groups[0].isGiven
  }

  private mutating func removePackets(ofGroup place: Int) {
    count -= groups[place].packets.count
    byteCount -= groups[place].packets.reduce(0) { $0 + Int($1.packet.pointer.pointee.size) }
    groups[place].packets = []
  }
}
