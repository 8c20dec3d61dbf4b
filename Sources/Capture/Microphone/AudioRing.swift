/// The newest samples of a device, by their position in its count.
///
/// This is a ring that grows while its content has to wait. A frame is one sample of every channel, as
/// the device gives it. Used by one thread.
final class AudioRing {
  /// The positions of the stored frames.
  private(set) var known: Range<Int64> = 0..<0

  private let frameBytes: Int
  private var memory: UnsafeMutableRawPointer
  /// Capacity in frames; a power of two.
  private var capacity: Int
  private let largest: Int

  /// Makes an empty store; `capacity` and `largest`, in frames, are powers of two.
  init(frameBytes: Int, capacity: Int = 1 << 17, largest: Int = 1 << 24) {
    self.frameBytes = frameBytes
    self.capacity = capacity
    self.largest = largest
    memory = .allocate(byteCount: capacity * frameBytes, alignment: 16)
  }

  deinit { memory.deallocate() }

  /// Appends frames, or silence for nil; if there is too little room, the oldest frames are dropped.
  func append(_ bytes: UnsafeRawPointer?, count: Int) {
    precondition(count <= largest)
    reserve(known.count + count)
    var done = 0
    while done < count {
      let slot = Int(known.upperBound & Int64(capacity - 1))
      let piece = min(count - done, capacity - slot)
      let target = memory + slot * frameBytes
      if let bytes {
        target.copyMemory(from: bytes + done * frameBytes, byteCount: piece * frameBytes)
      } else {
        // Zero is silence in every format.
        target.initializeMemory(as: UInt8.self, repeating: 0, count: piece * frameBytes)
      }
      known = known.lowerBound..<known.upperBound + Int64(piece)
      done += piece
    }
    forget(before: known.upperBound - Int64(capacity))
  }

  /// Drops frames before a position.
  func forget(before place: Int64) {
    guard place > known.lowerBound else { return }
    known = min(place, known.upperBound)..<known.upperBound
  }

  /// Drops all frames, and continues at a later position.
  func skip(to place: Int64) {
    precondition(place >= known.upperBound)
    known = place..<place
  }

  /// Returns frames from a known position on, as far as they are adjacent in memory.
  func frames(from place: Int64, atMost count: Int) -> UnsafeRawBufferPointer {
    precondition(known.contains(place))
    let slot = Int(place & Int64(capacity - 1))
    let piece = min(count, capacity - slot, Int(known.upperBound - place))
    return UnsafeRawBufferPointer(start: memory + slot * frameBytes, count: piece * frameBytes)
  }

  private func reserve(_ count: Int) {
    var wanted = capacity
    while wanted < count, wanted < largest { wanted *= 2 }
    guard wanted > capacity else { return }
    let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted * frameBytes, alignment: 16)
    var place = known.lowerBound
    while place < known.upperBound {
      let piece = frames(from: place, atMost: wanted - Int(place & Int64(wanted - 1)))
      if let base = piece.baseAddress {
        (larger + Int(place & Int64(wanted - 1)) * frameBytes)
          .copyMemory(from: base, byteCount: piece.count)
      }
      place += Int64(piece.count / frameBytes)
    }
    memory.deallocate()
    memory = larger
    capacity = wanted
  }
}
