import Frames

/// What a still AVIF or HEIF says beside its pixels: FFmpeg reads the pixels only.
///
/// The boxes are those of ISO/IEC 14496-12, 8.11, and ISO/IEC 23008-12, 6.5. What is not understood is left out.
struct PictureItems {
  private(set) var profile: PictureProfile?
  private(set) var photo = PhotoData()
  /// How the picture is turned upright; EXIF's orientation has no meaning in such a file.
  private(set) var orientation = Orientation.upright

  /// The boxes of a larger file are not searched.
  private static let mostBytes = 256 << 20

  /// Reads a file; nil if it is none of these.
  init?(_ path: String) {
    guard ISOFile(path)?.isImage == true, let file = RegularFile(path),
      file.size <= Self.mostBytes, let bytes = Frames.bytes(of: file.descriptor),
      let meta = ItemReader(bytes[...]).box("meta")
    else { return nil }
    var parts = ItemReader(meta)
    parts.skip(4)
    let items = parts.boxes
    guard var head = items.first("pitm") else { return }
    let isShort = head.version() == 0
    let primary = head.number(isShort ? 2 : 4)
    if let properties = items.first("iprp") {
      for box in ItemReader.properties(of: primary, in: properties.boxes) { take(box) }
    }
    let kinds = items.first("iinf").map { ItemReader.kinds(in: $0) } ?? [:]
    // Thousands of items could name the whole file.
    var tries = 0
    for place in items.first("iloc").map({ ItemReader.places(in: $0) }) ?? [] {
      let kind = kinds[place.item]
      guard kind == "Exif" && photo.exif == nil || kind == "mime" && photo.xmp == nil, tries < 16
      else { continue }
      tries += 1
      let store = place.isInMeta ? items.first("idat")?.rest ?? [] : bytes[...]
      guard let data = place.data(in: store) else { continue }
      if kind == "Exif", data.count > 4 {
        // The first four bytes say how many are before it.
        let skipped = data[..<4].reduce(0) { $0 << 8 | Int($1) }
        if skipped <= data.count - 4 { photo.exif = Array(data[(4 + skipped)...]) }
      } else if data.starts(with: "<?xpacket".utf8) || data.starts(with: "<x:xmpmeta".utf8) {
        photo.xmp = data
      }
    }
  }

  private mutating func take(_ box: (type: String, data: ArraySlice<UInt8>)) {
    var data = ItemReader(box.data)
    switch box.type {
    case "colr":
      guard ["prof", "rICC"].contains(data.text(4)) else { return }
      profile = .icc(Array(data.rest))
    // Quarter turns against the clock.
    case "irot": orientation = orientation.turned(by: -(data.number(1) & 3))
    // Top and bottom are swapped, or left and right.
    case "imir":
      orientation =
        data.number(1) & 1 == 1 ? orientation.flipped : orientation.flipped.turned(by: 2)
    default: break
    }
  }
}

