/// Says what is wrong with a file that cannot be opened because its end is missing.
enum CutFile {
  /// Says that a MOV or MP4 has lost its index, or is only a part of something; nil if it is another file, or has one.
  static func lostIndex(_ name: String) -> CaptureError? {
    guard let file = ISOFile(name) else { return nil }
    if file.isImage {
      guard !file.isCut else {
        return CaptureError("\(name) was cut off before its end; copy it again")
      }
      return CaptureError(
        "\(name) is a HEIF or AVIF image of a kind that this FFmpeg cannot read; convert it to PNG first"
      )
    }
    if file.isSegment {
      return CaptureError(
        """
        \(name) is a segment of a stream and cannot be read alone: give its playlist (.m3u8, .mpd), or \
        join it behind the init segment (cat)
        """)
    }
    let what: String
    switch file.index {
    case nil, .whole: return nil
    case .missing: what = "no moov atom"
    case .cut: what = "its moov atom is cut off"
    }
    return CaptureError(
      """
      \(name) has lost its index (\(what)): it was cut off before its end; copy it again, or try a tool that \
      rebuilds indexes, such as untrunc
      """)
  }

  static func endsInHeaders(_ name: String) -> CaptureError {
    CaptureError(
      "\(name) ends within its headers: it was cut off, and no frame of it can be found; copy it again"
    )
  }

