import TestSupport
import Testing

/// `--volume`, `--normalize`, `--audio-track`, `--audio-codec` and `--audio-bitrate`: what ffmpeg hears in the output.
@Suite struct SoundTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A quiet tone with one loud sample at 1.5 seconds.
  private static let click =
    "aevalsrc='0.02*sin(2*PI*440*t)+if(eq(n,72000),0.8,0)':s=48000:d=3,aformat=channel_layouts=mono"

  private func input(
    _ name: String = "in.mov", sound: String = SoundTests.click, _ codec: String = "pcm_s16le"
  ) throws -> String {
    try make(
      name, in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=3", "-f", "lavfi", "-i", sound, "-c:v",
        "libx264", "-preset", "ultrafast", "-c:a", codec,
      ])
  }

  /// Records and returns the samples of the first track, from the time of the first frame on.
  private func samples(_ output: String, _ words: [String]) throws -> [Float] {
    let path = folder.file(output)
    let result = try KfrecProcess.run(words + ["-y", "-o", path])
    #expect(result.exitCode == 0, "\(words): \(result)")
    return try heard(path)
  }

  private func heard(_ path: String, track: Int = 0) throws -> [Float] {
    let starts = try Probe.rows(path, "format=start_time").first?["start_time"].flatMap(Double.init)
    let first = try Probe.rows(path, "packet=pts_time", of: "v:0").compactMap {
      $0["pts_time"].flatMap(Double.init)
    }.min()
    let ahead = Int((((first ?? 0) - (starts ?? 0)) * 48_000).rounded())
    let result = try ChildProcess(
      "ffmpeg",
      [
        "-v", "error", "-i", path, "-map", "0:a:\(track)", "-ac", "1", "-ar", "48000", "-af",
        "aresample=async=1:first_pts=0", "-f", "f32le", "-",
      ]
    ).wait()
    let all = result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    return Array(all.dropFirst(ahead))
  }

  private func loudest(_ samples: [Float]) -> Int {
    samples.indices.max { abs(samples[$0]) < abs(samples[$1]) } ?? -1
  }

  @Test(
    "a click is at the same sample with every codec, in every container",
    arguments: [
      ("mov", "aac"), ("mov", "alac"), ("mov", "pcm"), ("mov", "pcm24"), ("mov", "mp3"),
      ("mp4", "aac"), ("mp4", "opus"), ("mp4", "ac3"), ("mkv", "aac"), ("mkv", "opus"),
      ("mkv", "vorbis"), ("mkv", "flac"), ("mkv", "pcmfloat"),
    ])
  func codecs(_ container: String, _ codec: String) throws {
    let samples = try samples("out.\(container)", ["-i", input(), "--audio-codec", codec])
    // Matroska's times are whole milliseconds.
    #expect(abs(loudest(samples) - 72_000) <= (container == "mkv" ? 24 : 1))
    let names = ["pcm": "pcm_s16le", "pcm24": "pcm_s24le", "pcmfloat": "pcm_f32le"]
    let found = try Probe.stream(folder.file("out.\(container)"), "codec_name", of: "a:0")
    #expect(found["codec_name"] == names[codec] ?? codec)
    guard ["alac", "pcm", "pcm24", "flac", "pcmfloat"].contains(codec) else { return }
    #expect(try samples == heard(folder.file("in.mov")))
  }

  @Test(
    "a gap in PCM that is copied into a MOV stays silent, and the sound behind it keeps its time",
    arguments: ["pcm_s16le", "pcm_alaw", "pcm_mulaw", "pcm_u8"])
  func gap(codec: String) throws {
    let loud = "aevalsrc='0.1+if(eq(n,132000),0.8,0)':s=48000:d=3,aformat=channel_layouts=mono"
    let whole = try input("in.mkv", sound: loud, codec)
    try make(
      "gap.mkv", in: folder,
      ["-i", whole, "-map", "0", "-c", "copy", "-bsf:a", "noise=drop='between(pts*tb,1,2)'"])
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", folder.file("gap.mkv"), "-o", output])
    #expect(result.exitCode == 0, "\(result)")
    let row = try Probe.stream(output, "codec_name,duration", of: "a:0")
    #expect(row["codec_name"] == codec, "\(row)")
    #expect(abs((row["duration"].flatMap(Double.init) ?? 0) - 3) < 0.003, "\(row)")
    let found = try heard(output)
    // Matroska's times are whole milliseconds.
    #expect(abs(loudest(found) - 132_000) <= 96, "\(loudest(found))")
    #expect(found[60_000..<84_000].allSatisfy { abs($0) < 0.01 })
  }

  @Test(
    "a part is cut at the sample, from packets of AAC too",
    arguments: [
      (["--start", "1", "-t", "1"], 24_000, 48_000),
      (["--start", "0.52", "--end", "2.2"], 47_040, 80_640), (["--frames", "50"], 72_000, 96_000),
      (["--frame-range", "25-49"], 24_000, 48_000),
    ])
  func cuts(_ words: [String], _ place: Int, _ count: Int) throws {
    let (plain, packed) = (try input(), try input("in.mp4", "aac"))
    for path in [plain, packed] {
      let found = try samples("out.mov", ["-i", path, "--audio-codec", "pcm"] + words)
      #expect(loudest(found) == place && found.count == count, "\(loudest(found)), \(found.count)")
    }
    // What is decoded is what was decoded before: the packets before the cut belong to it.
    let whole = try heard(packed)
    let part = try heard(folder.file("out.mov"))
    let begin = 72_000 - place
    let difference = zip(part, whole.dropFirst(begin)).map { abs($0 - $1) }.max() ?? 1
    #expect(difference < 0.0001, "\(difference)")
  }

  @Test(
    "encoded audio ends with the frames, to the sample, however a recording ends",
    arguments: [
      ["-t", "1.51"], ["--end", "1.51"], ["--end", "1.49"], ["--frames", "30"],
      ["--start", "0.51", "-t", "1.49"], ["--speed", "2", "--end", "1.51"],
      ["--speed", "0.7", "-t", "1.51"], ["--loop", "2", "--end", "1.51"],
      ["--loop", "2", "-t", "2.51"], ["--reverse", "--end", "1.52"],
      ["-i", "in.mov", "-t", "4.51"],
      ["-i", "in.mov", "--frames", "80"], ["-i", "in.mov~end=1.51"],
      ["--audio-in", "in.mov", "-t", "1.51"],
      ["--audio-in", "in.mov", "--end", "1.51"], ["--audio-in", "in.mov", "--frames", "30"],
    ], [[], ["--fps-mode", "cfr"], ["--fps", "24"]])
  func ends(_ words: [String], _ pace: [String]) throws {
    _ = try input()
    let command = ["-i", "in.mov"] + words + pace
    for codec in ["alac", "aac"] {
      let result = try KfrecProcess.run(
        command + ["--audio-codec", codec, "-y", "-o", "out.mov"], in: folder)
      #expect(result.exitCode == 0, "\(command): \(result)")
      let lengths = try Probe.rows(folder.file("out.mov"), "stream=duration")
        .compactMap { $0["duration"].flatMap(Double.init) }
      try #require(lengths.count == 2, "\(command): \(lengths)")
      #expect(abs(lengths[0] - lengths[1]) < 1 / 47_000, "\(command): \(codec), \(lengths)")
    }
  }

  @Test(
    "lossless sound stays lossless where clips are joined, run otherwise or get other sound",
    arguments: [
      (["-i", "b.mkv"], "flac", "mov", "alac"), (["-i", "b.mkv"], "flac", "mp4", "flac"),
      (["-i", "b.mkv"], "pcm_s16le", "mov", "pcm_s16le"), (["-i", "b.mkv"], "flac", "mkv", "flac"),
      (["-i", "b.mkv"], "pcm_s24le", "mkv", "pcm_s24le"),
      (["-i", "b.mkv"], "flac", "webm", "opus"),
      (["-i", "b.mkv"], "aac", "mov", "aac"), (["--reverse"], "flac", "mov", "alac"),
      (["--speed", "2"], "flac", "mkv", "flac"), (["--audio-in", "b.mkv"], "flac", "mov", "alac"),
      (["--audio-in", "b.mkv"], "aac", "mkv", "aac"),
    ])
  func losslessJoins(_ words: [String], _ codec: String, _ container: String, _ kept: String)
    throws
  {
    _ = try input("a.mkv", sound: "anoisesrc=d=1:r=48000:a=0.5,aformat=channel_layouts=mono", codec)
    _ = try input("b.mkv", sound: "sine=r=48000:d=3", codec)
    let result = try KfrecProcess.run(
      ["-i", "a.mkv"] + words + ["--end", "1"].filter { _ in words == ["--reverse"] }
        + ["-y", "-o", "out." + container], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let found = try Probe.stream(folder.file("out." + container), "codec_name", of: "a:0")
    #expect(found["codec_name"] == kept, "\(result)")
    guard words == ["-i", "b.mkv"], kept != "opus", kept != "aac" else { return }
    let (joined, first) = try (heard(folder.file("out." + container)), heard(folder.file("a.mkv")))
    #expect(Array(joined.prefix(first.count)) == first)
  }

  @Test(
    "--volume multiplies every sample",
    arguments: [
      ("0.5", 0.5), ("50%", 0.5), ("200%", 2), ("-6dB", 0.501187), ("+6dB", 1.995262), ("0", 0),
    ])
  func volume(_ word: String, _ factor: Float) throws {
    let path = try input()
    let plain = try heard(path)
    let found = try samples("out.mov", ["-i", path, "--volume", word, "--audio-codec", "pcm24"])
    #expect(found.count == plain.count)
    let wrong = zip(found, plain).map { abs($0 - min($1 * factor, 1)) }.max() ?? 1
    #expect(wrong < 0.000_001, "\(wrong)")
  }

  @Test(
    "--volume over time multiplies each sample by the factor of its own time of the output",
    arguments: [[], ["--start", "1"], ["--reverse"], ["--speed", "2"]])
  func volumeOverTime(_ words: [String]) throws {
    let path = try input(sound: "aevalsrc='0.25':s=48000:d=3,aformat=channel_layouts=stereo")
    let found = try samples(
      "out.mov",
      ["-i", path, "--volume", "0@0..1@0.5..100%@1..-6dB@1.25", "--audio-codec", "pcm24"] + words)
    #expect(found.count >= 48_000)
    let level = try Double(heard(path)[100])
    func factor(_ time: Double) -> Double {
      time < 0.5 ? 2 * time : time < 1 ? 1 : 1 - (1 - 0.501187) * min((time - 1) / 0.25, 1)
    }
    let wrong = found.indices.map { number in
      abs(Double(found[number]) - level * factor(Double(number) / 48_000))
    }
    // The stretched sound itself differs a little, and fades at its end.
    let isStretched = words.first == "--speed"
    let worst = wrong.dropLast(isStretched ? 4800 : 0).max() ?? 1
    #expect(
      worst < (isStretched ? 0.01 : 0.000_001),
      "\(worst) at \(wrong.indices.max { wrong[$0] < wrong[$1] } ?? 0)")
  }

  @Test(
    "--volume over time that cannot be read, or has no one time, is refused with what it takes",
    arguments: [
      (["--volume", "1@0..0@0"], "increasing seconds as 0@0..1@2"),
      (["--volume", "1@0.."], "--volume takes"), (["--volume", "@1"], "--volume takes"),
      (["--volume", "101@0..1@1"], "--volume takes"),
      (["--volume", "1@0..0@1", "-i", "other.mov"], "is for one input that is a file"),
      (["--volume", "1@0..0@1", "--audio", "default"], "leave out the microphone"),
    ])
  func refusedCurves(_ words: [String], _ sentence: String) throws {
    let result = try KfrecProcess.run(["-i", "in.mov", "-o", folder.file("out.mov")] + words)
    #expect(result.exitCode == 2 && result.errors.contains(sentence), "\(result)")
  }

  /// Integrated loudness by ffmpeg, in LUFS.
  private func loudness(_ path: String) throws -> Double { try measured(" I: ", in: path) }

  /// What stands behind a word in ffmpeg's measurement of loudness.
  private func measured(_ word: String, in path: String) throws -> Double {
    let result = try ChildProcess(
      "ffmpeg", ["-nostats", "-i", path, "-af", "ebur128=peak=true", "-f", "null", "-"]
    ).wait()
    let line = result.errors.split(separator: "\n").last { $0.contains(word) }
    return line?.split(separator: " ").compactMap { Double($0) }.first ?? 0
  }

  @Test("--normalize brings the audio to the loudness by one gain", arguments: [nil, "-23", "-30"])
  func normalize(_ target: String?) throws {
    let path = try input(sound: "aevalsrc='(0.02+0.05*gt(t,1))*sin(2*PI*440*t)':s=48000:d=3")
    let word = target.map { "--normalize=\($0)" } ?? "--normalize"
    let found = try samples("out.mov", ["-i", path, word, "--audio-codec", "pcm24"])
    let wanted = target.flatMap(Double.init) ?? -16
    let result = try loudness(folder.file("out.mov"))
    #expect(abs(result - wanted) <= 0.2, "\(result)")
    let plain = try heard(path)
    let gains = zip(found, plain).filter { abs($0.1) > 0.01 }.map { $0.0 / $0.1 }
    #expect(found.count == plain.count)
    #expect((gains.max() ?? 0) / (gains.min() ?? 1) < 1.01)
  }

  @Test(
    "--normalize acts on audio whose time runs in another way",
    arguments: [["--speed", "1.5"], ["--reverse"], ["--loop", "2", "--frames", "100"]])
  func normalizeRetimed(_ words: [String]) throws {
    let path = try input(sound: "aevalsrc='0.02*sin(2*PI*440*t)':s=48000:d=3")
    _ = try samples("out.mov", ["-i", path, "--normalize", "--audio-codec", "pcm24"] + words)
    let result = try loudness(folder.file("out.mov"))
    #expect(abs(result + 16) <= 0.5, "\(result)")
  }

  @Test(
    "a click stays with its frame where the time runs faster or slower",
    arguments: [(0.25, 23.0), (0.5, 8), (0.7, 4), (1.5, 4), (3.7, 4), (4, 4)])
  func clickAtSpeed(_ speed: Double, _ milliseconds: Double) throws {
    let found = try samples(
      "out.mov", ["-i", input(), "--speed", "\(speed)", "--audio-codec", "pcm"])
    let late = Double(loudest(found)) / 48 - 1500 / speed
    #expect(abs(late) <= milliseconds, "\(late)")
  }

  @Test("--normalize makes a quiet clip with clicks louder, and holds its peaks down")
  func normalizeClicks() throws {
    let path = try input(
      sound:
        "aevalsrc='0.01*sin(2*PI*440*t)+if(lt(mod(n,96000),2),0.9*(1-2*mod(n,2)),0)':s=48000:d=6")
    let before = try loudness(path)
    let found = try samples("out.mov", ["-i", path, "--normalize=-26", "--audio-codec", "pcm24"])
    let after = try loudness(folder.file("out.mov"))
    #expect(after > before + 5 && after < -25, "\(before), \(after)")
    // Between the samples too, as BS.1770 measures it.
    let peak = try measured(" Peak: ", in: folder.file("out.mov"))
    #expect(peak <= -0.9 && peak > -3, "\(peak)")
    #expect(found.allSatisfy { abs($0) <= 0.9 })
    // Where nothing is held down, all have one gain.
    let plain = try heard(path)
    #expect(found.count == plain.count)
    let quiet = 40_000..<80_000
    let gains = zip(found[quiet], plain[quiet]).filter { abs($0.1) > 0.005 }.map { $0.0 / $0.1 }
    #expect((gains.max() ?? 0) / (gains.min() ?? 1) < 1.1)
  }

  @Test("--normalize measures each track, and names one whose peaks do not allow the gain")
  func normalizeTracks() throws {
    let path = try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-f", "lavfi", "-i",
        "aevalsrc=0.3*sin(2*PI*440*t):d=2", "-f", "lavfi", "-i",
        "aevalsrc='0.01*sin(2*PI*440*t)+if(eq(n,44100),0.7,0)':d=2", "-map", "0", "-map", "1",
        "-map",
        "2", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "flac",
      ])
    let output = folder.file("out.mkv")
    let words = ["-i", path, "-y", "-o", output, "--audio-codec", "flac"]
    let fit = try KfrecProcess.run(words + ["--normalize=-42"])
    #expect(fit.exitCode == 0 && !fit.errors.contains("peaks"), "\(fit)")
    for track in 0...1 {
      let single = try make(
        "\(track).wav", in: folder, ["-i", output, "-map", "0:a:\(track)"])
      let found = try loudness(single)
      #expect(abs(found + 42) <= 0.3, "\(track): \(found)")
    }
    let loud = try KfrecProcess.run(words + ["--normalize=-20"])
    #expect(loud.exitCode == 0 && loud.errors.contains("audio track 2 of"), "\(loud)")
    #expect(loud.errors.contains("above -1 dBTP"))
  }

  @Test("--audio-track takes one track by its number, and its language")
  func tracks() throws {
    let path = try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-f", "lavfi", "-i", "sine=440:d=1", "-f",
        "lavfi", "-i", "sine=880:d=1", "-map", "0", "-map", "1", "-map", "2", "-metadata:s:a:0",
        "language=ger", "-metadata:s:a:1", "language=fre", "-c:v", "libx264", "-preset",
        "ultrafast",
        "-c:a", "flac",
      ])
    for (words, languages) in [
      (["--audio-track", "2"], ["fre"]), (["--audio-track", "1", "--audio-codec", "aac"], ["ger"]),
      (["--audio-track", "all"], ["ger", "fre"]), (["--audio-codec", "opus"], ["ger", "fre"]),
    ] {
      let output = folder.file("out.mkv")
      let result = try KfrecProcess.run(["-i", path, "-y", "-o", output] + words)
      #expect(result.exitCode == 0, "\(result)")
      let rows = try Probe.rows(output, "stream_tags=language", of: "a")
      #expect(rows.compactMap { $0["tag:language"] } == languages, "\(words)")
    }
    let output = folder.file("none.mkv")
    let result = try KfrecProcess.run(["-i", path, "-o", output, "--audio-track", "3"])
    #expect(result.exitCode == 2 && result.errors.contains("has 2 audio tracks"), "\(result)")
  }

  @Test("one output copies what another one must encode, and each is what it would be alone")
  func twoOutputs() throws {
    let path = try input("in.mkv", "flac")
    let (mov, mkv) = (folder.file("out.mov"), folder.file("out.mkv"))
    let both = try KfrecProcess.run(["-i", path, "-o", mov, "-o", mkv])
    #expect(both.exitCode == 0, "\(both)")
    for (output, codec) in [(mov, "alac"), (mkv, "flac")] {
      #expect(try Probe.stream(output, "codec_name", of: "a:0") == ["codec_name": codec])
      let alone = folder.file("alone." + (output.split(separator: ".").last ?? ""))
      #expect(try KfrecProcess.run(["-i", path, "-o", alone]).exitCode == 0)
      #expect(try ChildProcess("cmp", [alone, output]).wait().exitCode == 0)
    }
  }

  @Test(
    "what contradicts or cannot be is refused in one sentence, and nothing is left",
    arguments: [
      (["--volume", "loud"], 2, "--volume takes"), (["--volume", "-1"], 2, "--volume takes"),
      (["--volume", "101"], 2, "--volume takes"), (["--normalize=3"], 2, "--normalize takes"),
      (["--no-audio", "--volume", "2"], 2, "contradict"),
      (["--no-audio", "--audio-codec", "aac"], 2, "contradict"),
      (["--audio-codec", "copy", "--volume", "2"], 2, "must be encoded"),
      (["--audio-codec", "copy", "--normalize"], 2, "must be encoded"),
      (["--audio-codec", "copy", "--speed", "2"], 2, "copy and --speed contradict"),
      (["--audio-codec", "copy", "--reverse"], 2, "copy and --reverse contradict"),
      (["--audio-codec", "copy", "--loop", "2"], 2, "copy and --loop contradict"),
      (["--audio-codec", "copy", "--boomerang"], 2, "copy and --boomerang contradict"),
      (["--audio-codec", "copy", "-i", "other.mov"], 2, "copy is for one input"),
      (["--audio-codec", "opus"], 2, "MOV does not hold Opus"),
      (["--audio-codec", "alac", "--audio-bitrate", "100k"], 2, "lossless"),
      (["--audio-bitrate", "5"], 2, "--audio-bitrate takes"),
      (["--volume", "0", "--audio-track", "7"], 2, "has 1 audio track"),
    ])
  func refused(_ words: [String], _ code: Int32, _ sentence: String) throws {
    let result = try KfrecProcess.run(["-i", input(), "-o", folder.file("out.mov")] + words)
    #expect(result.exitCode == code && result.errors.contains(sentence), "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1 && folder.names == ["in.mov"])
  }

  @Test(
    "a refused codec is answered with those that the container holds",
    arguments: [("mp4", "pcm"), ("mov", "opus"), ("webm", "aac")])
  func others(_ container: String, _ codec: String) throws {
    let path = try input()
    let output = folder.file("out.\(container)")
    let refusal = try KfrecProcess.run(["-i", path, "-o", output, "--audio-codec", codec])
    #expect(refusal.exitCode == 2 && refusal.errors.contains("does not hold"), "\(refusal)")
    let named = refusal.errors.split(separator: "give --audio-codec ").last ?? ""
    let codecs = named.split { ", \n".contains($0) }.map(String.init)
    #expect(!codecs.isEmpty && !codecs.contains(codec), "\(refusal)")
    for name in codecs {
      let result = try KfrecProcess.run(["-i", path, "-y", "-o", output, "--audio-codec", name])
      #expect(result.exitCode == 0, "\(name): \(result)")
    }
  }

  @Test(
    "silence and a pipe cannot be normalized, and an output without audio takes no option of it")
  func unmeasured() throws {
    let path = try input(sound: "anullsrc=d=3")
    let silent = try KfrecProcess.run(["-i", path, "-o", folder.file("out.mov"), "--normalize"])
    #expect(silent.exitCode == 1 && silent.errors.contains("is silent"), "\(silent)")
    let y4m = try KfrecProcess.run(["-i", path, "-o", folder.file("out.y4m"), "--volume", "2"])
    #expect(y4m.exitCode == 2 && y4m.errors.contains("holds no audio"), "\(y4m)")
    let camera = try KfrecProcess.run(
      ["-i", "testsrc", "-t", "1", "-o", folder.file("out.mov"), "--volume", "2"])
    #expect(camera.exitCode == 0 && camera.errors.contains("has no audio"), "\(camera)")
    #expect(folder.names.sorted() == ["in.mov", "out.mov"])
  }
}
