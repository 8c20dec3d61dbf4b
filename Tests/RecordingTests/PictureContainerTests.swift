import Glibc
import TestSupport
import Testing

/// Files of other kinds than FFmpeg writes: pictures whose container holds a profile, and what a camera wrote.
extension PictureFileTests {
  /// The ICC profile that kfrec writes for Display P3, from a WebP.
  private func profileOfDisplayP3() throws -> [UInt8] {
    let webP = try KfrecProcess.run(
      ["-i", try displayP3(), "--frames", "1", "-o", "p.webp"], in: folder)
    #expect(webP.exitCode == 0, "\(webP)")
    let file = try readFile(folder.file("p.webp"))
    let place = try #require(file.firstRange(of: Array("ICCP".utf8))?.upperBound)
    let size = file[place..<(place + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
    return Array(file[(place + 4)..<(place + 4 + size)])
  }

  /// Boxes of an AVIF: its picture, a profile, EXIF, and a quarter turn clockwise.
  private static func avif(_ made: [UInt8], profile: [UInt8], exif: [UInt8]) throws -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    func box(_ type: String, _ data: [UInt8]) -> [UInt8] {
      number(data.count + 8, 4) + Array(type.utf8) + data
    }
    func found(_ type: String) throws -> [UInt8] {
      let place = try #require(made.indices.first { made[$0...].starts(with: type.utf8) })
      let size = made[(place - 4)..<place].reduce(0) { $0 << 8 | Int($1) }
      return Array(made[(place - 4)..<(place - 4 + size)])
    }
    let picture = Array(try found("mdat").dropFirst(8))
    let head = box("ftyp", Array("avif".utf8) + number(0, 4) + Array("avifmif1miaf".utf8))
    let marked = number(0, 4) + exif
    func meta(at start: Int) throws -> [UInt8] {
      let properties =
        try found("ispe") + found("av1C") + box("colr", Array("prof".utf8) + profile)
        + box("irot", [3])
      func entry(_ item: Int, _ type: String) -> [UInt8] {
        box("infe", [2, 0, 0, 0] + number(item, 2) + number(0, 2) + Array(type.utf8) + [0])
      }
      func place(_ item: Int, _ offset: Int, _ count: Int) -> [UInt8] {
        number(item, 2) + number(0, 2) + number(1, 2) + number(offset, 4) + number(count, 4)
      }
      return box(
        "meta",
        number(0, 4) + box("hdlr", number(0, 8) + Array("pict".utf8) + number(0, 13))
          + box("pitm", number(0, 4) + number(1, 2))
          + box(
            "iloc",
            number(0, 4) + [0x44, 0] + number(2, 2) + place(1, start, picture.count)
              + place(2, start + picture.count, marked.count))
          + box("iinf", number(0, 4) + number(2, 2) + entry(1, "av01") + entry(2, "Exif"))
          + box(
            "iprp",
            box("ipco", properties)
              + box("ipma", number(0, 4) + number(1, 4) + number(1, 2) + [4, 1, 0x82, 3, 0x84])))
    }
    let start = head.count + (try meta(at: 0)).count + 8
    return head + (try meta(at: start)) + box("mdat", picture + marked)
  }

  /// A TIFF of one colour with a profile.
  private func tiff(_ pixelFormat: String, _ color: String, profile: [UInt8]) throws -> String {
    var file = try readFile(
      make(
        "a.tif", in: folder,
        [
          "-f", "lavfi", "-i", "color=\(color):s=32x24,format=gbrp", "-frames:v", "1",
          "-pix_fmt", pixelFormat, "-compression_algo", "raw",
        ]))
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func read(_ place: Int, _ count: Int) -> Int {
      file[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(file.starts(with: "II*\0".utf8))
    let list = read(4, 4)
    var entries = (0..<read(list, 2)).map { entry in
      let start = list + 2 + 12 * entry
      return Array(file[start..<(start + 12)])
    }
    // InterColorProfile, which has the largest number: entries stand in the order of theirs.
    entries.append(
      number(34675, 2) + number(7, 2) + number(profile.count, 4) + number(file.count, 4))
    file += profile + [UInt8](repeating: 0, count: profile.count % 2)
    file.replaceSubrange(4..<8, with: number(file.count, 4))
    file += number(entries.count, 2) + entries.joined() + number(0, 4)
    try folder.write(file, to: "in.tif")
    return "in.tif"
  }

  @Test(
    "the profile of a TIFF is converted, with 8 and with 16 bits", arguments: ["rgb24", "rgb48"])
  func tiff(_ pixelFormat: String) throws {
    let input = try tiff(pixelFormat, "0xc86464", profile: profileOfDisplayP3())
    let result = try KfrecProcess.run(["-i", input, "-o", "o.png"], in: folder)
    #expect(
      result.exitCode == 0 && result.errors.contains("the profile \"Display P3\""), "\(result)")
    let found = try pixel(folder.file("o.png"))
    #expect(zip(found, [215, 93, 97]).allSatisfy { abs($0 - $1) <= 1 }, "\(found)")
    let stored = try Probe.stream(folder.file("o.png"), "pix_fmt")["pix_fmt"]
    #expect(stored == (pixelFormat == "rgb24" ? "rgb24" : "rgb48be"))
  }

  /// A profile of gray, by ICC.1:2001: a head, the white of D50, and a curve.
  private static func gray(curve: [Int]) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    let white = [0xf6d6, 0x10000, 0xd32d].flatMap { number($0, 4) }
    let data =
      Array("XYZ ".utf8) + number(0, 4) + white + Array("curv".utf8) + number(0, 4)
      + number(curve.count, 4) + curve.flatMap { number($0, 2) }
    let tags =
      number(2, 4) + Array("wtpt".utf8) + number(156, 4) + number(20, 4) + Array("kTRC".utf8)
      + number(176, 4) + number(12 + 2 * curve.count, 4)
    return number(156 + data.count, 4) + number(0, 4) + number(0x0210_0000, 4)
      + Array("mntrGRAYXYZ ".utf8) + number(0, 12) + Array("acsp".utf8) + number(0, 28) + white
      + number(0, 48) + tags + data
  }

  @Test(
    "a profile of gray is converted, and one that changes nothing is not",
    arguments: ["gray", "gray16le"])
  func gray(_ pixelFormat: String) throws {
    // Light in proportion to the number: a fifth is 124 of 255 by the curve of sRGB.
    let light = try tiff(pixelFormat, "0x333333", profile: Self.gray(curve: [0x100]))
    let result = try KfrecProcess.run(["-i", light, "-o", "o.png"], in: folder)
    #expect(
      result.exitCode == 0 && result.errors.contains("which are converted to sRGB"), "\(result)")
    let found = try pixel(folder.file("o.png"))
    #expect(found.allSatisfy { abs($0 - 124) <= 1 }, "\(found)")
    // sRGB's own curve, at 1,024 places.
    let curve = (0..<1024).map { place in
      let value = Double(place) / 1023
      return Int(65_535 * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)))
    }
    let own = try tiff(pixelFormat, "0x333333", profile: Self.gray(curve: curve))
    let kept = try KfrecProcess.run(["-i", own, "-o", "k.png"], in: folder)
    #expect(kept.exitCode == 0 && !kept.errors.contains("converted"), "\(kept)")
    #expect(try pixel(folder.file("k.png")) == [51, 51, 51])
    let stored = try Probe.stream(folder.file("k.png"), "pix_fmt")["pix_fmt"]
    #expect(stored == (pixelFormat == "gray" ? "gray" : "gray16be"))
  }

  @Test("the profile of a JP2 is converted")
  func jp2() throws {
    let profile = try profileOfDisplayP3()
    var file = try readFile(
      make(
        "a.jp2", in: folder,
        [
          "-f", "lavfi", "-i", "color=0xc86464:s=32x24,format=rgb24", "-frames:v", "1", "-format",
          "jp2",
        ]))
    func length(at place: Int) -> Int { file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
    func store(_ value: Int, at place: Int) {
      for byte in 0..<4 { file[place + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * byte)) }
    }
    let head = try #require(file.indices.first { file[$0...].starts(with: "jp2h".utf8) }) - 4
    let color = try #require(file.indices.first { file[$0...].starts(with: "colr".utf8) }) - 4
    let (own, whole) = (length(at: color), length(at: head))
    store(whole - own + 11 + profile.count, at: head)
    file.replaceSubrange(
      color..<(color + own), with: [0, 0, 0, 0] + Array("colr".utf8) + [2, 0, 0] + profile)
    store(11 + profile.count, at: color)
    try folder.write(file, to: "in.jp2")
    let result = try KfrecProcess.run(["-i", "in.jp2", "-o", "o.png"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let found = try pixel(folder.file("o.png"))
    #expect(zip(found, [215, 93, 97]).allSatisfy { abs($0 - $1) <= 3 }, "\(found)")
  }

  @Test("an AVIF has its profile, what the camera wrote, and its turn")
  func items() throws {
    let profile = try profileOfDisplayP3()
    let made = try readFile(
      make(
        "a.avif", in: folder,
        [
          "-f", "lavfi", "-i", "color=0xc86464:s=64x48,format=yuv444p", "-frames:v", "1", "-c:v",
          "libaom-av1",
          "-cpu-used", "8", "-still-picture", "1", "-crf", "5", "-color_range", "tv", "-colorspace",
          "smpte170m",
        ]))
    try folder.write(
      Self.avif(made, profile: profile, exif: Self.exif),
      to: "in.avif")
    for output in ["o.png", "o.jpg"] {
      let result = try KfrecProcess.run(
        ["-i", "in.avif", "-o", output], in: folder)
      #expect(
        result.exitCode == 0
          && result.errors.contains("the profile \"Display P3\", which are converted"),
        "\(result)")
      let path = folder.file(output)
      #expect(try Probe.stream(path, "width,height") == ["width": "48", "height": "64"])
      let found = try pixel(path)
      #expect(zip(found, [215, 93, 97]).allSatisfy { abs($0 - $1) <= 5 }, "\(found)")
      let bytes = try readFile(path)
      let start = try #require(bytes.indices.first { bytes[$0...].starts(with: "II*\0".utf8) })
      #expect(
        bytes[(start + 18)..<(start + 21)].elementsEqual("Cam".utf8) && bytes[start + 30] == 1)
    }
    let film = try KfrecProcess.run(["-i", "in.avif", "-t", "0.4", "-o", "o.mkv"], in: folder)
    #expect(film.exitCode == 0 && film.errors.contains(" 10 out"), "\(film)")
    let batch = try KfrecProcess.run(["batch", "in.avif", "--output-dir", "out"], in: folder)
    #expect(batch.exitCode == 0 && access(folder.file("out/in.png"), F_OK) == 0, "\(batch)")
  }
}
