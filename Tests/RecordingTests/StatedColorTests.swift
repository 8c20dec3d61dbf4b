import TestSupport
import Testing

/// Tests that no output has colours that it does not state.
@Suite struct StatedColorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ words: String) throws -> ChildResult {
    try KfrecProcess.run(words.split(separator: " ").map(String.init), in: folder)
  }

  /// Makes a gray of full range with chroma in the centre, whose first colour difference grows by 4 in a pixel.
  private func source() throws {
    try make(
      "in.mp4", in: folder,
      [
        "-f", "lavfi", "-i",
        "color=gray:s=64x48:d=0.2,format=yuvj420p,geq=lum=191:cb='16+8*X':cr=128",
        "-c:v", "libx264", "-qp", "0", "-color_range", "pc", "-colorspace", "bt709",
        "-color_primaries", "bt709", "-color_trc", "bt709",
        "-bsf:v", "h264_metadata=chroma_sample_loc_type=1",
      ])
  }

  private static let outputs = [
    ("prores", "mov"), ("prores", "mkv"), ("mpeg2video", "mov"), ("mpeg2video", "mkv"),
    ("mpeg4", "mov"), ("mpeg4", "mp4"), ("jpeg2000", "mov"), ("v210", "mov"), ("mjpeg", "mov"),
    ("h264", "mov"), ("ffv1", "mkv"), ("libvpx", "webm"),
  ]

  @Test(
    "values of the full range become what readers of the output take them for", arguments: outputs)
  func range(codec: String, container: String) throws {
    try source()
    let result = try run("-i in.mp4 --frames 1 --codec \(codec) -o o.\(container)")
    #expect(result.exitCode == 0, "\(result)")
    // Green hangs least on the colour difference that grows; its weight times the difference is known.
    let pixels = try Probe.pixels(folder.file("o.\(container)"), "gray")
    let stated = try Probe.stream(folder.file("o.\(container)"), "color_range")["color_range"]
    #expect(pixels.count >= 64 * 48)
    let middle = Int(pixels[24 * 64 + 32])
    // FFmpeg's gray has the full range.
    #expect(abs(middle - 191) <= 2, "\(codec) in \(container): \(middle), \(stated ?? "")")
  }

  @Test("chroma lies where readers of the output take it to lie", arguments: outputs)
  func siting(codec: String, container: String) throws {
    try source()
    let result = try run("-i in.mp4 --range limited --frames 1 --codec \(codec) -o o.\(container)")
    guard codec != "mjpeg" else {
      #expect(result.exitCode == 2 && result.errors.contains("have the limited range"), "\(result)")
      return
    }
    #expect(result.exitCode == 0, "\(result)")
    let path = folder.file("o.\(container)")
    let said = try Probe.stream(path, "chroma_location")["chroma_location"]
    let format =
      try Probe.stream(path, "pix_fmt")["pix_fmt"]?.contains("422") == true
      ? "yuv422p" : "yuv420p"
    let planes = try Probe.pixels(path, format)
    let row = 64 * 48 + 32 * (format == "yuv422p" ? 20 : 10)
    // Of limited range: 8 of 255 codes in two pixels are 7.03 of 224, and half a pixel is 1.76.
    let centre: Double = 128 + 8 * 224.0 / 255
    let expected = said == "center" ? centre : centre - 1.76
    #expect(abs(Double(planes[row + 15]) - expected) <= 0.9, "\(planes[row + 15]), \(expected)")
  }

  @Test("a range that the output cannot state is refused with the remedy")
  func refusedRange() throws {
    try source()
    for words in [
      "--codec prores -o o.mov", "--codec mpeg4 -o o.mov", "--codec mpeg2video -o o.mkv",
    ] {
      let result = try run("-i in.mp4 --range full \(words)")
      #expect(result.exitCode == 2 && result.errors.contains("leave out --range"), "\(result)")
    }
    let kept = try run("-i in.mp4 --range full --codec ffv1 -o o.mkv")
    #expect(kept.exitCode == 0, "\(kept)")
  }

  // FFmpeg's encoder writes 0 for sRGB: readers then had another curve, or, with FFmpeg 9, converted no frame.
  @Test("the header of a ProRes frame has the colours", arguments: ["prores", "prores_ks"])
  func proResHeader(codec: String) throws {
    let result = try run("-i testsrc --size 64x48 --frames 2 --codec \(codec) -o o.mov")
    #expect(result.exitCode == 0, "\(result)")
    let expected = [
      "color_primaries": "bt709", "color_transfer": "iec61966-2-1", "color_space": "smpte170m",
    ]
    for part in ["frame", "stream"] {
      let words = "\(part)=color_primaries,color_transfer,color_space"
      for row in try Probe.rows(folder.file("o.mov"), words, of: "v:0") {
        #expect(row == expected, "\(part)")
      }
    }
    #expect(try Probe.pixels(folder.file("o.mov"), "gray").count == 64 * 48 * 2)
  }

  @Test("RGB says that options for YCbCr change nothing")
  func ofRGB() throws {
    try make(
      "in.mkv", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=32x24:d=0.1", "-c:v", "ffv1", "-pix_fmt", "gbrp"])
    for option in ["--input-range limited", "--input-matrix bt709"] {
      let result = try run("-y -i in.mkv \(option) -o o.mov")
      #expect(result.exitCode == 0 && result.errors.contains("change nothing"), "\(result)")
    }
    #expect(try !run("-y -i in.mkv -o o.mov").errors.contains("change nothing"))
  }

  @Test("pictures of standard television and gray ones are read back as they were written")
  func picturesOfVideo() throws {
    for (name, tags) in [
      (
        "sd.mkv",
        ["-color_primaries", "smpte170m", "-color_trc", "smpte170m", "-colorspace", "smpte170m"]
      ),
      (
        "pal.mkv",
        ["-color_primaries", "bt470bg", "-color_trc", "smpte170m", "-colorspace", "bt470bg"]
      ),
      ("gray.mkv", ["-color_primaries", "bt2020", "-color_trc", "bt709", "-pix_fmt", "gray"]),
    ] {
      try make(
        name, in: folder,
        ["-f", "lavfi", "-i", "testsrc2=s=32x24:d=0.04", "-c:v", "ffv1"] + tags)
      for ending in ["png", "apng"] {
        for words in [
          "-i \(name) --frames 1 -o a.\(ending)", "-i a.\(ending) --frames 1 -o b.\(ending)",
        ] {
          let result = try run("-y " + words)
          #expect(result.exitCode == 0 && !result.errors.contains("profile"), "\(result)")
        }
        let pictures = try ["a", "b"].map {
          try Probe.pixels(folder.file("\($0).\(ending)"), "rgb24")
        }
        #expect(pictures[0] == pictures[1], "\(name) \(ending)")
        let formats = try ["a", "b"].map {
          try Probe.stream(folder.file("\($0).\(ending)"), "pix_fmt")["pix_fmt"]
        }
        #expect(formats[0] == formats[1] && (name != "gray.mkv" || formats[0] == "gray"))
      }
    }
  }

  @Test("a gray TIFF keeps its values, and a TIFF's orientation turns it")
  func tiff() throws {
    let plain = try readFile(
      make(
        "in.tif", in: folder,
        [
          "-f", "lavfi", "-i", "testsrc2=s=32x24:d=0.04", "-pix_fmt", "gray", "-compression_algo",
          "raw",
        ]))
    let kept = try run("-i in.tif -o a.png")
    #expect(kept.exitCode == 0 && !kept.errors.contains("profile"), "\(kept)")
    #expect(
      try Probe.pixels(folder.file("in.tif"), "gray") == Probe.pixels(folder.file("a.png"), "gray"))
    // One more entry in a directory that is copied to the end of the file.
    func number(_ at: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(plain[at + $1]) << (8 * $1) }
    }
    let directory = number(4, 4)
    let count = number(directory, 2)
    let entries = Array(plain[(directory + 2)..<(directory + 2 + 12 * count)])
    let place =
      stride(from: 0, to: entries.count, by: 12).first {
        Int(entries[$0]) | Int(entries[$0 + 1]) << 8 > 0x112
      } ?? entries.count
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let turned = bytes(0x112, 2) + bytes(3, 2) + bytes(1, 4) + bytes(6, 4)
    let made = bytes(count + 1, 2) + entries[..<place] + turned + entries[place...] + bytes(0, 4)
    try folder.write(
      Array(plain[..<4]) + bytes(plain.count, 4) + plain[8...] + made, to: "turned.tif")
    let result = try run("-i turned.tif -o b.png")
    #expect(result.exitCode == 0, "\(result)")
    #expect(
      try Probe.stream(folder.file("b.png"), "width,height") == ["width": "24", "height": "32"])
  }

  @Test("a WebP says that it cannot hold pixels that are not square")
  func shapeOfPixels() throws {
    try make(
      "in.mkv", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.04,setsar=16/11", "-c:v", "ffv1"])
    let result = try run("-i in.mkv --frames 1 -o o.webp")
    #expect(result.exitCode == 0 && result.errors.contains("not square"), "\(result)")
    let square = try run("-y -i in.mkv --size 93x48 --frames 1 -o o.webp")
    #expect(square.exitCode == 0 && !square.errors.contains("not square"), "\(square)")
  }

  @Test("a conversion of woven fields with half the lines of chroma is told")
  func wovenChroma() throws {
    try make(
      "in.mp4", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.2,setfield=tff", "-c:v", "libx264", "-flags",
        "+ildct",
      ])
    let reported = try run("-i in.mp4 --deinterlace off -e vignette -o a.mov")
    #expect(
      reported.exitCode == 0 && reported.errors.contains("mixes the colours of the two fields"),
      "\(reported)")
    let kept = try run("-i in.mp4 --deinterlace off -o b.mov")
    #expect(kept.exitCode == 0 && !kept.errors.contains("mixes"), "\(kept)")
  }
}
