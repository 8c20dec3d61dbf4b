import Foundation
import TestSupport
import Testing

/// Tests of `--hdr` with the real program.
@Suite struct HDRTests {
  private static let display =
    "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"
  private static let tags = [
    "-color_range", "tv", "-colorspace", "bt2020nc", "-color_primaries", "bt2020",
  ]

  /// Makes a clip of a gray, as a luma code of 10 bits, in HEVC.
  private func clip(
    _ name: String, luma: Int = 512, transfer: String = "smpte2084", light: String? = display,
    in folder: TemporaryFolder
  ) throws -> String {
    try make(
      name, in: folder,
      [
        "-f", "lavfi", "-i",
        "color=black:s=64x64:d=0.2:r=10,format=yuv420p10le,geq=lum=\(luma):cb=512:cr=512",
      ] + Self.tags + [
        "-color_trc", transfer, "-c:v", "libx265", "-preset", "ultrafast", "-crf", "4",
        "-x265-params",
        (["log-level=none", light] as [String?]).compactMap(\.self).joined(separator: ":"),
      ])
  }

  private static let tagFields = "color_space,color_primaries,color_transfer"
  private static let bt709 = [
    "color_space": "bt709", "color_primaries": "bt709", "color_transfer": "bt709",
  ]
  private static let pq = [
    "color_space": "bt2020nc", "color_primaries": "bt2020", "color_transfer": "smpte2084",
  ]

  private func frames(_ path: String) throws -> String {
    try runTool("ffprobe", ["-v", "error", "-show_streams", "-show_frames", path])
  }

  @Test(
    "HDR becomes BT.709 with its tags and without data about its light, in every kind of output")
  func mapped() throws {
    let folder = try TemporaryFolder()
    // PQ of 203 cd/m²: 58.07 % of the way from 64 to 940.
    let input = try clip("in.mov", luma: 573, in: folder)
    for name in ["out.mov", "out.mp4", "out.mkv", "out.webm"] {
      let output = folder.file(name)
      let result = try KfrecProcess.run(["-i", input, "-o", output])
      #expect(result.exitCode == 0, "\(result)")
      #expect(result.errors.contains("HDR (PQ)") && result.errors.contains("1000 cd/m²"))
      #expect(try Probe.stream(output, Self.tagFields) == Self.bt709, "\(name)")
      let said = try frames(output)
      #expect(!said.contains("astering") && !said.contains("ontent light"), "\(name)")
    }
    // BT.2390 from 1000 cd/m² takes 203 to 159: 255 * (159 / 203)^(1/2.4).
    for name in ["out.png", "out.jpg", "out.gif", "out-%d.png"] {
      let result = try KfrecProcess.run(["-i", input, "-o", folder.file(name), "--frames", "1"])
      #expect(result.exitCode == 0, "\(result)")
      let read = folder.file(name == "out-%d.png" ? "out-1.png" : name)
      let pixels = try Probe.pixels(read, "rgb24")
      #expect(pixels.allSatisfy { abs(Int($0) - 230) <= 2 }, "\(name): \(pixels.prefix(3))")
    }
  }

  @Test("the peak is that of the light of the pixels, of the display, or 1000")
  func peak() throws {
    let folder = try TemporaryFolder()
    for (light, words) in [
      (Self.display + ":max-cll=600,300", "600 cd/m²"),
      (Self.display.replacing("10000000", with: "40000000"), "4000 cd/m²"),
      (nil, "1000 cd/m², because the file does not say how bright it is"),
    ] as [(String?, String)] {
      let input = try clip("in.mkv", light: light, in: folder)
      let result = try KfrecProcess.run(["-y", "-i", input, "-o", folder.file("out.mov")])
      #expect(result.exitCode == 0 && result.errors.contains(words), "\(result)")
    }
  }

