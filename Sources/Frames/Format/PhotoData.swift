/// What a camera or a program for photographs wrote into the file of a picture: EXIF, XMP and IPTC.
public struct PhotoData: Sendable, Equatable {
  /// EXIF as it is in every file format, from the order of its bytes on; nil for none.
  public var exif: [UInt8]?
  /// XMP, a text of XML; nil for none.
  public var xmp: [UInt8]?
  /// The parts of an XMP that is too long for one segment of a JPEG, each with the head that says its place; empty for none.
  public var longXMP: [[UInt8]] = []
  /// IPTC, which only a JPEG has, among the resources of Adobe's programs; nil for none.
  public var iptc: [UInt8]?

  public init() {}

  public var isEmpty: Bool { exif == nil && xmp == nil && longXMP.isEmpty && iptc == nil }

  /// What stands before EXIF in a JPEG.
  public static let exifMark: [UInt8] = Array("Exif\0\0".utf8)
  /// What stands before XMP in a JPEG.
  public static let xmpMark: [UInt8] = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  /// What stands before each part of a long XMP in a JPEG (XMP part 3, 1.1.3.1).
  public static let longXMPMark: [UInt8] = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
  /// What stands before the resources of Adobe's programs in a JPEG.
  public static let resourcesMark: [UInt8] = Array("Photoshop 3.0\0".utf8)
  /// What stands before a resource; then come its number, a name, its size and its bytes.
  public static let resourceMark: [UInt8] = Array("8BIM".utf8)
  /// The number of the resource that is IPTC.
  public static let iptcNumber: [UInt8] = [0x04, 0x04]

  /// The orientation that EXIF tells, from 1 (upright) to 8; nil if it tells none.
  public var orientation: Int? {
    guard let exif, let tags = TIFFTags(exif) else { return nil }
    return tags.number(0x112, in: tags.first).flatMap { (1...8).contains($0) ? $0 : nil }
  }

  /// The same data for other pixels: upright, of another size in pixels, in sRGB, and without a small picture of the old ones.
  public func corrected(width: Int, height: Int) -> PhotoData {
    var data = self
    if let exif {
      var tags = TIFFTags(exif)
      tags?.correct(width: width, height: height)
      data.exif = tags?.bytes
    }
    data.xmp = xmp.map { xmp in
      var text = String(decoding: xmp, as: UTF8.self)
      for (name, value) in [
        ("tiff:Orientation", 1), ("tiff:ImageWidth", width), ("tiff:ImageLength", height),
        ("exif:PixelXDimension", width), ("exif:PixelYDimension", height), ("exif:ColorSpace", 1),
      ] {
        text = Self.replacing(name, by: value, in: text)
      }
      return Array(text.utf8)
    }
    return data
  }

  /// Replaces the digits of a property, which is an attribute or an element.
  private static func replacing(_ name: String, by value: Int, in text: String) -> String {
    var result = text
    for (start, end) in [("\(name)=\"", "\""), ("\(name)='", "'"), ("<\(name)>", "</")] {
      let parts = result.split(separator: start, omittingEmptySubsequences: false)
      guard parts.count > 1 else { continue }
      result = String(parts[0])
      for part in parts.dropFirst() {
        let digits = part.prefix { $0.isASCII && $0.isNumber }
        let rest = part.dropFirst(digits.count)
        result += start + (!digits.isEmpty && rest.hasPrefix(end) ? "\(value)" : digits) + rest
      }
    }
    return result
  }
}

/// The tags of EXIF, which has the form of a TIFF file (TIFF 6.0, section 2).
private struct TIFFTags {
  private(set) var bytes: [UInt8]
  private let isLittle: Bool

  /// Nil unless the bytes begin as such a file.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 14, bytes.starts(with: "II*\0".utf8) || bytes.starts(with: "MM\0*".utf8)
    else { return nil }
    (self.bytes, isLittle) = (bytes, bytes[0] == 0x49)
  }

  /// The place of the first directory.
  var first: Int { value(at: 4, size: 4) ?? 0 }

  private func value(at place: Int, size: Int) -> Int? {
    guard place >= 0, place + size <= bytes.count else { return nil }
    return (0..<size).reduce(0) {
      $0 << 8 | Int(bytes[place + (isLittle ? size - 1 - $1 : $1)])
    }
  }

  private mutating func store(_ value: Int, at place: Int, size: Int) {
    guard place >= 0, place + size <= bytes.count else { return }
    for index in 0..<size {
      bytes[place + (isLittle ? index : size - 1 - index)] =
        UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }

  /// The place of a tag's entry of 12 bytes in a directory.
  private func entry(_ tag: Int, in directory: Int) -> Int? {
    guard directory >= 8, let count = value(at: directory, size: 2), count <= 4096 else {
      return nil
    }
    return (0..<count).lazy.map { directory + 2 + 12 * $0 }
      .first { value(at: $0, size: 2) == tag && $0 + 12 <= bytes.count }
  }

  /// The size of a number of the kinds short and long; nil for others.
  private func size(of entry: Int) -> Int? {
    guard value(at: entry + 4, size: 4) == 1 else { return nil }
    return value(at: entry + 2, size: 2) == 3 ? 2 : value(at: entry + 2, size: 2) == 4 ? 4 : nil
  }

  func number(_ tag: Int, in directory: Int) -> Int? {
    entry(tag, in: directory).flatMap { entry in
      size(of: entry).flatMap { value(at: entry + 8, size: $0) }
    }
  }

  private mutating func set(_ tag: Int, to value: Int, in directory: Int) {
    guard let entry = entry(tag, in: directory), let size = size(of: entry) else { return }
    store(value, at: entry + 8, size: size)
  }

  /// Makes the tags true of a picture that is upright, in sRGB and of another size.
  mutating func correct(width: Int, height: Int) {
    let main = first
    set(0x112, to: 1, in: main)
    set(0x100, to: width, in: main)
    set(0x101, to: height, in: main)
    if let details = number(0x8769, in: main) {
      set(0xA002, to: width, in: details)
      set(0xA003, to: height, in: details)
      set(0xA001, to: 1, in: details)
    }
    guard let count = value(at: main, size: 2), count <= 4096 else { return }
    let link = main + 2 + 12 * count
    guard let small = value(at: link, size: 4), small > 0 else { return }
    // The small picture shows the old pixels.
    if let place = number(0x201, in: small), let size = number(0x202, in: small),
      place >= 8, size > 0, place + size <= bytes.count
    {
      bytes.replaceSubrange(place..<(place + size), with: repeatElement(0, count: size))
    }
    store(0, at: link, size: 4)
  }
}
