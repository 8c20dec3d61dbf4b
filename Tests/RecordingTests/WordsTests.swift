import TestSupport
import Testing

/// The effect `text` in the real program.
@Suite struct WordsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A black video of three frames, 160x90, with a time at which it was made if there is one.
  private func input(made: String? = nil) throws -> String {
    let tag = made.map { ["-metadata", "creation_time=\($0)"] } ?? []
    return try make(
      "in.mp4", in: folder,
      ["-f", "lavfi", "-i", "color=black:s=160x90:r=10:d=0.3", "-c:v", "libx264"] + tag)
  }

  /// The frames that kfrec makes, gray.
  private func frames(
    _ input: String, _ effect: String, _ words: [String] = []
  ) throws -> [[UInt8]] {
    let out = folder.file("out.mkv")
    let result = try KfrecProcess.run(
      [
        "-i", input, "-e", effect, "--codec", "ffv1", "--pixel-format", "yuv444p", "-y", "-o", out,
      ] + words)
    #expect(result.exitCode == 0, "\(result)")
    let pixels = try Probe.pixels(out, "gray")
    return stride(from: 0, to: pixels.count, by: 160 * 90).map { Array(pixels[$0..<$0 + 160 * 90]) }
  }

  @Test("words are the same in all frames, and places change with the frame in their own place")
  func changes() throws {
    let input = try input()
    let still = try frames(input, "text:text=frame,size=0.3,at=topLeft")
    #expect(still.count == 3 && Set(still).count == 1 && still[0].contains { $0 > 200 })
    let counted = try frames(input, "text:text=frame {frame},size=0.3,at=topLeft")
    #expect(Set(counted).count == 3)
    // The unchanged word in front stays to the bit.
    let width = 70
    for frame in counted {
      #expect(
        (0..<90).allSatisfy { y in
          frame[y * 160..<y * 160 + width] == still[0][y * 160..<y * 160 + width]
        })
    }
  }

  @Test("the time code is that of the source, also from a later start")
  func timecode() throws {
    let input = try make(
      "coded.mov", in: folder,
      [
        "-f", "lavfi", "-i", "color=black:s=160x90:r=10:d=0.3", "-c:v", "libx264", "-timecode",
        "10:20:30:08",
      ])
    let effect = "text:text={timecode},size=0.2"
    let codes = try ["10:20:30:08", "10:20:30:09", "10:20:31:00"].map {
      try frames(input, "text:text=\($0),size=0.2")[0]
    }
    #expect(try frames(input, effect) == codes)
    #expect(try frames(input, effect, ["--start", "0.1"]) == Array(codes[1...]))
    #expect(try frames(input, effect, ["--frame-range", "1-2"]) == Array(codes[1...]))
    // Also where its time runs otherwise.
    #expect(try frames(input, effect, ["--reverse"]) == codes.reversed())
    #expect(try frames(input, effect, ["--speed", "0.5"]) == codes)
    let twice = try frames(input, effect, ["--start", "0.1", "--loop", "2"])
    #expect(twice == Array(codes[1...] + codes[1...]))
  }

  @Test("half-transparent letters show what is behind them, and not their outline")
  func translucent() throws {
    let white = try make(
      "white.png", in: folder, ["-f", "lavfi", "-i", "color=white:s=160x90", "-frames:v", "1"])
    let result = try KfrecProcess.run([
      "-i", white, "-e",
      "text:text=MM,size=0.9,color=00000080,outlineColor=ffffff,at=center", "-y", "-o",
      folder.file("out.png"),
    ])
    #expect(result.exitCode == 0, "\(result)")
    let pixels = try Probe.pixels(folder.file("out.png"), "gray")
    // Black at half, in the middle of a thick letter.
    #expect((125...129).contains(pixels.min() ?? 0), "\(String(describing: pixels.min()))")
  }

  @Test("words as high as the frame are whole")
  func high() throws {
    let input = try input()
    let rows = try frames(input, "text:text=Wgj,size=0.8,at=top,margin=0,outline=0.02")[0]
    // The lowest row of the descenders has an end below it.
    let lit = (0..<90).filter { y in rows[y * 160..<y * 160 + 160].contains { $0 > 128 } }
    let low = try frames(input, "text:text=Wgj,size=0.4,at=top,margin=0,outline=0.02")[0]
    let litLow = (0..<90).filter { y in low[y * 160..<y * 160 + 160].contains { $0 > 128 } }
    #expect(
      abs((lit.last ?? 0) - 2 * (litLow.last ?? 0)) <= 3, "\(lit.last ?? 0) \(litLow.last ?? 0)")
  }

  @Test("a part of a source has the words that it has in the whole")
  func range() throws {
    let input = try input(made: "2024-02-29T23:59:59Z")
    let effect = "text:text={frame} {timecode} {clock} {name},size=0.12"
    let whole = try frames(input, effect)
    #expect(try frames(input, effect, ["--frame-range", "1-2"]) == Array(whole[1...]))
  }

  @Test("the date is that of the source, moved by the start, and without one there is no recording")
  func date() throws {
    let dated = try input(made: "2024-02-29T23:59:58Z")
    let effect = "text:text={date} {clock},size=0.15"
    let same = try frames(dated, "text:text=2024-02-29 23:59:58,size=0.15")
    #expect(try frames(dated, effect) == same)
    #expect(try frames(dated, effect, ["--start", "0.2"])[0] == same[0])
    let result = try KfrecProcess.run(
      ["-i", try input(), "-e", effect, "-o", folder.file("none.mov")])
    #expect(result.exitCode == 2 && result.errors.contains("does not say when it was made"))
    #expect(namesInFolder(folder.path).filter { $0.hasPrefix("none") } == [])
  }

  @Test(
    "a font by its name and by its file draws the same, a bold one another; marks join their letters"
  )
  func fonts() throws {
    let input = try input()
    let file = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
    let bold = try frames(input, "text:text=Wave,font=dejavu sans bold,size=0.5")[0]
    #expect(try frames(input, "text:text=Wave,font=\(file),size=0.5")[0] == bold)
    #expect(try frames(input, "text:text=Wave,size=0.5")[0] != bold)
    let joined = try frames(input, "text:text=\u{E9},size=0.5")[0]
    #expect(try frames(input, "text:text=e\u{301},size=0.5")[0] == joined)
    // Latin letters in an Arabic line stand at its left.
    let mixed = try frames(
      input, "text:text=\u{645}\u{631}\u{62D}\u{628}\u{627} III,size=0.5,at=center")[0]
    let line = try frames(
      input, "text:text=III \u{645}\u{631}\u{62D}\u{628}\u{627},size=0.5,at=center")[0]
    #expect(mixed != line)
  }

  @Test(
    "a font that is not there and words that make no sense are refused, and nothing is left",
    arguments: [
      ("text:font=Nonesuch", "there is no font 'Nonesuch'"), ("text:font=./none.ttf", "none.ttf"),
      ("text:font=/dev/null", "is no regular file, as a font must be"),
      ("text:text={seconds}", "{seconds"),
    ])
  func refused(_ effect: String, _ message: String) throws {
    let result = try KfrecProcess.run(
      ["-i", try input(), "-e", effect, "-o", folder.file("none.mov")])
    #expect(result.exitCode == 2 && result.errors.contains(message), "\(result)")
    #expect(namesInFolder(folder.path).filter { $0.hasPrefix("none") } == [])
  }
}
