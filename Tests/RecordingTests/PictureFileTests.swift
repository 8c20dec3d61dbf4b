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

  func pixel(_ path: String) throws -> [Int] {
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
      #expect(
        result.errors.contains("of a gamma or primaries of its own, which are converted to sRGB")
          == (expected != [200, 100, 100]), "\(result)")
    }
  }

  /// EXIF with a maker, an orientation of 6, a size, and a small picture of four bytes.
  static let exif: [UInt8] = {
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

  @Test(
    "what an editor wrote as XMP goes into the output", arguments: ["o.png", "o.jpg", "o.webp"])
  func xmp(output: String) throws {
    let packet =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
      + "<rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/' dc:rights='of nobody'/></rdf:RDF></x:xmpmeta>"
    let chunk = Self.chunk(
      "iTXt", Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + Array(packet.utf8))
    let input = try png("in.png", chunks: chunk)
    for (words, isKept) in [([], true), (["--no-tags"], false)] {
      let result = try KfrecProcess.run(["-y", "-i", input, "-o", output] + words, in: folder)
      #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
      let file = try readFile(folder.file(output))
      #expect((file.firstRange(of: Array("of nobody".utf8)) != nil) == isKept)
    }
  }

  @Test("the XMP of a JPEG goes into the output, upright and with its size")
  func xmpOfJPEG() throws {
    func packet(_ turn: Int, _ width: Int, _ height: Int) -> String {
      "<rdf:Description tiff:Orientation='\(turn)' exif:PixelXDimension=\"\(width)\" dc:rights='of nobody'>"
        + "<tiff:ImageLength>\(height)</tiff:ImageLength></rdf:Description>"
    }
    let data = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet(6, 32, 24).utf8)
    let plain = try make(
      "plain.jpg", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=32x24", "-frames:v", "1"])
    var file = try readFile(plain)
    file.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(data.count + 2)] + data, at: 2)
    let input = try folder.write(file, to: "in.jpg")
    for output in ["o.jpg", "o.png", "o.webp"] {
      let result = try KfrecProcess.run(["-i", input, "--size", "64x48", "-o", output], in: folder)
      #expect(result.exitCode == 0, "\(result)")
      let made = try readFile(folder.file(output))
      #expect(made.firstRange(of: Array(packet(1, 64, 48).utf8)) != nil, "\(output)")
    }
  }

  @Test("a batch keeps the kind of a picture, and --container chooses another one")
  func batch() throws {
    let inputs = ["a.jpg", "b.png", "c.bmp", "d.webp"]
    for name in inputs {
      try make(name, in: folder, ["-f", "lavfi", "-i", "testsrc2=s=32x24", "-frames:v", "1"])
    }
    for (words, names) in [
      ([], ["a.jpg", "b.png", "c.png", "d.webp"]),
      (["--container", "jpg"], ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]),
    ] {
      let out = "out\(words.count)"
      let result = try KfrecProcess.run(
        ["batch"] + inputs + ["--output-dir", out] + words, in: folder)
      #expect(result.exitCode == 0, "\(result)")
      for name in names { #expect(access(folder.file(out + "/" + name), F_OK) == 0, "\(name)") }
    }
    let refused = try KfrecProcess.run(
      ["-i", "a.jpg", "--container", "png", "-o", "-"], in: folder)
    #expect(refused.exitCode == 2, "\(refused)")
  }

  /// A movie of one colour, which is Display P3.
  func displayP3(_ name: String = "p3.mkv") throws -> String {
    try make(
      name, in: folder,
      [
        "-f", "lavfi", "-i",
        "color=0xc86464:s=64x48:r=10:d=0.3,format=gbrp,scale=out_color_matrix=bt709:out_range=tv,format=yuv444p",
        "-c:v", "ffv1", "-color_primaries", "smpte432", "-color_trc", "iec61966-2-1", "-colorspace",
        "bt709",
        "-color_range", "tv",
      ])
  }

  @Test("a frame of Display P3 keeps its colours in every picture, and that is told once")
  func wideColors() throws {
    let input = try displayP3()
    for (name, words) in [
      ("o.png", ["--frames", "1"]), ("o.jpg", ["--frames", "1"]), ("o.webp", ["--frames", "1"]),
      ("n-%d.png", []), ("n-%d.jpg", []),
    ] {
      let result = try KfrecProcess.run(["-y", "-i", input, "-o", name] + words, in: folder)
      #expect(result.exitCode == 0, "\(result)")
      let reported = result.errors.split(separator: "\n").filter {
        $0.contains("\(name) has colours of Display P3, as its ICC profile says")
      }
      #expect(reported.count == 1, "\(result)")
      let file = name.replacing("%d", with: "2")
      // The numbers stay, and a reader that knows profiles gets sRGB from them.
      let stored = try pixel(folder.file(file))
      #expect(zip(stored, [200, 100, 100]).allSatisfy { abs($0 - $1) <= 3 }, "\(file): \(stored)")
      let read = try KfrecProcess.run(["-y", "-i", file, "-o", "read.png"], in: folder)
      #expect(
        read.exitCode == 0
          && read.errors.contains("the profile \"Display P3\", which are converted"),
        "\(read)")
      let shown = try pixel(folder.file("read.png"))
      #expect(zip(shown, [215, 93, 97]).allSatisfy { abs($0 - $1) <= 4 }, "\(file): \(shown)")
    }
    let apng = try KfrecProcess.run(["-i", input, "-o", "o.apng"], in: folder)
    #expect(apng.exitCode == 0, "\(apng)")
    let chunks = Self.chunks(of: try readFile(folder.file("o.apng")))
    #expect(chunks.contains { $0.name == "iCCP" })
    let gif = try KfrecProcess.run(["-i", input, "-o", "o.gif"], in: folder)
    #expect(
      gif.exitCode == 0
        && gif.errors.contains("o.gif cannot say that its colours are those of Display P3"),
      "\(gif)")
  }

  @Test("the same picture with a profile has the same bytes")
  func profileBytes() throws {
    let input = try displayP3()
    for name in ["a.png", "b.png", "a.jpg", "b.jpg"] {
      let result = try KfrecProcess.run(["-i", input, "--frames", "1", "-o", name], in: folder)
      #expect(result.exitCode == 0, "\(result)")
      // The time in a profile has seconds.
      if name == "a.png" { sleep(1) }
    }
    #expect(try readFile(folder.file("a.png")) == readFile(folder.file("b.png")))
    #expect(try readFile(folder.file("a.jpg")) == readFile(folder.file("b.jpg")))
  }

  @Test("a picture that keeps PQ has no profile with another curve")
  func curveOfPQ() throws {
    try make(
      "pq.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "color=gray:s=64x48:r=10:d=0.1,format=yuv444p10le", "-c:v", "ffv1",
        "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc",
      ])
    let result = try KfrecProcess.run(
      ["-i", "pq.mkv", "--hdr", "keep", "--frames", "1", "-o", "o.png"], in: folder)
    #expect(result.exitCode == 0 && !result.errors.contains("ICC"), "\(result)")
    #expect(!Self.chunks(of: try readFile(folder.file("o.png"))).contains { $0.name == "iCCP" })
  }

  @Test("an animated WebP of Display P3 with what a camera wrote has its profile before the images")
  func wideAnimation() throws {
    let result = try KfrecProcess.run(["-i", try displayP3(), "-o", "o.webp"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let text = try runTool("webpmux", ["-info", folder.file("o.webp")])
    #expect(text.contains("ICC profile") && text.contains("Canvas size: 64 x 48"), "\(text)")
  }

  @Test("numbered images keep what the camera wrote and their colours, each its own")
  func numbered() throws {
    for number in 1...3 {
      var exif = Self.exif
      exif[10 + 8 + 2] = UInt8(ascii: "0") + UInt8(number)
      // Upright.
      exif[10 + 12 + 8] = 1
      let colors = number == 2 ? Self.chunk("cICP", [12, 13, 0, 1]) : []
      _ = try png("in-\(number).png", chunks: colors + Self.chunk("eXIf", exif))
    }
    for output in ["o-%d.png", "o-%d.jpg"] {
      let result = try KfrecProcess.run(["-i", "in-%d.png", "-o", output], in: folder)
      #expect(result.exitCode == 0, "\(result)")
      for number in 1...3 {
        let path = folder.file(output.replacing("%d", with: "\(number)"))
        let file = try readFile(path)
        let maker = Array("Ca\(number)\0".utf8)
        #expect(file.indices.contains { file[$0...].starts(with: maker) }, "\(path)")
        let expected = number == 2 ? [215, 93, 97] : [200, 100, 100]
        let found = try pixel(path)
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 3 }, "\(path): \(found)")
      }
    }
    let single = try KfrecProcess.run(
      ["-i", "in-%d.png", "--start", "0.04", "--frames", "1", "-o", "o.jpg"], in: folder)
    #expect(single.exitCode == 0, "\(single)")
    let file = try readFile(folder.file("o.jpg"))
    #expect(file.indices.contains { file[$0...].starts(with: "Ca2\0".utf8) })
    let bare = try KfrecProcess.run(
      ["-y", "-i", "in-%d.png", "--no-tags", "-o", "o-%d.jpg"], in: folder)
    #expect(bare.exitCode == 0, "\(bare)")
    let without = try readFile(folder.file("o-1.jpg"))
    #expect(!without.indices.contains { without[$0...].starts(with: "II*\0".utf8) })
  }

  @Test("what a JPEG has no room for is told, and other kinds hold it")
  func longData() throws {
    let exif = Self.exif + [UInt8](repeating: 0, count: 70_000)
    let input = try png("in.png", chunks: Self.chunk("eXIf", exif))
    for (output, isReported) in [
      ("o.jpg", true), ("o-%d.jpg", true), ("o.png", false), ("o.webp", false),
    ] {
      let words = output.contains("%") ? ["--frames", "2"] : []
      let result = try KfrecProcess.run(["-i", input, "-o", output] + words, in: folder)
      #expect(result.exitCode == 0, "\(result)")
      let reported = result.errors.split(separator: "\n").filter {
        $0.contains("has no room for \(exif.count) bytes of EXIF")
      }
      #expect(reported.count == (isReported ? 1 : 0), "\(result)")
    }
  }

  @Test("each orientation of EXIF gives an upright picture that says so", arguments: 1...8)
  func orientations(number: Int) throws {
    // A colour in each quarter: red, green, blue, white.
    let colors: [[UInt8]] = [[200, 30, 30], [30, 180, 30], [30, 30, 200], [220, 220, 220]]
    let (width, height) = (48, 32)
    let raw = (0..<height).flatMap { y in
      (0..<width).flatMap { x in colors[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] }
    }
    try folder.write(raw, to: "raw.rgb")
    var exif = Self.exif
    exif[10 + 12 + 8] = UInt8(number)
    let pixels = [
      "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "\(width)x\(height)", "-i",
      folder.file("raw.rgb"),
    ]
    let plain = try readFile(make("plain.png", in: folder, pixels))
    try folder.write(
      Array(plain[..<33]) + Self.chunk("eXIf", exif) + plain[33...], to: "in.png")
    let jpeg = try readFile(
      make("plain.jpg", in: folder, pixels + ["-q:v", "2", "-pix_fmt", "yuvj444p"]))
    let segment = Array("Exif\0\0".utf8) + exif
    let size = segment.count + 2
    try folder.write(
      [0xFF, 0xD8, 0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 0xFF)] + segment + jpeg[2...],
      to: "in.jpg")
    // The quarter of the stored picture that is shown at the top left, top right, bottom left and bottom right.
    let shown = [
      [0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0], [2, 3, 0, 1], [0, 2, 1, 3], [2, 0, 3, 1],
      [3, 1, 2, 0],
      [1, 3, 0, 2],
    ][number - 1]
    let isTurned = number > 4
    let (across, down) = isTurned ? (height, width) : (width, height)
    for (input, output) in [
      ("in.png", "o.png"), ("in.png", "o.jpg"), ("in.png", "o.webp"), ("in.jpg", "o.png"),
      ("in.jpg", "o.jpg"),
    ] {
      let result = try KfrecProcess.run(["-y", "-i", input, "-o", output], in: folder)
      #expect(result.exitCode == 0, "\(result)")
      let path = folder.file(output)
      #expect(
        try Probe.stream(path, "width,height") == ["width": "\(across)", "height": "\(down)"],
        "\(input) \(output)")
      let made = try Probe.pixels(path, "rgb24")
      for place in 0..<4 {
        let (x, y) = (across / 4 + (place % 2) * across / 2, down / 4 + (place / 2) * down / 2)
        let found = (0..<3).map { Int(made[(y * across + x) * 3 + $0]) }
        let expected = colors[shown[place]].map(Int.init)
        #expect(
          zip(found, expected).allSatisfy { abs($0 - $1) <= 8 },
          "\(input) \(output), quarter \(place): \(found), \(expected)")
      }
      let file = try readFile(path)
      let start = try #require(file.indices.first { file[$0...].starts(with: "II*\0".utf8) })
      #expect(file[start + 10 + 12 + 8] == 1, "\(input) \(output)")
      #expect(file[start + 52 + 8] == UInt8(across) && file[start + 64 + 8] == UInt8(down))
    }
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
}
