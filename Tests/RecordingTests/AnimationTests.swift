import Frames
import Glibc
import TestSupport
import Testing

/// Tests of GIF, animated PNG and animated WebP, with FFmpeg and libwebp's tools as independent readers.
@Suite struct AnimationTests {
  private static let rate = "30000/1001"

  /// Makes a movie of 7 frames, each with its own flat colours.
  private func source(in folder: TemporaryFolder, rate: String = rate) throws -> String {
    try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i",
        "smptebars=s=64x48:r=\(rate)[a];color=orange:s=8x48:r=\(rate)[b];[a][b]overlay=x=8*n,format=bgr0",
        "-frames:v", "7", "-c:v", "ffv1",
      ])
  }

  /// Returns a line of `webpmux -info` for each image: its size, duration and so on.
  private func webPImages(_ path: String) throws -> [[String]] {
    let text = try runTool("webpmux", ["-info", path])
    return text.split(separator: "\n").map { line in
      line.split(whereSeparator: { $0 == " " || $0 == ":" }).map(String.init)
    }.filter { $0.count > 8 && Int($0[0]) != nil }
  }

  /// Waits until a file that grows has some frames.
  private func waitForFrames(_ count: Int, in path: String) {
    waitUntil(every: 0.1) { frameCount(of: path) ?? 0 >= count }
  }

  @Test("each frame is shown at its time, rounded once from the exact one")
  func times() throws {
    let folder = try TemporaryFolder()
    let input = try source(in: folder)
    for name in ["a.gif", "a.apng", "a.webp"] {
      let result = try KfrecProcess.run(["-i", input, "-o", name, "--force-gpu"], in: folder)
      #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    }
    let times = (0...7).map { Rational($0) * Rational(1001, 30_000) }
    // Matroska's milliseconds are what the input says.
    let rounded = times.map { Rational($0.ticks(timeBase: Rational(1, 1000)), 1000) }
    let gif = try Timeline(folder.file("a.gif"))
    #expect(
      gif.times == rounded.dropLast().map { Rational($0.ticks(timeBase: Rational(1, 100)), 100) })
    #expect(try Timeline(folder.file("a.apng")).times == Array(rounded.dropLast()))
    let durations = try webPImages(folder.file("a.webp")).compactMap { Int64($0[6]) }
    #expect(durations.count == 7)
    #expect(
      durations.dropLast()
        == zip(rounded.dropFirst(), rounded).map { ($0 - $1).ticks(timeBase: Rational(1, 1000)) }
        .dropLast())
    #expect((32...34).contains(durations.last ?? 0), "\(durations)")
  }

  @Test(
    "an APNG and a lossless WebP have the pixels of a PNG, and a GIF too if its colours are few")
  func pixels() throws {
    let folder = try TemporaryFolder()
    let input = try source(in: folder)
    for words in [
      ["-o", "a-%d.png"], ["-o", "a.apng"], ["-o", "a.gif"],
      ["-o", "a.webp", "--encoder-option", "lossless=1", "--frames", "1"],
    ] {
      let result = try KfrecProcess.run(["-i", input] + words, in: folder)
      #expect(result.exitCode == 0, "\(result)")
    }
    let expected = try Probe.pixels(folder.file("a-%d.png"), "rgb24")
    #expect(expected.count == 7 * 64 * 48 * 3)
    #expect(try Probe.pixels(folder.file("a.apng"), "rgb24") == expected)
    #expect(try Probe.pixels(folder.file("a.gif"), "rgb24") == expected)
    try runTool("dwebp", ["-quiet", folder.file("a.webp"), "-o", folder.file("webp.png")])
    #expect(
      try Probe.pixels(folder.file("webp.png"), "rgb24") == Array(expected.prefix(64 * 48 * 3)))
  }

  @Test("a WebP shows what a PNG shows, and keeps transparency")
  func lossyWebP() throws {
    let folder = try TemporaryFolder()
    let words = ["-i", "color:c8503280", "--size", "64x48", "--frames", "1"]
    #expect(try KfrecProcess.run(words + ["-o", "a.webp"], in: folder).exitCode == 0)
    let image = folder.file("a.webp")
    #expect(try runTool("webpmux", ["-info", image]).contains("transparency"))
    try runTool("dwebp", ["-quiet", image, "-o", folder.file("one.png")])
    let pixel = try Probe.pixels(folder.file("one.png"), "rgba").prefix(4).map(Int.init)
    #expect(zip(pixel, [200, 80, 50, 128]).allSatisfy { abs($0 - $1) <= 3 }, "\(pixel)")
  }

  @Test(
    "a GIF of a few pixels has their colours",
    arguments: [(1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (2, 4), (1, 17), (17, 1), (9, 9)])
  func smallest(width: Int, height: Int) throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "color=red:s=\(width)x\(height):r=10:d=0.3,format=rgb24", "-c:v",
        "png",
      ])
    let result = try KfrecProcess.run(["-i", input, "-o", "a.gif"], in: folder)
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    let pixels = try Probe.pixels(folder.file("a.gif"), "rgba")
    #expect(pixels.count == 3 * 4 * width * height)
    let wrong = pixels.indices.filter { abs(Int(pixels[$0]) - [255, 0, 0, 255][$0 % 4]) > 4 }
    #expect(wrong.isEmpty, "\(wrong.prefix(9))")
  }

  @Test("a still image becomes an animation of one frame, which is a plain image")
  func still() throws {
    let folder = try TemporaryFolder()
    try make("in.png", in: folder, ["-f", "lavfi", "-i", "smptebars=s=64x48", "-frames:v", "1"])
    for name in ["a.gif", "a.apng", "a.webp"] {
      let result = try KfrecProcess.run(["-i", "in.png", "-o", name], in: folder)
      #expect(result.exitCode == 0 && result.errors.contains("1 frame in, 1 out"), "\(result)")
    }
    let png = try readFile(folder.file("a.apng"))
    #expect(!png.contains(Array("acTL".utf8)))
    #expect(try readFile(folder.file("a.gif")).last == 0x3B)
    try runTool("dwebp", ["-quiet", folder.file("a.webp"), "-o", folder.file("webp.png")])
  }

  @Test("--plays sets how often an animation is shown; without it there is no end")
  func plays() throws {
    let folder = try TemporaryFolder()
    let input = try source(in: folder)
    for (plays, repeats) in [("0", [0x03, 0x01, 0, 0]), ("1", nil), ("3", [0x03, 0x01, 2, 0])]
      as [(String, [UInt8]?)]
    {
      for name in ["a.gif", "a.apng", "a.webp"] {
        let words = plays == "0" ? [] : ["--plays", plays]
        let result = try KfrecProcess.run(["-y", "-i", input, "-o", name] + words, in: folder)
        #expect(result.exitCode == 0, "\(result)")
      }
      let gif = try readFile(folder.file("a.gif"))
      let name = Array("NETSCAPE2.0".utf8)
      #expect(gif.contains(repeats.map { name + $0 } ?? name) == (repeats != nil), "\(plays)")
      let png = try readFile(folder.file("a.apng"))
      let count = UInt8(plays) ?? 0
      #expect(png.contains(Array("acTL".utf8) + [0, 0, 0, 7, 0, 0, 0, count]), "\(plays)")
      #expect(
        try runTool("webpmux", ["-info", folder.file("a.webp")]).contains("Loop Count : \(plays)\n")
      )
    }
  }

  @Test("a GIF leaves out frames that it cannot show in time, and says so")
  func fast() throws {
    let folder = try TemporaryFolder()
    let input = try source(in: folder, rate: "100")
    let result = try KfrecProcess.run(["-i", input, "-o", "a.gif"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errors.contains("a.gif is without 3 frames that came sooner"), "\(result)")
    #expect(try Timeline(folder.file("a.gif")).times == [0, 2, 4, 6].map { Rational($0, 100) })
    #expect(folder.names == ["a.gif", "in.mkv"])
  }

  @Test("of two frames that a GIF cannot both show, the one that stays is shown, to its end")
  func brief() throws {
    let folder = try TemporaryFolder()
    // White for a thousandth of a second, gray for nearly a second, black for a tenth.
    let input = try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i",
        "color=white:s=16x16:r=10:d=0.3,format=gray,geq=lum='if(eq(N,0),255,if(eq(N,1),128,0))'",
        "-vf", "settb=1/1000,setpts='if(eq(N,0),0,if(eq(N,1),1,1000))'", "-fps_mode", "passthrough",
        "-enc_time_base", "1/1000", "-c:v",
        "ffv1",
      ])
    let result = try KfrecProcess.run(["-i", input, "-o", "a.gif"], in: folder)
    #expect(result.exitCode == 0 && result.errors.contains("without 1 frame"), "\(result)")
    #expect(try Timeline(folder.file("a.gif")).times == [.zero, Rational(1)])
    let pixels = try Probe.pixels(folder.file("a.gif"), "gray")
    #expect((120...136).contains(pixels[0]) && pixels[256] < 8, "\(pixels[0]) \(pixels[256])")
  }

  @Test("frames that stay the same at the end of a WebP are shown for their whole time")
  func stillEnd() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "still.mkv", in: folder,
      [
        "-i", try source(in: folder, rate: "25"), "-vf", "tpad=stop_mode=clone:stop=18", "-c:v",
        "ffv1",
      ])
    let result = try KfrecProcess.run(["-i", input, "-o", "a.webp"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let durations = try webPImages(folder.file("a.webp")).compactMap { Int($0[6]) }
    #expect(durations.count == 7 && durations.reduce(0, +) == 1000, "\(durations)")
  }

  @Test("the kinds of dither differ, and each uses at most 256 colours")
  func dithers() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i",
        "nullsrc=s=64x48:d=0.2,format=gbrp,geq=r=4*X:g=5*Y:b=128+127*sin(N+X*Y/99)",
        "-c:v", "ffv1", "-pix_fmt", "bgr0",
      ])
    var found: Set<[UInt8]> = []
    for dither in ["none", "ordered", "diffusion"] {
      let result = try KfrecProcess.run(
        ["-i", input, "-o", "\(dither).gif", "--dither", dither], in: folder)
      #expect(result.exitCode == 0, "\(result)")
      let pixels = try Probe.pixels(folder.file("\(dither).gif"), "rgb24")
      found.insert(pixels)
      let colors = Set(
        stride(from: 0, to: pixels.count, by: 3).map { Array(pixels[$0..<($0 + 3)]) })
      #expect(colors.count <= 256)
      let original = try Probe.pixels(input, "rgb24")
      // FFmpeg 7 chooses other colours: 23.5 dB with diffusion.
      #expect(Difference(original, pixels).psnr > 23, "\(dither)")
    }
    #expect(found.count == 3)
  }

  @Test("a WebP whose images leave some of its first frame transparent says that it has alpha")
  func uncoveredWebP() throws {
    let folder = try TemporaryFolder()
    // The right half, and then the whole: no image has alpha.
    let input = try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i",
        "color=red:s=32x16:r=5:d=0.4,format=rgba,geq=r=255:g=0:b=0:a='if(eq(N,1)+gte(X,16),255,0)'",
        "-c:v", "ffv1", "-pix_fmt", "bgra",
      ])
    let result = try KfrecProcess.run(["-i", input, "-o", "a.webp"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    // RFC 9649, 2.7: the flags follow the head of VP8X.
    let bytes = try readFile(folder.file("a.webp"))
    #expect(
      bytes[20] & 0x10 != 0 && !bytes.indices.contains { bytes[$0...].starts(with: "ALPH".utf8) })
  }

  @Test(
    "options of movies are refused for animations, and pipes too",
    arguments: [
      (
        ["-o", "a.gif", "--codec", "vp9"],
        "--codec is for movies, and GIF has an encoder of its own"
      ),
      (["-o", "a.webp", "--crf", "20"], "give --encoder-option quality=90"),
      (["-o", "a.apng", "--pixel-format", "rgb24"], "--pixel-format is for movies"),
      (["-o", "a.gif", "-o", "b.webp"], "a.gif takes RGB with alpha and b.webp 4:2:0 by BT.601"),
      (["-o", "-", "--container", "gif"], "--container takes"),
      (["-o", "a.gif", "--plays", "70000"], "--plays takes a"),
      (["-o", "a.gif", "--encoder-option", "quality=2"], "gif has no option \"quality\""),
    ])
  func refused(words: [String], says: String) throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(["-i", "testsrc", "--frames", "1"] + words, in: folder)
    #expect(result.exitCode == 2 && result.errors.contains(says), "\(result)")
    #expect(folder.names.isEmpty)
  }

  @Test("a pipe is no place for an animation")
  func pipe() throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.file("a.gif"), 0o600)
    let result = try KfrecProcess.run(
      ["-i", "testsrc", "--frames", "1", "-o", "a.gif"], in: folder)
    #expect(result.exitCode == 2 && result.errors.contains("name a file"), "\(result)")
  }

  @Test("Ctrl-C completes each animation", arguments: ["out.gif", "out.apng", "out.webp"])
  func stopped(_ name: String) throws {
    let folder = try TemporaryFolder()
    let child = try KfrecProcess.start(
      ["-i", "testsrc", "--size", "64x48", "-o", name, "--progress", "bar"], in: folder)
    #expect(child.waitForError(" fps"))
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result)")
    #expect(folder.names == [name])
    if name != "out.webp" { #expect((frameCount(of: folder.file(name)) ?? 0) > 0) }
  }

  @Test("a live WebP is warned of, because nothing of it survives a crash")
  func liveWebP() throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      ["-i", "testsrc", "--size", "64x48", "--frames", "2", "--realtime", "-o", "a.webp"],
      in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errors.contains("a.webp is written when the recording ends"), "\(result)")
  }

  @Test("what a killed GIF recording has can be played, and the next one keeps it")
  func killed() throws {
    let folder = try TemporaryFolder()
    let words = ["-i", "testsrc", "--size", "64x48", "-o", "out.gif", "--realtime"]
    let child = try KfrecProcess.start(words + ["--progress", "bar"], in: folder)
    let part = folder.file("out.gif.frames.mkv.part")
    waitForFrames(5, in: part)
    child.send(SIGKILL)
    _ = child.wait()
    let count = try #require(frameCount(of: part))
    #expect(count >= 5)
    let next = try KfrecProcess.run(words + ["--frames", "3"], in: folder)
    #expect(next.exitCode == 0, "\(next)")
    #expect(next.errors.contains("kept as"), "\(next)")
    #expect(folder.names == ["out.gif", "out.gif.frames.recovered.mkv"])
    #expect(frameCount(of: folder.file("out.gif.frames.recovered.mkv")) == count)
    #expect(frameCount(of: folder.file("out.gif")) == 3)
  }

  @Test("an APNG that was killed can be read, and the next one keeps it")
  func killedPNG() throws {
    let folder = try TemporaryFolder()
    let words = ["-i", "testsrc", "--size", "64x48", "-o", "out.apng", "--realtime"]
    let child = try KfrecProcess.start(words, in: folder)
    let part = folder.file("out.apng.part")
    waitForFrames(2, in: part)
    child.send(SIGKILL)
    _ = child.wait()
    #expect((frameCount(of: part) ?? 0) >= 2)
    let next = try KfrecProcess.run(words + ["--frames", "3"], in: folder)
    #expect(next.exitCode == 0 && next.errors.contains("out.recovered.apng"), "\(next)")
    #expect(folder.names == ["out.apng", "out.recovered.apng"])
  }

  @Test(
    "a full disk leaves no half GIF, and keeps and names the frames",
    .enabled(if: getuid() == 0, "only root may mount a small disk"))
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    guard let disk = try SmallDisk(in: folder, size: "448k") else { return }
    defer { withExtendedLifetime(disk) {} }
    // Noise, so that the frames exceed 500 KB.
    try make(
      "noise.mkv", in: folder,
      [
        "-f", "lavfi", "-i",
        "nullsrc=s=320x240:d=0.6:r=10,geq=random(1)*255:random(1)*255:random(1)*255,format=bgr0",
        "-c:v", "ffv1",
      ])
    let result = try KfrecProcess.run(["-i", "noise.mkv", "-o", "disk/out.gif"], in: folder)
    #expect(result.exitCode == 1 || result.exitCode == 3, "\(result)")
    #expect(result.errors.contains("the file system is full"), "\(result)")
    let kept = namesInFolder(disk.path)
    #expect(kept == ["out.gif.frames.mkv"] || kept == ["out.gif"], "\(kept)")
    if kept == ["out.gif.frames.mkv"] {
      #expect(result.errors.contains("kept as"), "\(result)")
      #expect((frameCount(of: folder.file("disk/" + kept[0])) ?? 0) > 0)
    }
  }
}
