import Glibc
import TestSupport
import Testing

/// Tests of what pictures say beside their pixels: colours, and what a camera wrote.
@Suite struct PictureFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A PNG of one colour with more chunks behind its head.
  private func png(_ name: String, color: String = "0xc86464", chunks: [UInt8] = []) throws
    -> String
  {
    let path = try make(
      name, in: folder,
      ["-f", "lavfi", "-i", "color=\(color):s=32x24,format=rgb24", "-frames:v", "1"])
    let bytes = try readFile(path)
    // Without FFmpeg's own words about colours.
    let plain = Self.chunks(of: bytes).filter { ["IHDR", "IDAT", "IEND"].contains($0.name) }
    let head = Array(bytes[..<8])
    var file = head + plain[0].bytes + chunks
    for chunk in plain.dropFirst() { file += chunk.bytes }
    return try folder.write(file, to: name)
  }

  private static func chunks(of file: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    var chunks: [(String, [UInt8])] = []
    var place = 8
    while place + 12 <= file.count {
      let size = file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
      let name = String(decoding: file[(place + 4)..<(place + 8)], as: UTF8.self)
      chunks.append((name, Array(file[place..<(place + 12 + size)])))
      place += 12 + size
    }
    return chunks
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }
    let body = Array(name.utf8) + data
    var sum = UInt32.max
    for byte in body {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return bytes(UInt32(data.count)) + body + bytes(sum ^ .max)
  }

  private func pixel(_ path: String) throws -> [Int] {
    try Probe.pixels(path, "rgb24").prefix(3).map { Int($0) }
  }

  @Test("a JPEG, a gray picture and a frame of video become a PNG that is tagged sRGB")
  func tagged() throws {
    for (name, words) in [
      ("a.jpg", ["-pix_fmt", "yuvj420p"]), ("g.jpg", ["-pix_fmt", "gray"]),
      ("g.png", ["-pix_fmt", "gray"]),
      (
        "v.mkv",
        ["-c:v", "ffv1", "-color_trc", "bt709", "-color_primaries", "bt709", "-pix_fmt", "yuv420p"]
      ),
    ] {
      try make(
        name, in: folder,
        ["-f", "lavfi", "-i", "testsrc2=s=32x24", "-frames:v", "1"] + words)
      let result = try KfrecProcess.run(
        ["-y", "-i", name, "--frames", "1", "-o", "o.png"], in: folder)
      #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
      let names = Self.chunks(of: try readFile(folder.file("o.png")))
      #expect(names.contains { $0.name == "sRGB" }, "\(name): \(names.map(\.name))")
      let gamma = names.first { $0.name == "gAMA" }
      #expect(gamma?.bytes[8..<12].elementsEqual([0, 0, 0xB1, 0x8F]) ?? true, "\(name)")
    }
  }

  @Test("a PNG's cICP and gAMA are converted to sRGB, and 0.45455 is sRGB")
  func chunks() throws {
    for (chunk, expected) in [
      (Self.chunk("cICP", [12, 13, 0, 1]), [215, 93, 97]),
      (Self.chunk("cICP", [1, 13, 0, 1]), [200, 100, 100]),
      (Self.chunk("gAMA", [0, 1, 0x86, 0xA0]), [229, 168, 168]),
      (Self.chunk("gAMA", [0, 0, 0xB1, 0x8F]), [200, 100, 100]),
    ] {
      let input = try png("in.png", chunks: chunk)
      let result = try KfrecProcess.run(["-y", "-i", input, "-o", "o.png"], in: folder)
      #expect(result.exitCode == 0, "\(result)")
      let found = try pixel(folder.file("o.png"))
      #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(found)")
      #expect(result.errors.contains("converted to sRGB") == (expected != [200, 100, 100]))
    }
  }

  /// EXIF with a maker, an orientation of 6, a size, and a small picture of four bytes.
  private static let exif: [UInt8] = {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func entry(_ tag: Int, _ kind: Int, _ value: [UInt8], count: Int = 1) -> [UInt8] {
      number(tag, 2) + number(kind, 2) + number(count, 4) + value
        + [UInt8](repeating: 0, count: 4 - value.count)
    }
    let first =
      number(3, 2) + entry(0x10F, 2, Array("Cam\0".utf8), count: 4) + entry(0x112, 3, number(6, 2))
      + entry(0x8769, 4, number(50, 4)) + number(80, 4)
    let details =
      number(2, 2) + entry(0xA002, 4, number(32, 4)) + entry(0xA003, 4, number(24, 4))
      + number(0, 4)
    let small =
      number(2, 2) + entry(0x201, 4, number(110, 4)) + entry(0x202, 4, number(4, 4)) + number(0, 4)
    return Array("II*\0".utf8) + number(8, 4) + first + details + small + [0xFF, 0xD8, 0xFF, 0xD9]
  }()

  @Test(
    "what a camera wrote goes into the output, upright and with its size, without the small picture",
    arguments: ["o.png", "o.jpg", "o.webp"])
  func camera(output: String) throws {
    let input = try png("in.png", chunks: Self.chunk("eXIf", Self.exif))
    let result = try KfrecProcess.run(["-i", input, "-o", output], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    // Turned by a quarter.
    #expect(
      try Probe.stream(folder.file(output), "width,height") == ["width": "24", "height": "32"])
    let file = try readFile(folder.file(output))
    let start = try #require(
      file.indices.first { file[$0...].starts(with: "II*\0".utf8) }, "no EXIF in \(output)")
    var expected = Self.exif
    expected[8 + 2 + 12 + 8] = 1
    for place in 46..<50 { expected[place] = 0 }
    (expected[50 + 2 + 8], expected[50 + 2 + 12 + 8]) = (24, 32)
    for place in 110..<114 { expected[place] = 0 }
    #expect(Array(file[start..<(start + expected.count)]) == expected)
    let bare = try KfrecProcess.run(["-y", "-i", input, "--no-tags", "-o", output], in: folder)
    #expect(bare.exitCode == 0, "\(bare)")
    let without = try readFile(folder.file(output))
    #expect(!without.indices.contains { without[$0...].starts(with: "II*\0".utf8) })
  }

  @Test("a batch keeps the kind of a picture, and --container chooses another one")
  func batch() throws {
    for name in ["a.jpg", "b.png", "c.bmp"] {
      try make(name, in: folder, ["-f", "lavfi", "-i", "testsrc2=s=32x24", "-frames:v", "1"])
    }
    for (words, names) in [
      ([], ["a.jpg", "b.png", "c.png"]), (["--container", "jpg"], ["a.jpg", "b.jpg", "c.jpg"]),
    ] {
      let out = "out\(words.count)"
      let result = try KfrecProcess.run(
        ["batch", "a.jpg", "b.png", "c.bmp", "--output-dir", out] + words, in: folder)
      #expect(result.exitCode == 0, "\(result)")
      for name in names { #expect(access(folder.file(out + "/" + name), F_OK) == 0, "\(name)") }
    }
    let refused = try KfrecProcess.run(
      ["-i", "a.jpg", "--container", "png", "-o", "-"], in: folder)
    #expect(refused.exitCode == 2, "\(refused)")
  }

  @Test(
    "a picture of an odd height with halved chroma has its colours from the first row on",
    arguments: [(64, 3), (64, 33), (31, 65), (64, 1), (1, 1)])
  func oddHeights(width: Int, height: Int) throws {
    for (output, words) in [("o.webp", []), ("o.jpg", ["--pixel-format", "yuv420p"])] {
      let result = try KfrecProcess.run(
        ["-y", "-i", "color:2020e0", "--size", "\(width)x\(height)", "--frames", "1", "-o", output]
          + words,
        in: folder)
      #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
      let pixels = try Probe.pixels(folder.file(output), "rgb24").map(Int.init)
      let wrong = pixels.indices.filter { abs(pixels[$0] - [32, 32, 224][$0 % 3]) > 8 }
      #expect(pixels.count == width * height * 3 && wrong.isEmpty, "\(output): \(wrong.prefix(9))")
    }
    // The row behind the last one of alpha was where transparency is noted that an output does not hold.
    let clear = try KfrecProcess.run(
      [
        "-y", "-i", "color:ff000080", "--size", "\(width)x\(height)", "--frames", "1", "-o",
        "c.webp",
      ], in: folder)
    #expect(clear.exitCode == 0 && !clear.errors.contains("no transparency"), "\(clear)")
  }

  @Test(
    "an SVG is refused with what makes a picture of it, wherever it is given, and is never decoded")
  func drawings() throws {
    let text = """
      <?xml version="1.0"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><filter id="f"><feTurbulence baseFrequency="0.5" \
      numOctaves="2000000000"/></filter><rect width="64" height="48" filter="url(#f)"/></svg>
      """
    for name in ["a.svg", "b.png", "n1.svg"] { try folder.write(text.utf8, to: name) }
    try folder.write("ffconcat version 1.0\nfile a.svg\n".utf8, to: "list.txt")
    try make(
      "clip.mkv", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=32x24:d=0.2", "-c:v", "ffv1"])
    for words in [
      ["-i", "a.svg"], ["-i", "b.png"], ["-i", "n%d.svg"],
      ["-i", "clip.mkv", "-e", "overlay:image=a.svg"],
    ] {
      let result = try KfrecProcess.run(
        words + ["-o", "o.png", "--frames", "1"], in: folder, seconds: 60)
      #expect(
        result.exitCode == 1
          && result.errors.contains("is an SVG, a drawing, and kfrec reads pictures"),
        "\(result)")
    }
    let piped = try KfrecProcess.run(
      ["-i", "-", "-o", "o.png"], in: folder, input: .bytes(Array(text.utf8)), seconds: 60)
    #expect(piped.exitCode == 1 && piped.errors.contains("is an SVG"), "\(piped)")
    for words in [["-i", "clip.mkv", "--audio-in", "a.svg"], ["-i", "list.txt"]] {
      let result = try KfrecProcess.run(words + ["-o", "o.mkv"], in: folder, seconds: 60)
      #expect(result.exitCode != 0, "\(result)")
    }
  }
}