/// Reads numbers and boxes from bytes; what is behind their end is 0 and empty.
struct ItemReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }

  mutating func number(_ count: Int) -> Int {
    defer { skip(count) }
    return rest.prefix(count).reduce(0) { ($0 & 0xFF_FFFF_FFFF_FFFF) << 8 | Int($1) }
  }

  mutating func text(_ count: Int) -> String {
    defer { skip(count) }
    return String(decoding: rest.prefix(count), as: UTF8.self)
  }

  /// Reads the version of a full box, and skips its flags.
  mutating func version() -> Int {
    defer { skip(3) }
    return number(1)
  }

  /// The boxes that follow each other.
  var boxes: [(type: String, data: ArraySlice<UInt8>)] {
    var (reader, boxes): (ItemReader, [(String, ArraySlice<UInt8>)]) = (self, [])
    while reader.rest.count >= 8, boxes.count < 10_000 {
      var (size, type) = (reader.number(4), reader.text(4))
      if size == 1 { size = reader.number(8) &- 8 }
      size = size == 0 ? reader.rest.count : size &- 8
      guard size >= 0, size <= reader.rest.count else { break }
      boxes.append((type, reader.rest.prefix(size)))
      reader.skip(size)
    }
    return boxes
  }

  func box(_ type: String) -> ArraySlice<UInt8>? { boxes.first { $0.type == type }?.data }

  /// The properties of an item, in the order in which they act.
  static func properties(
    of item: Int, in boxes: [(type: String, data: ArraySlice<UInt8>)]
  ) -> [(type: String, data: ArraySlice<UInt8>)] {
    guard let store = boxes.first("ipco")?.boxes, var links = boxes.first("ipma") else { return [] }
    let version = links.number(1)
    let isWide = links.number(3) & 1 == 1
    for _ in 0..<min(links.number(4), 10_000) {
      let owner = links.number(version == 0 ? 2 : 4)
      // The highest bit says that a reader must understand the property.
      let indexes = (0..<links.number(1)).map { _ in
        isWide ? links.number(2) & 0x7FFF : links.number(1) & 0x7F
      }
      if owner == item {
        return indexes.compactMap { $0 > 0 && $0 <= store.count ? store[$0 - 1] : nil }
      }
    }
    return []
  }

  /// The kinds of items, by their numbers.
  static func kinds(in box: ItemReader) -> [Int: String] {
    var list = box
    let isShort = list.version() == 0
    list.skip(isShort ? 2 : 4)
    var kinds: [Int: String] = [:]
    for entry in list.boxes where entry.type == "infe" {
      var reader = ItemReader(entry.data)
      let version = reader.version()
      guard version >= 2 else { continue }
      let item = reader.number(version == 2 ? 2 : 4)
      reader.skip(2)
      kinds[item] = reader.text(4)
    }
    return kinds
  }

  /// Where the data of an item lie.
  struct Place {
    let item: Int
    /// Whether they are in the box of the items, and not in the file.
    let isInMeta: Bool
    /// A length of 0 lasts to the end.
    let parts: [(start: Int, count: Int)]

    /// The largest size of the data in bytes; cameras write some kilobytes.
    private static let mostBytes = 16 << 20

    /// The data; nil if they are larger than any camera writes, or beyond the end.
    func data(in store: ArraySlice<UInt8>) -> [UInt8]? {
      var data: [UInt8] = []
      for part in parts {
        guard part.start >= 0, part.count >= 0 else { return nil }
        let rest = store.dropFirst(part.start)
        let count = part.count == 0 ? rest.count : part.count
        guard count <= rest.count, data.count + count <= Self.mostBytes else { return nil }
        data += rest.prefix(count)
      }
      return data
    }
  }

  static func places(in box: ItemReader) -> [Place] {
    var reader = box
    let version = reader.version()
    let (first, second) = (reader.number(1), reader.number(1))
    let sizes = (start: first >> 4, count: first & 15, base: second >> 4, index: second & 15)
    var places: [Place] = []
    for _ in 0..<min(reader.number(version < 2 ? 2 : 4), 10_000) where !reader.rest.isEmpty {
      let item = reader.number(version < 2 ? 2 : 4)
      let method = version == 0 ? 0 : reader.number(2) & 15
      reader.skip(2)
      let base = reader.number(sizes.base)
      let parts = (0..<min(reader.number(2), 1000)).map { _ in
        if version > 0 { reader.skip(sizes.index) }
        let start = reader.number(sizes.start)
        return (start: base &+ start, count: reader.number(sizes.count))
      }
      if method < 2 { places.append(Place(item: item, isInMeta: method == 1, parts: parts)) }
    }
    return places
  }
}

extension [(type: String, data: ArraySlice<UInt8>)] {
  /// Reads the first box of a type.
  fileprivate func first(_ type: String) -> ItemReader? {
    first { $0.type == type }.map { ItemReader($0.data) }
  }
}