  /// Whether a file begins as a Matroska, AVI, FLV, ASF, MXF or NUT file does, or is a MOV or MP4 that was cut off.
  static func hasKnownStart(_ path: String) -> Bool {
    guard let (head, _) = start(of: path), head.count >= 12 else { return false }
    return head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) || head.starts(with: "FLV".utf8)
      || head.starts(with: [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11])
      || head.starts(with: [0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05])
      || head.starts(with: "nut/multimedia".utf8) || ISOFile(path)?.isCut == true
      || head.starts(with: "RIFF".utf8) && head[8...].starts(with: "AVI ".utf8)
  }

  /// Whether a WAV, W64 or CAF says that it has more bytes than there are; FFmpeg does not tell.
  ///
  /// A program that could not go back to the beginning has written a size that means nothing.
  static func saysMoreThanItHas(_ path: String) -> Bool {
    guard let (head, size) = start(of: path), head.count >= 64 else { return false }
    func little(_ place: Int, _ count: Int) -> UInt64 {
      (0..<count).reduce(0) { $0 | UInt64(head[place + $1]) << UInt64(8 * $1) }
    }
    func big(_ place: Int, _ count: Int) -> UInt64 {
      (0..<count).reduce(0) { $0 << 8 | UInt64(head[place + $1]) }
    }
    if head.starts(with: "RIFF".utf8), head[8...].starts(with: "WAVE".utf8) {
      let said = little(4, 4)
      return said != 0xffff_ffff && said + 8 > size
    }
    if head.starts(with: "RF64".utf8), head[12...].starts(with: "ds64".utf8) {
      let said = little(20, 8)
      return said < 1 << 62 && said + 8 > size
    }
    // Its first chunk has the size of all, with its own head.
    if head.starts(with: "riff".utf8) { return little(16, 8) < 1 << 62 && little(16, 8) > size }
    guard head.starts(with: "caff".utf8) else { return false }
    var place = 8
    while place + 12 <= head.count {
      let said = big(place + 4, 8)
      if head[place...].starts(with: "data".utf8) {
        return said < 1 << 62 && UInt64(place) + 12 + said > size
      }
      guard said < UInt64(head.count) else { return false }
      place += 12 + Int(said)
    }
    return false
  }

  /// Whether a file ends without what its container ends with, which FFmpeg takes for an end; false for other containers.
  ///
  /// `part` reads this many bytes of what was read, from a place that depends on its size; nil if it cannot.
  static func lacksEnd(
    format: String, last packet: Range<Int>,
    part: (Int, (Int) -> Int) -> (bytes: [UInt8], size: UInt64)?
  ) -> Bool {
    switch format {
    case "yuv4mpegpipe":
      // A part of a frame.
      return part(0) { $0 }.map { packet.upperBound < Int($0.size) } ?? false
    case "gif":
      guard packet.upperBound > 0,
        let (rest, size) = part(packet.count + 65536, { _ in packet.lowerBound }),
        let hasEnd = GIFBlocks.haveEnd(rest)
      else { return false }
      return !hasEnd && packet.lowerBound + rest.count >= Int(size)
    case "ogg":
      // The last page is the last one of its stream, and says so (RFC 3533, 6). A page has 65,307 bytes at most.
      guard
        let (rest, _) = part(1 << 17, { max($0 - 1 << 17, 0) }),
        let page = rest.indices.dropLast(26).last(where: {
          rest[$0] == UInt8(ascii: "O") && rest[$0...].starts(with: "OggS\0".utf8)
        })
      else { return false }
      let lengths = rest[(page + 27)...].prefix(Int(rest[page + 26]))
      let end = lengths.reduce(page + 27 + Int(rest[page + 26])) { $0 + Int($1) }
      return rest[page + 5] & 4 == 0 || end > rest.count
    case "mpegts":
      // Packets of 188 bytes, each behind four more or before sixteen more in some files; the last one may be cut. Other bytes
      // may be marks too, but none comes again for so long; where two do, the one of a whole packet counts.
      guard let (rest, _) = part(1 << 16, { max($0 - 1 << 16, 0) }) else { return false }
      let last = [188, 192, 204].flatMap { size in
        rest.indices.suffix(size).filter { rest[$0] == 0x47 }.map { mark in
          (count: stride(from: mark, through: 0, by: -size).prefix { rest[$0] == 0x47 }.count, mark)
        }
      }
      guard let longest = last.map(\.count).max(), longest > 5 else { return false }
      return last.allSatisfy { $0.count < longest || rest.count - $0.1 < 188 }
    case "matroska,webm":
      return part(4096) { _ in 0 }.flatMap { head, size in
        MatroskaHead.end(head).map { $0 > size }
      } ?? false
    case "avi":
      // RIFF chunks behind each other (OpenDML), each with its size; one that was not completed has none.
      var place = 0
      while let (head, size) = part(12, { _ in place }), head.count == 12,
        head.starts(with: "RIFF".utf8)
      {
        let length = (4..<8).reversed().reduce(0) { $0 << 8 | Int(head[$1]) }
        guard length > 4 else { return false }
        place += 8 + length
        if place > size { return true }
      }
      return false
    case "flv":
      // The size of the last tag stands behind it (Adobe's specification, E.3).
      guard let (end, size) = part(4, { max($0 - 4, 0) }), end.count == 4 else { return false }
      let length = end.reduce(0) { $0 << 8 | Int($1) }
      // Some writers leave it out, or count the tag without its head.
      guard length > 0 else { return false }
      return ![0, 11].contains { head in
        guard length + head + 17 <= size, let (tag, _) = part(4, { $0 - 4 - length - head }),
          tag.count == 4, [8, 9, 18].contains(tag[0])
        else { return false }
        return tag[1...].reduce(0) { $0 << 8 | Int($1) } + 11 == length + head
      }
    case "apng":
      guard let (rest, _) = part(1 << 16, { max($0 - 1 << 16, 0) }) else { return false }
      // The last chunk has no data, and four bytes of checksum (PNG, 11.2.5).
      return !rest.indices.dropLast(7).contains {
        rest[$0] == 0x49 && rest[$0...].starts(with: "IEND".utf8)
      }
    default: return false
    }
  }

  /// Whether a Matroska file is as long as it says, and nothing but its index, tags and the like follows a packet's end, so
  /// that the packet is the last one whatever length the file states.
  static func isWholeMatroska(_ path: String, behind packet: Int) -> Bool {
    guard let (head, size) = start(of: path), let end = MatroskaHead.end(head), end <= size,
      // The rest of a BlockGroup may come before.
      let (rest, _) = part(of: path, 64, from: { _ in packet })
    else { return false }
    return rest.isEmpty
      || rest.indices.contains { place in
        MatroskaHead.idsBehindBlocks.contains { rest[place...].starts(with: $0) }
      }
  }

  /// The beginning of a regular file, and its size in bytes; nil if it cannot be read.
  static func start(of path: String) -> (head: [UInt8], size: UInt64)? {
    part(of: path, 8192) { _ in 0 }.map { (head: $0.bytes, size: $0.size) }
  }

  /// At most `length` bytes of a regular file from a place that depends on its size, and that size; nil if it cannot be read.
  static func part(
    of path: String, _ length: Int, from place: (Int) -> Int
  ) -> (bytes: [UInt8], size: UInt64)? {
    guard let file = RegularFile(path) else { return nil }
    var bytes = [UInt8](repeating: 0, count: length)
    let count = file.read(into: &bytes, count: length, at: place(file.size))
    return count >= 0 ? (Array(bytes[..<count]), UInt64(file.size)) : nil
  }
}

