/// Reads the top-level boxes of a MOV or MP4 file without a demuxer (ISO/IEC 14496-12, 4.2).
struct ISOFile {
  private struct Box {
    let type: String
    let start: Int
    /// Where it ends by its own word; nil if it lasts to the end of the file, or its size is wrong.
    let end: Int?
  }

  /// Size of the file in bytes.
  private let size: Int
  private let boxes: [Box]

  /// Reads a regular file that begins with a box of such a file; nil for others.
  init?(_ path: String) {
    guard let file = RegularFile(path) else { return nil }
    size = file.size
    var boxes: [Box] = []
    var head = [UInt8](repeating: 0, count: 16)
    var offset = 0
    // A fragmented file has two boxes for each fragment.
    while offset + 8 <= size, boxes.count < 1_000_000 {
      guard file.read(into: &head, count: 16, at: offset) >= 8 else { break }
      let type = String(decoding: head[4..<8], as: UTF8.self)
      if boxes.isEmpty, !ISOFile.firstTypes.contains(type) { return nil }
      var length = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
      if length == 1 {
        length = head[8..<16].reduce(0) { ($0 & 0xFF_FFFF_FFFF_FFFF) << 8 | Int($1) }
      }
      let (end, isPastAll) = offset.addingReportingOverflow(length)
      let isSound = length >= 8 && !isPastAll
      boxes.append(Box(type: type, start: offset, end: isSound ? end : nil))
      guard isSound else { break }
      offset = end
    }
    guard !boxes.isEmpty else { return nil }
    self.boxes = boxes
  }

  private static let firstTypes: Set<String> = [
    "ftyp", "styp", "moov", "mdat", "moof", "free", "skip", "wide", "pnot", "sidx",
  ]

  /// What became of the index.
  enum Index { case whole, missing, cut }

  /// What became of the index; nil for a still image, which has none.
  var index: Index? {
    if has("meta"), !has("moov") { return nil }
    guard let moov = boxes.first(where: { $0.type == "moov" }) else { return .missing }
    return moov.end.map { $0 <= size } ?? false ? .whole : .cut
  }

  /// Whether it is a segment of a stream, which has no index of its own.
  var isSegment: Bool { has("moof") && !has("moov") }
  /// Whether it is a still image.
  var isImage: Bool { has("meta") && !has("moov") }

  /// Whether it holds a second movie behind the first one, as files that were joined byte by byte do.
  ///
  /// FFmpeg reads the first one only. A fragmented file has its boxes in another order.
  var hasSecondMovie: Bool {
    !has("moof") && boxes.count { $0.type == "moov" } > 1
  }

  private func has(_ type: String) -> Bool { boxes.contains { $0.type == type } }

  /// Whether its last box says that it is longer than what is there.
  var isCut: Bool { boxes.last?.end.map { $0 > size } ?? false }

  /// Where the whole boxes end in a file of fragments that was cut within the header of one; nil if it was not.
  ///
  /// FFmpeg refuses such a file, or passes over its last fragments.
  var endOfWholeFragments: Int? {
    guard index == .whole, boxes.dropLast().contains(where: { $0.type == "moof" }),
      let last = boxes.last
    else { return nil }
    guard let end = last.end else {
      // Bytes of nothing at the end, as a power cut leaves them.
      return last.type == "mdat" ? nil : last.start
    }
    if end < size { return end }
    return last.type != "mdat" && end > size ? last.start : nil
  }
}
