import Glibc
import TestSupport
import Testing

/// `--audio-in`: where a click of the file is in the output, and what is refused.
@Suite struct AddedAudioTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try make(
      "in.mov", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=3", "-f", "lavfi", "-i",
        "aevalsrc='if(eq(n,72000),0.5,0)':s=48000:d=3", "-c:v", "libx264", "-preset", "ultrafast",
        "-c:a", "pcm_s16le",
      ])
    try make(
      "click.wav", in: folder,
      ["-f", "lavfi", "-i", "aevalsrc='if(eq(n,48000),0.7,0)':s=48000:d=2"])
  }

  /// The places of the samples that are not silent, at 48 kHz, and the number of all samples.
  private func clicks(_ words: [String]) throws -> (places: [Int], count: Int, values: [Int16]) {
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(words + ["-y", "-o", output, "--audio-codec", "pcm"])
    #expect(result.exitCode == 0, "\(words): \(result)")
    let heard = try ChildProcess(
      "ffmpeg", ["-v", "error", "-i", output, "-map", "0:a", "-f", "s16le", "-"]
    ).wait().output
    let samples = heard.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    let places = samples.indices.filter { abs(Int(samples[$0])) > 3000 }
    return (places, samples.count, places.map { samples[$0] })
  }

  @Test(
    "the audio of the file begins with the first frame, and ends with the last one",
    arguments: [
      ("", [48_000]), ("~start=0.5", [24_000]), ("~at=0.25", [60_000]),
      ("~loop~at=0.5", [72_000]), ("~loop~start=1.5~at=1", []),
      ("~start=0.75~loop", [12_000, 72_000, 132_000]), ("~mix", [48_000, 72_000]),
      ("~mix~at=0.5~volume=50%", [72_000]),
    ])
  func places(_ words: String, _ places: [Int]) throws {
    let found = try clicks([
      "-i", folder.file("in.mov"), "--audio-in", folder.file("click.wav") + words,
    ])
    #expect(found.places == places && found.count == 144_000, "\(found.places), \(found.count)")
    if words.hasSuffix("50%") {
      // 0.5 of the input and half of 0.7.
      #expect(abs(Int(found.values[0]) - 27_853) <= 1, "\(found.values)")
    }
  }

  @Test("a part, several inputs, an input without audio and a generated one get it too")
  func inputs() throws {
    let click = folder.file("click.wav")
    let part = try clicks([
      "-i", folder.file("in.mov"), "--start", "1", "-t", "1.2", "--audio-in", click,
    ])
    #expect(part.places == [48_000] && part.count == 57_600, "\(part)")
    let two = try clicks([
      "-i", folder.file("in.mov"), "-i", folder.file("in.mov"), "--audio-in", click + "~loop~mix",
    ])
    #expect(two.places == [48_000, 72_000, 144_000, 216_000, 240_000], "\(two.places)")
    let made = try clicks(["-i", "testsrc", "-t", "1.2", "--audio-in", click + "~mix"])
    #expect(made.places == [48_000] && made.count == 57_600, "\(made)")
    let packed = try make("click.m4a", in: folder, ["-i", click, "-c:a", "aac", "-b:a", "192k"])
    let aac = try clicks(["-i", "testsrc", "-t", "1.2", "--audio-in", packed])
    #expect(aac.places.contains(48_000), "\(aac.places)")
  }

  @Test("the audio of a range of frames begins with its first frame")
  func range() throws {
    for (words, places) in [("", [48_000]), ("~mix", [48_000, 52_800])] {
      let found = try clicks([
        "-i", folder.file("in.mov"), "--frame-range", "10-59", "--audio-in",
        folder.file("click.wav") + words,
      ])
      #expect(found.places == places && found.count == 96_000, "\(found.places), \(found.count)")
    }
  }

  @Test("a file that ends early, begins too late or is never heard is named")
  func missing() throws {
    let whole = try make(
      "whole.mkv", in: folder,
      ["-f", "lavfi", "-i", "anoisesrc=a=0.3:d=2:r=48000", "-c:a", "pcm_s16le"])
    let cut = folder.file("cut.mkv")
    try runTool("sh", ["-c", "head -c 100000 '\(whole)' > '\(cut)'"])
    let words = ["-i", folder.file("in.mov"), "-y", "-o", folder.file("out.mov"), "--audio-in"]
    for word in ["", "~loop", "~mix"] {
      let short = try KfrecProcess.run(words + [cut + word])
      #expect(short.exitCode == 3 && short.errors.contains("cut.mkv ends early: 1."), "\(short)")
    }
    let late = try KfrecProcess.run(words + [whole + "~at=50"])
    #expect(late.exitCode == 0 && late.errors.contains("is not heard: ~at"), "\(late)")
    try runTool("rm", [folder.file("out.mov")])
    for start in ["2.5", "100"] {
      for path in [whole, folder.file("click.wav")] {
        let behind = try KfrecProcess.run(words + [path + "~start=\(start)"])
        #expect(behind.exitCode == 1 && behind.errors.contains("start earlier"), "\(behind)")
        #expect(behind.errors.contains("lasts 2.00 seconds"), "\(behind)")
        #expect(!folder.names.contains("out.mov"))
      }
    }
  }

  @Test(
    "what cannot be heard is refused in one sentence, and nothing is left",
    arguments: [
      ("none.wav", [], 1, "none.wav"), ("in.png", [], 1, "no audio"),
      ("fifo", [], 2, "is a pipe"),
      ("click.wav~often", [], 2, "'~often' does not say"), ("click.wav~at=x", [], 2, "'~at=x'"),
      ("click.wav", ["--volume", "2"], 2, "takes its place"),
      ("click.wav~mix", ["--no-audio"], 2, "could be mixed"),
      ("click.wav", ["--audio-codec", "copy"], 2, "must be encoded"),
      ("none~x/a.wav", [], 1, "none~x/a.wav"), ("none~x/a.wav~often", [], 2, "'~often'"),
    ])
  func refused(_ file: String, _ words: [String], _ code: Int32, _ sentence: String) throws {
    try make("in.png", in: folder, ["-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1"])
    mkfifo(folder.file("fifo"), 0o600)
    let result = try KfrecProcess.run(
      [
        "-i", folder.file("in.mov"), "-o", folder.file("out.mov"), "--audio-in", folder.file(file),
      ] + words)
    #expect(result.exitCode == code && result.errors.contains(sentence), "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(folder.names.sorted() == ["click.wav", "fifo", "in.mov", "in.png"])
  }

  @Test("a file with audio alone is no picture, and the output is never the file that is heard")
  func alone() throws {
    let click = folder.file("click.wav")
    let result = try KfrecProcess.run(["-i", click, "-o", folder.file("out.mov")])
    #expect(result.exitCode == 1 && result.errors.contains("--audio-in"), "\(result)")
    let song = try make("song.mov", in: folder, ["-i", click])
    let same = try KfrecProcess.run([
      "-y", "-i", folder.file("in.mov"), "--audio-in", song, "-o", song,
    ])
    #expect(same.exitCode == 2 && same.errors.contains("the added audio"), "\(same)")
  }
}
