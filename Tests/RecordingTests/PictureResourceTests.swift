import TestSupport
import Testing

/// Tests of what programs for photographs write into a JPEG beside EXIF.
@Suite struct PictureResourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("IPTC and a long XMP stay in a JPEG, without a small picture, and are told of other kinds")
  func resources() throws {
    func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 0xFF)] + data
    }
    func resource(_ number: UInt8, _ name: String, _ data: String) -> [UInt8] {
      let head = [UInt8(name.utf8.count)] + Array(name.utf8) + (name.utf8.count % 2 == 0 ? [0] : [])
      return Array("8BIM".utf8) + [4, number] + head + [0, 0, 0, UInt8(data.utf8.count)]
        + Array(data.utf8) + (data.utf8.count % 2 == 1 ? [0] : [])
    }
    let iptc = "\u{1C}\u{2}\u{78}\u{0}\u{5}Coast"
    let mark = Array("Photoshop 3.0\0".utf8)
    let part = Array("http://ns.adobe.com/xmp/extension/\0".utf8) + Array("0123456789ABCDEF".utf8)
    let plain = try readFile(
      make("plain.jpg", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1"]))
    // The second resource begins in a second segment.
    let added =
      segment(0xED, mark + resource(0x0C, "old pixels", "small"))
      + segment(0xED, mark + resource(0x04, "", iptc)) + segment(0xE1, part + [1])
      + segment(0xE1, part + [2])
    try folder.write(Array(plain[..<2]) + added + plain[2...], to: "in.jpg")
    for (output, isKept) in [
      ("o.jpg", true), ("o-%d.jpg", true), ("o.png", false), ("o.webp", false),
    ] {
      let result = try KfrecProcess.run(["-i", "in.jpg", "-o", output], in: folder)
      #expect(result.exitCode == 0, "\(result)")
      #expect(
        result.errors.contains("no room for \(iptc.utf8.count) bytes of IPTC") != isKept,
        "\(result)")
      #expect(result.errors.contains("of long XMP, which only a .jpg holds") != isKept)
      let file = try readFile(folder.file(output.replacing("%d", with: "1")))
      for (bytes, isThere) in [
        (mark + resource(0x04, "", iptc), isKept), (part + [1], isKept), (part + [2], isKept),
        (Array("old pixels".utf8), false),
      ] {
        #expect((file.firstRange(of: bytes) != nil) == isThere, "\(output)")
      }
    }
    let bare = try KfrecProcess.run(["-y", "-i", "in.jpg", "--no-tags", "-o", "o.jpg"], in: folder)
    #expect(bare.exitCode == 0, "\(bare)")
    #expect(try readFile(folder.file("o.jpg")).firstRange(of: Array("Coast".utf8)) == nil)
  }
}
