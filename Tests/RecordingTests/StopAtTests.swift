import TestSupport
import Testing

/// Tests `--stop-at` with the real program.
@Suite struct StopAtTests {
  @Test("a recording that is stopped is complete, and exits with 75")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let words = "-i testsrc --size 64x48 --realtime -t 600 -o a.mov --stop-at +8 --progress json"
    let result = try KfrecProcess.run(words.split(separator: " ").map(String.init), in: folder)
    #expect(result.exitCode == 75 && result.text.contains(#""exitCode":75"#), "\(result)")
    #expect(folder.names == ["a.mov"])
    #expect(try !Probe.rows(folder.file("a.mov"), "packet=pts", of: "v:0").isEmpty)
  }

  @Test(
    "the output of a recording that was stopped is complete, and the same command leaves it alone")
  func again() throws {
    let folder = try TemporaryFolder()
    let words = "-i testsrc --size 64x48 --realtime -t 600 -o a.mov --stop-at +8"
      .split(separator: " ").map(String.init)
    #expect(try KfrecProcess.run(words, in: folder).exitCode == 75)
    let movie = try readFile(folder.file("a.mov"))
    let refused = try KfrecProcess.run(words, in: folder)
    #expect(refused.exitCode == 2 && refused.errors.contains("-y"), "\(refused)")
    #expect(try readFile(folder.file("a.mov")) == movie && folder.names == ["a.mov"])
    #expect(try KfrecProcess.run(words + ["-y"], in: folder).exitCode == 75)
    let help = try KfrecProcess.run(["--help"]).text.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(
      help.contains(
        "a recording at the time of --stop-at, whose output, if there was a frame, is complete"))
  }

  @Test("a recording whose source ended before exits with 0")
  func ended() throws {
    let folder = try TemporaryFolder()
    let words = "-i testsrc --size 64x48 -t 1 -o a.mov --stop-at +1h"
    let result = try KfrecProcess.run(words.split(separator: " ").map(String.init), in: folder)
    #expect(result.exitCode == 0, "\(result)")
  }

  @Test("a batch is stopped as by Ctrl-C, and goes on the next time")
  func batch() throws {
    let made = try BatchFolder("a.mp4")
    try make(
      "clips/b.mp4", in: made.folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25:d=60", "-c:v", "libx264", "-preset",
        "ultrafast",
      ])
    let words = "clips --output-dir out --jobs 1"
    let result = try made.batch(words + " -e gaussianBlur --stop-at +3")
    #expect(result.exitCode == 75, "\(result)")
    #expect(result.errors.contains("stopped: run the same command again"), "\(result)")
    // The option is not part of what an output is made of.
    let made0 = try made.batch("clips/a.mp4 --output-dir out --stop-at +1h -e gaussianBlur")
    #expect(made0.exitCode == 0 && made.outputs == ["a.mov"], "\(made0)")
    let again = try made.batch("clips/a.mp4 --output-dir out -e gaussianBlur")
    #expect(again.errors.contains("0 made, 1 done before"), "\(again)")
  }
}