/// The beginning of a Matroska file (RFC 8794, 4 to 6).
private enum MatroskaHead {
  /// Cues, Tags, SeekHead, Attachments and Chapters (RFC 9559, 27.1).
  static let idsBehindBlocks: [[UInt8]] = [
    [0x1c, 0x53, 0xbb, 0x6b], [0x12, 0x54, 0xc3, 0x67], [0x11, 0x4d, 0x9b, 0x74],
    [0x19, 0x41, 0xa4, 0x69], [0x10, 0x43, 0xa7, 0x70],
  ]

  /// Where the segment ends, in bytes; nil if it does not say so, as one that was not completed, or if this is another file.
  static func end(_ bytes: [UInt8]) -> UInt64? {
    guard bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]), let head = size(bytes, at: 4),
      case let segment = head.next + Int(clamping: head.value), segment < bytes.count,
      bytes[segment...].starts(with: [0x18, 0x53, 0x80, 0x67]),
      let length = size(bytes, at: segment + 4)
    else { return nil }
    return UInt64(length.next) + length.value
  }

  /// Reads a size, whose first byte says how many follow; nil if it is unknown, or not whole.
  private static func size(_ bytes: [UInt8], at place: Int) -> (value: UInt64, next: Int)? {
    guard place < bytes.count, bytes[place] != 0 else { return nil }
    let length = bytes[place].leadingZeroBitCount + 1
    guard place + length <= bytes.count else { return nil }
    let mask = UInt64(1) << UInt64(7 * length) - 1
    let value = bytes[place..<place + length].reduce(0) { $0 << 8 | UInt64($1) } & mask
    return value == mask ? nil : (value, place + length)
  }
}

/// The blocks of a GIF (GIF89a specification, 17 to 27), from its beginning or from that of one.
private enum GIFBlocks {
  /// Whether the mark of the end stands behind whole blocks; nil if something else does, as in a damaged file.
  static func haveEnd(_ bytes: [UInt8]) -> Bool? {
    var place = 0
    func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
    func skipParts() {
      while place < bytes.count, bytes[place] != 0 { place += 1 + Int(bytes[place]) }
      place += 1
    }
    if bytes.starts(with: "GIF8".utf8), bytes.count > 13 { place = 13 + table(bytes[10]) }
    while place < bytes.count {
      switch bytes[place] {
      case 0x3B: return true
      case 0: place += 1
      case 0x21:
        place += 2
        skipParts()
      case 0x2C:
        guard place + 9 < bytes.count else { return false }
        place += 11 + table(bytes[place + 9])
        skipParts()
      default: return nil
      }
    }
    return false
  }
}
