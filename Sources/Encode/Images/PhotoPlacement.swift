import CFFmpeg
import Frames

extension PhotoData {
  /// Tells of what does not fit into a file; nil if all fits.
  func notice(_ output: String, of format: String) -> Notice? {
    let parts: [(name: String, data: [UInt8]?, room: Int)]
    let reason: String
    if format == "JPEG" {
      parts = [
        ("EXIF", exif, Self.longestSegment - Self.exifMark.count),
        ("XMP", xmp, Self.longestSegment - Self.xmpMark.count),
        ("IPTC", iptc, Self.longestSegment - Self.resourcesMark.count - 13),
      ]
      reason = "because a part of a JPEG has at most 64 KiB; a .png or .webp holds more"
    } else {
      let long = longXMP.isEmpty ? nil : longXMP.flatMap(\.self)
      parts = [("IPTC", iptc, 0), ("long XMP", long, 0)]
      reason = "which only a .jpg holds"
    }
    let words = parts.compactMap { part in
      part.data.flatMap { $0.count > part.room ? "\($0.count) bytes of \(part.name)" : nil }
    }
    guard !words.isEmpty else { return nil }
    return Notice(
      .outputLeftOut, output,
      "\(output) has no room for \(words.joined(separator: " and ")), \(reason)")
  }

  /// A segment of a JPEG has its length in two bytes, which it counts too.
  private static let longestSegment = 0xFFFF - 2

  /// Returns a JPEG or PNG with this data put into it; what does not fit into a segment of a JPEG (64 KiB) is left out.
  func placed(in picture: UnsafeBufferPointer<UInt8>, of format: ImageFileFormat) -> [UInt8] {
    let file = Array(picture)
    return format.name == "PNG" ? inPNG(file) : inJPEG(file)
  }

  /// Behind the start, and JFIF's own segment if there is one.
  private func inJPEG(_ file: [UInt8]) -> [UInt8] {
    var place = 2
    if file.count > 6, file[2] == 0xFF, file[3] == 0xE0 {
      place += 2 + Int(file[4]) << 8 + Int(file[5])
    }
    var segments: [UInt8] = []
    func add(_ marker: UInt8, _ data: [UInt8]) {
      guard data.count <= Self.longestSegment else { return }
      let size = data.count + 2
      segments += [0xFF, marker, UInt8(size >> 8), UInt8(size & 0xFF)] + data
    }
    if let exif { add(0xE1, Self.exifMark + exif) }
    if let xmp { add(0xE1, Self.xmpMark + xmp) }
    for part in longXMP { add(0xE1, Self.longXMPMark + part) }
    if let iptc {
      let size = withUnsafeBytes(of: UInt32(iptc.count).bigEndian, Array.init)
      let head = Self.resourceMark + Self.iptcNumber + [0, 0] + size
      add(0xED, Self.resourcesMark + head + iptc + (iptc.count % 2 == 1 ? [0] : []))
    }
    guard place <= file.count else { return file }
    var placed = file
    placed.insert(contentsOf: segments, at: place)
    return placed
  }

  /// Behind the head, which has 8 + 25 bytes (PNG 3rd edition, 11.2.1).
  private func inPNG(_ file: [UInt8]) -> [UInt8] {
    guard file.count > 33 else { return file }
    let text = xmp.map { Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + $0 }
    let chunks =
      (exif.map { Self.chunk("eXIf", $0) } ?? []) + (text.map { Self.chunk("iTXt", $0) } ?? [])
    var placed = file
    placed.insert(contentsOf: chunks, at: 33)
    return placed
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }
    let body = Array(name.utf8) + data
    let sum = av_crc(av_crc_get_table(AV_CRC_32_IEEE_LE), UInt32.max, body, body.count) ^ UInt32.max
    return bytes(UInt32(data.count)) + body + bytes(sum)
  }

  /// Returns a WebP with this data behind its image, a profile before it, and the extended head that they need (RFC 9649,
  /// 2.7).
  func placed(in file: [UInt8], profile: [UInt8], size: (width: Int, height: Int), hasAlpha: Bool)
    -> [UInt8]
  {
    func bytes(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      Array(name.utf8) + bytes(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
    }
    guard file.count > 30 else { return file }
    var body = Array(file[12...])
    if !body.starts(with: "VP8X".utf8) {
      let head =
        bytes(hasAlpha ? 0x10 : 0, 4) + bytes(size.width - 1, 3) + bytes(size.height - 1, 3)
      body = chunk("VP8X", head) + body
    }
    body[8] |= (exif == nil ? 0 : 0x08) | (xmp == nil ? 0 : 0x04) | (profile.isEmpty ? 0 : 0x20)
    // Behind the head, which has 8 + 10 bytes.
    if !profile.isEmpty { body.insert(contentsOf: chunk("ICCP", profile), at: 18) }
    body += (exif.map { chunk("EXIF", $0) } ?? []) + (xmp.map { chunk("XMP ", $0) } ?? [])
    return Array("RIFF".utf8) + bytes(body.count + 4, 4) + Array("WEBP".utf8) + body
  }
}