  @Test("HLG becomes BT.709, and so does PQ that was written with 8 bits")
  func others() throws {
    let folder = try TemporaryFolder()
    let hlg = try clip("hlg.mov", transfer: "arib-std-b67", light: nil, in: folder)
    let eight = try make(
      "eight.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x64:d=0.2:r=10,format=yuv420p"] + Self.tags + [
        "-color_trc", "smpte2084", "-c:v", "libx264", "-preset", "ultrafast",
      ])
    for (input, words) in [(hlg, "HDR (HLG)"), (eight, "HDR (PQ)")] {
      let output = folder.file("out.mov")
      let result = try KfrecProcess.run(["-y", "-i", input, "-o", output, "-e", "invert"])
      #expect(result.exitCode == 0 && result.errors.contains(words), "\(result)")
      #expect(try Probe.stream(output, Self.tagFields) == Self.bt709)
    }
  }

  @Test(
    "--hdr keep writes HEVC of 10 bits with the tags and the data about the light",
    arguments: ["out.mov", "out.mp4", "out.mkv"])
  func kept(name: String) throws {
    let folder = try TemporaryFolder()
    let input = try clip("in.mkv", light: Self.display + ":max-cll=600,300", in: folder)
    for words in [[], ["-e", "invert"]] {
      let output = folder.file(name)
      let result = try KfrecProcess.run(["-y", "-i", input, "-o", output, "--hdr", "keep"] + words)
      #expect(result.exitCode == 0, "\(result)")
      #expect(result.errors.contains("HDR (PQ); its values are kept"), "\(result)")
      #expect(!result.errors.contains("left out"), "\(result)")
      #expect(try Probe.stream(output, Self.tagFields) == Self.pq)
      #expect(
        try Probe.stream(output, "codec_name,pix_fmt") == [
          "codec_name": "hevc", "pix_fmt": "yuv420p10le",
        ])
      let said = try frames(output)
      let (streams, frames) = (
        said.components(separatedBy: "[/FRAME]").last ?? "",
        said.components(separatedBy: "[/FRAME]").first ?? ""
      )
      for part in [streams, frames] {
        #expect(part.contains("max_content=600") && part.contains("max_average=300"), "\(part)")
        #expect(part.contains("side_data_type=Mastering display metadata"), "\(part)")
      }
      // 0.265 and 0.005 as fractions; ffprobe prints them as the container stores them.
      #expect(frames.contains("green_x=13250/50000") && frames.contains("min_luminance=50/10000"))
    }
  }

  @Test("frames that are kept and not changed have the same bytes")
  func unchanged() throws {
    let folder = try TemporaryFolder()
    let input = try clip("in.mkv", in: folder)
    let output = folder.file("out.mkv")
    let words = ["--hdr", "keep", "--codec", "ffv1"]
    let result = try KfrecProcess.run(["-i", input, "-o", output] + words)
    #expect(result.exitCode == 0, "\(result)")
    #expect(try Probe.stream(output, Self.tagFields) == Self.pq)
    #expect(try Probe.pixels(output) == Probe.pixels(input))
    #expect(try frames(output).contains("Mastering display metadata"))
  }

  @Test(
    "HDR is refused where there are 8 bits, and no file is left",
    arguments: [
      (["--codec", "h264"], "out.mov", "leave out --codec"),
      (["--pixel-format", "yuv420p"], "out.mov", "leave out --pixel-format, or"),
      (["--pixel-format", "rgb24"], "out.png", "--pixel-format rgb48be"),
      ([], "out.jpg", "write a movie"),
      ([], "out.gif", "--hdr keep"),
    ])
  func refused(words: [String], name: String, remedy: String) throws {
    let folder = try TemporaryFolder()
    let input = try clip("in.mkv", in: folder)
    let result = try KfrecProcess.run(
      ["-i", input, "-o", folder.file(name), "--hdr", "keep"] + words)
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.errors.contains("8 bits, which is too few"), "\(result)")
    #expect(result.errors.contains(remedy), "\(result)")
    #expect(!FileManager.default.fileExists(atPath: folder.file(name)))
  }

  @Test("an output without tags gets HDR with a warning", arguments: ["out.y4m", "out.yuv"])
  func untagged(name: String) throws {
    let folder = try TemporaryFolder()
    let input = try clip("in.mkv", in: folder)
    let result = try KfrecProcess.run(["-i", input, "-o", folder.file(name), "--hdr", "keep"])
    #expect(result.exitCode == 0 && result.errors.contains("looks pale"), "\(result)")
    // 64x64 pixels of 4:2:0 in 16-bit words.
    #expect(try readFile(folder.file(name)).count >= 2 * 64 * 64 * 3)
  }

  @Test("sources of the standard range are not changed by --hdr keep")
  func standardRange() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mp4", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x64:d=0.2:r=10", "-pix_fmt", "yuv420p", "-c:v",
        "libx264",
      ])
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input, "-o", output, "--hdr", "keep"])
    #expect(result.exitCode == 0 && !result.errors.contains("HDR"), "\(result)")
    #expect(
      try Probe.stream(output, "codec_name,pix_fmt") == [
        "codec_name": "h264", "pix_fmt": "yuv420p",
      ])
  }

  @Test("clips of both ranges follow each other in the standard range")
  func mixed() throws {
    let folder = try TemporaryFolder()
    let bright = try clip("hdr.mkv", luma: 573, in: folder)
    let plain = try make(
      "sdr.mp4", in: folder,
      [
        "-f", "lavfi", "-i",
        "color=black:s=64x64:d=0.2:r=10,format=yuv420p,geq=lum=214:cb=128:cr=128",
      ] + [
        "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc",
        "bt709", "-c:v", "libx264", "-qp", "0",
      ])
    for inputs in [[bright, plain], [plain, bright]] {
      let output = folder.file("out.mkv")
      let result = try KfrecProcess.run(
        ["-y", "-i", inputs[0], "-i", inputs[1], "-o", output, "--codec", "ffv1"])
      #expect(result.exitCode == 0 && !result.errors.contains("others are not"), "\(result)")
      let lumas = try Probe.pixels(output, "gray")
      #expect(lumas.allSatisfy { abs(Int($0) - Int(lumas[0])) <= 4 })
      #expect(try Probe.stream(output, Self.tagFields) == Self.bt709)
    }
  }

  @Test(
    "frames of HDR behind others in one file become what they become in a file of their own",
    arguments: ["smpte2084", "arib-std-b67"])
  func changedInMidStream(transfer: String) throws {
    let folder = try TemporaryFolder()
    func part(_ name: String, _ tags: [String]) throws -> [UInt8] {
      try readFile(
        make(
          name, in: folder,
          [
            "-f", "lavfi", "-i",
            "color=black:s=64x64:d=0.4:r=10,format=yuv420p,geq=lum=143:cb=128:cr=128",
          ] + tags + ["-color_range", "tv", "-c:v", "libx264", "-qp", "0"]))
    }
    let plain = try part(
      "sdr.ts",
      ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"])
    let bright = try part("hdr.ts", Self.tags + ["-color_trc", transfer])
    try folder.write(plain + bright, to: "both.ts")
    func grays(_ name: String) throws -> (values: [UInt8], errors: String) {
      let result = try KfrecProcess.run(
        ["-y", "-i", folder.file(name), "-o", folder.file("out.mkv"), "--codec", "ffv1"])
      #expect(result.exitCode == 0, "\(result)")
      return (
        try Probe.pixels(folder.file("out.mkv"), filters: ["crop=2:2", "extractplanes=y"]),
        result.errors
      )
    }
    let (alone, both) = (try grays("hdr.ts").values, try grays("both.ts"))
    #expect(both.errors.contains("other colours (HDR)"), "\(both)")
    #expect(
      both.values.count == 8 * 4 && both.values.prefix(16).allSatisfy { abs(Int($0) - 143) <= 1 })
    let value = try #require(alone.first)
    #expect(abs(Int(value) - 143) > 4)
    #expect(
      both.values.suffix(12).allSatisfy { abs(Int($0) - Int(value)) <= 1 }, "\(both) \(alone)")
  }

  /// Adds a Dolby Vision configuration (32 bytes of `dvcC`) to the only video of an MP4 whose index is at its end.
  private func addConfiguration(profile: UInt8, compatibility: UInt8, to path: String) throws {
    var bytes = try readFile(path)
    func place(of name: String) throws -> Int {
      let wanted = Array(name.utf8)
      return try #require(
        bytes.indices.last { bytes[$0...].prefix(4).elementsEqual(wanted) })
    }
    // Version 1.0, level 1, RPU and base layer present.
    var box: [UInt8] = [0, 0, 0, 32] + Array("dvcC".utf8)
    box += [1, 0, profile << 1, 1 << 3 | 0b101, compatibility << 4]
    box += [UInt8](repeating: 0, count: 19)
    let end = try place(of: "hvcC") - 4
    for name in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "hvc1"] {
      let start = try place(of: name) - 4
      let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + 32
      for index in 0..<4 { bytes[start + index] = UInt8(size >> (24 - 8 * index) & 255) }
    }
    bytes.insert(contentsOf: box, at: end)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  @Test(
    "Dolby Vision is read as its base layer, if other players can show that, and refused if not")
  func dolbyVision() throws {
    let folder = try TemporaryFolder()
    let input = try clip("in.mkv", in: folder)
    for (profile, compatibility) in [(8, 1), (8, 4), (5, 0)] as [(UInt8, UInt8)] {
      let movie = try make(
        "in\(profile)\(compatibility).mp4", in: folder,
        ["-i", input, "-c", "copy", "-tag:v", "hvc1"])
      try addConfiguration(profile: profile, compatibility: compatibility, to: movie)
      try #require(try frames(movie).contains("dv_profile=\(profile)"))
      let output = folder.file("out\(profile)\(compatibility).mov")
      let result = try KfrecProcess.run(["-i", movie, "-o", output])
      if profile == 5 {
        #expect(
          result.exitCode == 1 && result.errors.contains("Dolby Vision of profile 5"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: output))
      } else {
        #expect(result.exitCode == 0 && result.errors.contains("Dolby Vision data"), "\(result)")
      }
    }
  }
}
