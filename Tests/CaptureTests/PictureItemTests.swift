import Frames
import TestSupport
import Testing

@testable import Capture

/// What is read of a still AVIF beside its pixels.
@Suite struct PictureItemTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }
  private static func box(_ type: String, _ data: [UInt8]) -> [UInt8] {
    number(data.count + 8, 4) + Array(type.utf8) + data
  }

  /// A file with items of EXIF, each of which consists of the same parts of `data`; places are those in the file.
  private static func file(
    items: Int, of kind: String = "Exif", parts: [(start: Int, count: Int)], data: [UInt8]
  ) -> [UInt8] {
    let entries = (1...items).map { item in
      box("infe", [2, 0, 0, 0] + number(item, 2) + number(0, 2) + Array(kind.utf8) + [0])
    }
    let list = parts.flatMap { number($0.start, 4) + number($0.count, 4) }
    let places = (1...items).map { item in
      number(item, 2) + number(0, 2) + number(parts.count, 2) + list
    }
    // The data come first, so that their places do not depend on the rest.
    return box("ftyp", Array("avif".utf8) + number(0, 4) + Array("avifmif1".utf8))
      + box("free", data)
      + box(
        "meta",
        number(0, 4) + box("pitm", number(0, 4) + number(1, 2))
          + box("iinf", number(0, 4) + number(items, 2) + entries.joined())
          + box("iloc", number(0, 4) + [0x44, 0] + number(items, 2) + places.joined()))
  }

  private func items(_ bytes: [UInt8]) throws -> PictureItems {
    try folder.write(bytes, to: "a.avif")
    return try #require(PictureItems(folder.file("a.avif")))
  }

  /// The place of the data: behind the first box, and the head of its own.
  private static let start = 24 + 8

  @Test("EXIF in several parts is put together")
  func parts() throws {
    let data = Self.number(0, 4) + Array("MM\0*, and more".utf8)
    let file = Self.file(
      items: 1, parts: [(Self.start, 6), (Self.start + 6, data.count - 6)], data: data)
    #expect(try items(file).photo.exif == Array(data.dropFirst(4)))
  }

  @Test(
    "thousands of items that each name the whole file a thousand times cost neither time nor memory"
  )
  func repeated() throws {
    let data = [UInt8](repeating: 0, count: 1 << 20)
    let file = Self.file(
      items: 200, parts: Array(repeating: (start: 0, count: 0), count: 1000), data: data)
    #expect(try items(file).photo.isEmpty)
    // Of several items the first one is read.
    let two = Self.file(items: 60_000, parts: [(Self.start, data.count)], data: data)
    #expect(try items(two).photo.exif?.count == data.count - 4)
    let others = Self.file(items: 10_000, of: "mime", parts: [(0, 0)], data: data)
    #expect(try items(others).photo.isEmpty)
  }

  @Test(
    "parts beyond the end are left out",
    arguments: [(1 << 31, 8), (start, 1 << 30), (0xFFFF_FFFF, 0)])
  func beyond(start: Int, count: Int) throws {
    let file = Self.file(
      items: 1, parts: [(start, count)], data: Array("0000MM\0*".utf8))
    #expect(try items(file).photo.isEmpty)
  }
}
