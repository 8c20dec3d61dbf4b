import Glibc

/// A box in a MOV or MP4 file (ISO/IEC 14496-12, 4.2).
struct MovieBox {
  let type: UInt32
  /// Start of the box in the file, and its size with its head, in bytes.
  let position: Int64
  let size: Int64

  static let movie = fourCharacters("moov")
  static let fragment = fourCharacters("moof")
  static let free = fourCharacters("free")
  private static let data = fourCharacters("mdat")

  /// Position of the box's type in the file.
  var typePosition: Int64 { position + 4 }

  /// Returns the complete boxes between two positions of a file, in order.
  static func boxes(of file: Int32, from start: Int64, to end: Int64) -> [MovieBox] {
    var boxes: [MovieBox] = []
    var position = start
    while position + 8 <= end, let head = bytes(of: file, at: position, count: 8) {
      var size = Int64(head.bigEndian32(0))
      if size == 1, let long = bytes(of: file, at: position + 8, count: 8) {
        size = Int64(long.bigEndian32(0)) << 32 | Int64(long.bigEndian32(4))
      }
      guard size >= 8, size <= end - position else { break }
      boxes.append(MovieBox(type: head.bigEndian32(4), position: position, size: size))
      position += size
    }
    return boxes
  }

  func children(of file: Int32) -> [MovieBox] {
    MovieBox.boxes(of: file, from: position + 8, to: position + size)
  }

  /// Returns the box at a path of types inside this one, such as "mdia/minf".
  func child(_ path: [StaticString], of file: Int32) -> MovieBox? {
    path.reduce(self as MovieBox?) { box, name in
      box?.children(of: file).first { $0.type == MovieBox.fourCharacters(name) }
    }
  }

  /// Whether a file contains more than a header: a box of samples, complete or begun, that is not
  /// empty.
  static func holdsSamples(_ file: Int32, size: Int64) -> Bool {
    let whole = boxes(of: file, from: 0, to: size)
    // In a file without fragments, the size of the samples is written last.
    let rest = whole.last.map { $0.position + $0.size } ?? 0
    guard !whole.contains(where: { $0.type == data && $0.size > 8 }) else { return true }
    guard let head = bytes(of: file, at: rest, count: 8) else { return false }
    return head.bigEndian32(4) == data && size > rest + 8
  }

  /// Where the whole boxes end of a movie with fragments that ends within the header of another one; nil of any other
  /// file.
  static func endBeforeCutFragment(_ file: Int32, size: Int64) -> Int64? {
    let whole = boxes(of: file, from: 0, to: size)
    guard whole.contains(where: { $0.type == movie }),
      whole.contains(where: { $0.type == fragment }),
      let last = whole.last, case let end = last.position + last.size, end < size
    else { return nil }
    // Less than a type, or the head of a fragment.
    guard let head = bytes(of: file, at: end, count: 8) else { return end }
    return head.bigEndian32(4) == fragment ? end : nil
  }

  /// Returns the bytes of the box with its head; nil if they cannot be read.
  func contents(of file: Int32) -> [UInt8]? {
    MovieBox.bytes(of: file, at: position, count: Int(size))
  }

  static func bytes(of file: Int32, at position: Int64, count: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let base = buffer.baseAddress {
        let read = pread(file, base + filled, count - filled, off_t(position) + off_t(filled))
        if read <= 0 {
          if read < 0, errno == EINTR { continue }
          break
        }
        filled += read
      }
    }
    return bytes.count == count ? bytes : nil
  }

  /// Returns types and contents of the complete boxes in a range of bytes, in order.
  static func children(
    of bytes: [UInt8], _ range: Range<Int>
  ) -> [(type: String, body: Range<Int>)] {
    var found: [(type: String, body: Range<Int>)] = []
    var place = range.lowerBound
    while place + 8 <= range.upperBound {
      let size = Int(bytes.bigEndian32(place))
      guard size >= 8, place + size <= range.upperBound else { break }
      let type = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      found.append((type, place + 8..<place + size))
      place += size
    }
    return found
  }

  static func fourCharacters(_ text: StaticString) -> UInt32 {
    text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }
}

/// The position of one track's samples in a fragment.
struct FragmentRun: Equatable {
  /// Stream index; libavformat numbers tracks from 1 in the order of the streams.
  let stream: Int
  /// Position of the first sample in the file, in bytes; the others follow it.
  let position: Int64
  let sizes: [Int]
}

extension FragmentRun {
  /// The largest number of samples of one run; a fragment of some seconds has thousands.
  private static let mostSamples = 1 << 20

  /// Returns the runs of a complete `moof` box that starts at `position` of its file; nil if it is
  /// not as libavformat writes it with `default_base_moof` (ISO/IEC 14496-12, 8.8.7 and 8.8.8).
  static func runs(ofFragment bytes: [UInt8], at position: Int64) -> [FragmentRun]? {
    var runs: [FragmentRun] = []
    guard bytes.count >= 8 else { return nil }
    for track in MovieBox.children(of: bytes, 8..<bytes.count) where track.type == "traf" {
      var stream: Int?
      var usualSize = 0
      for box in MovieBox.children(of: bytes, track.body) {
        var reader = FieldReader(bytes: bytes, place: box.body.lowerBound, end: box.body.upperBound)
        let flags = reader.next() & 0xff_ffff
        switch box.type {
        case "tfhd":
          stream = Int(reader.next()) - 1
          // libavformat writes neither an explicit base, nor a missing one with the old meaning.
          guard flags & 0x2_0001 == 0x2_0000 else { return nil }
          if flags & 0x02 != 0 { _ = reader.next() }
          if flags & 0x08 != 0 { _ = reader.next() }
          if flags & 0x10 != 0 { usualSize = Int(reader.next()) }
        case "trun":
          let count = Int(reader.next())
          // Samples of one size take no bytes here, so that a damaged number could be any.
          guard let stream, flags & 0x1 != 0, count <= mostSamples else { return nil }
          let start = position + Int64(reader.next())
          if flags & 0x4 != 0 { _ = reader.next() }
          var sizes: [Int] = []
          sizes.reserveCapacity(count)
          for _ in 0..<count {
            if flags & 0x100 != 0 { _ = reader.next() }
            sizes.append(flags & 0x200 != 0 ? Int(reader.next()) : usualSize)
            if flags & 0x400 != 0 { _ = reader.next() }
            if flags & 0x800 != 0 { _ = reader.next() }
          }
          guard !reader.isPastEnd else { return nil }
          runs.append(FragmentRun(stream: stream, position: start, sizes: sizes))
        default: break
        }
      }
    }
    return runs
  }
}

/// Reads consecutive 32-bit fields.
private struct FieldReader {
  let bytes: [UInt8]
  var place: Int
  let end: Int
  private(set) var isPastEnd = false

  mutating func next() -> UInt32 {
    guard place + 4 <= end else {
      isPastEnd = true
      return 0
    }
    defer { place += 4 }
    return bytes.bigEndian32(place)
  }
}

extension [UInt8] {
  func bigEndian32(_ place: Int) -> UInt32 {
    self[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
