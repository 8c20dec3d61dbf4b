import Frames
import TestSupport
import Testing

/// Tests that the input's audio is copied unchanged into the output, and stays in sync with the frames.
@Suite struct AudioTests {
  private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1"]
  private static let tone = ["-f", "lavfi", "-i", "sine=r=44100:d=1"]
  private static let codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-c:a"]

  /// Returns the checksums of the compressed packets, in order.
  private func packets(_ path: String) throws -> [String] {
    let text = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "a:0", "-show_entries", "packet=data_hash",
        "-show_data_hash", "md5", "-of", "compact=p=0", path,
      ])
    return text.split { $0 == "=" || $0 == "\n" || $0 == "|" }.filter { $0.hasPrefix("MD5:") }
      .map { String($0) }
  }

  /// Returns the time from the first frame to the first audio packet (also priming) that a player
  /// receives.
  private func offset(_ path: String) throws -> Rational {
    try Timeline(path, of: "a:0").start - Timeline(path).start
  }

  @Test("a Matroska of a file has its sound beside its frames, copied or encoded")
  func order() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=5", "-f", "lavfi", "-i", "sine=d=5"]
        + AudioTests.codecs + ["aac"])
    for words in [[], ["--volume", "50%"]] {
      let output = folder.file("out.mkv")
      let result = try KfrecProcess.run(["-y", "-i", input, "-e", "invert", "-o", output] + words)
      #expect(result.exitCode == 0, "\(result)")
      let text = try runTool(
        "ffprobe",
        ["-v", "error", "-show_entries", "packet=stream_index,pts_time", "-of", "csv=p=0", output])
      var latest = [0.0, 0.0]
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: ",")
        latest[try #require(Int(parts[0]))] = try #require(Double(parts[1]))
        #expect(abs(latest[0] - latest[1]) < 0.4, "\(words): \(latest)")
      }
      #expect(latest[0] > 4.8 && latest[1] > 4.8)
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var input = "in.mp4"
    var output = "out.mov"
    var codec = "aac"
    /// The options before the tone's input.
    var toneWords: [String] = []
    /// The options before the video's input.
    var pictureWords: [String] = []
  }

  static let cases = [
    Case(testDescription: "AAC with priming"),
    Case(testDescription: "AAC to mp4", output: "out.mp4"),
    Case(testDescription: "AAC later than the picture", toneWords: ["-itsoffset", "0.35"]),
    Case(testDescription: "AAC earlier than the picture", pictureWords: ["-itsoffset", "0.36"]),
    Case(testDescription: "AAC in mkv", input: "in.mkv"),
    Case(testDescription: "AAC in mpegts", input: "in.ts"),
    Case(testDescription: "MP3", codec: "libmp3lame"),
    Case(testDescription: "PCM", input: "in.mov", codec: "pcm_s16le"),
    Case(testDescription: "AC-3", codec: "ac3"),
    Case(testDescription: "Opus to mkv", input: "in.mkv", output: "out.mkv", codec: "libopus"),
    Case(testDescription: "FLAC to mkv", input: "in.mkv", output: "out.mkv", codec: "flac"),
    Case(testDescription: "Opus to mp4", input: "in.mkv", output: "out.mp4", codec: "libopus"),
  ]

  @Test("the audio packets equal the input's to the byte and stay in sync", arguments: cases)
  func copied(_ item: Case) throws {
    let folder = try TemporaryFolder()
    let input = try make(
      item.input, in: folder,
      item.pictureWords + AudioTests.picture + item.toneWords + AudioTests.tone + AudioTests.codecs
        + [item.codec, "-fps_mode", "passthrough"])
    let output = folder.file(item.output)
    let result = try KfrecProcess.run(["-i", input, "-o", output])
    #expect(result.exitCode == 0, "\(result)")
    if item.input.hasSuffix(".ts") {
      // MPEG-TS has a header of 7 bytes before each AAC packet, which MOV does not have.
      func sizes(_ path: String) throws -> [Int] {
        try Probe.rows(path, "packet=size", of: "a:0").compactMap { $0["size"].flatMap { Int($0) } }
      }
      #expect(try sizes(output) == sizes(input).map { $0 - 7 })
      #expect(abs(try (offset(output) - offset(input)).doubleValue) <= 0.00003)
      return
    }
    let expected = try packets(input)
    let found = try packets(output)
    #expect(found.count >= 10)
    // Audio from before the first frame is outside the recording, but for what a decoder needs before it.
    let zero = try Timeline(input).start
    let audioFiles = try Timeline(input, of: "a:0").entries
    let before = audioFiles.prefix { $0.time + ($0.duration ?? .zero) <= zero }.count
    let lead = expected.count - found.count
    try #require(0...before ~= lead && found == Array(expected.dropFirst(lead)), "\(lead)")
    #expect((zero - audioFiles[lead].time).doubleValue < 0.25)
    #expect(try Timeline(output).times == Timeline(input).from(zero).times)
    let codec = try Probe.stream(output, "codec_name,sample_rate", of: "a:0")
    #expect(try codec == Probe.stream(input, "codec_name,sample_rate", of: "a:0"))
    let moved = try abs((offset(output) - (audioFiles[lead].time - zero)).doubleValue)
    // Matroska's timestamps are whole milliseconds.
    let inexact = (item.input + item.output).contains("mkv")
    #expect(moved <= (inexact ? 0.0011 : 0.00003), "\(moved)")
  }

  /// Returns the first and last time of audio that a player receives, by the decoder.
  private func heard(_ path: String) throws -> (first: Double, last: Double)? {
    let times = try Probe.rows(path, "frame=pts_time", of: "a:0").compactMap {
      $0["pts_time"].flatMap { Double($0) }
    }
    return times.first.flatMap { first in times.last.map { (first, $0) } }
  }

  @Test(
    "audio from before the first frame is never played with it, in any kind of file",
    arguments: [("0.6", "in.mp4"), ("1.5", "in.mp4"), ("0.6", "fragments.mp4"), ("1.5", "in.mkv")])
  func early(_ length: String, _ name: String) throws {
    let folder = try TemporaryFolder()
    let tone = ["-f", "lavfi", "-i", "sine=r=48000:d=\(length)"]
    var words = ["-itsoffset", "1"] + AudioTests.picture + tone + AudioTests.codecs
    words += ["aac", "-fps_mode", "passthrough"]
    if name.hasPrefix("frag") { words += ["-movflags", "frag_keyframe+empty_moov+delay_moov"] }
    let input = try make(name, in: folder, words)
    let zero = try Timeline(input).start.doubleValue
    let end = try #require(try heard(input)).last - zero
    let kinds = [["out.mov"], ["out.mp4"], ["out.mkv"], ["-"]]
    for words in length == "1.5" ? kinds + [["live.mov", "--realtime"]] : kinds {
      let isStream = words == ["-"]
      var call = ["-y", "-i", input, "-o", isStream ? "-" : folder.file(words[0])]
      call += words.dropFirst()
      if isStream { call += ["--container", "mp4"] }
      let result = try KfrecProcess.run(call)
      #expect(result.exitCode == 0, "\(words): \(result)")
      #expect(result.errors.contains("begins before its first frame"), "\(words): \(result)")
      let output =
        isStream ? try folder.write(result.output, to: "stream.mp4") : folder.file(words[0])
      #expect(try Timeline(output).times.count >= 24)
      guard length == "1.5" else {
        #expect(try heard(output) == nil, "\(words)")
        continue
      }
      let found = try #require(try heard(output))
      #expect(found.first > -0.25 && found.first < 0.03, "\(words): \(found)")
      #expect(abs(found.last - end) < 0.003, "\(words): \(found), not \(end)")
    }
  }

  @Test(
    "a codec that MOV does not take is encoded as AAC, a lossless one as ALAC, and said, and copy refuses it",
    arguments: ["libopus", "flac"])
  func refused(_ codec: String) throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mkv", in: folder, AudioTests.picture + AudioTests.tone + AudioTests.codecs + [codec])
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input, "-o", output, "--audio-codec", "copy"])
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errors.lowercased().contains(codec == "flac" ? "flac" : "opus"))
    #expect(result.errors.contains(".mkv") && result.errors.contains("--no-audio"))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(folder.names == ["in.mkv"])
    let encoded = try KfrecProcess.run(["-i", input, "-o", output])
    #expect(
      encoded.exitCode == 0
        && encoded.errors.contains("so the audio is encoded as \(codec == "flac" ? "ALAC" : "AAC")"),
      "\(encoded)")
    #expect(
      try Probe.stream(output, "codec_name", of: "a:0") == [
        "codec_name": codec == "flac" ? "alac" : "aac"
      ])
    let silent = try KfrecProcess.run(["-i", input, "-y", "-o", output, "--no-audio"])
    #expect(silent.exitCode == 0, "\(silent)")
  }

  @Test("--no-audio leaves the audio out")
  func noAudio() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mp4", in: folder, AudioTests.picture + AudioTests.tone + AudioTests.codecs + ["aac"])
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input, "-o", output, "--no-audio"])
    #expect(result.exitCode == 0, "\(result)")
    #expect(try Probe.rows(output, "stream=codec_type").map { $0["codec_type"] } == ["video"])
  }

  @Test("a part of a video file has the audio of that part, in sync")
  func part() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mov", in: folder, AudioTests.picture + AudioTests.tone + AudioTests.codecs + ["pcm_s16le"]
    )
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input, "-o", output, "--start", "0.4", "-t", "0.4"])
    #expect(result.exitCode == 0, "\(result)")
    func samples(_ path: String, _ words: [String]) throws -> [UInt8] {
      try ChildProcess(
        "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a"] + words + ["-f", "s16le", "-"]
      ).wait().output
    }
    let all = try samples(input, [])
    let found = try samples(output, [])
    // The file has whole packets; a player is told to begin with the first frame, 17640 samples in.
    #expect(found.count > 2 * 17_640)
    #expect(found.elementsEqual(all[(2 * 17_640)..<(2 * 17_640 + found.count)]))
    let audio = try Timeline(output, of: "a:0")
    #expect(abs(audio.start.doubleValue) < 0.03)
  }

  @Test("audio in a format that FFmpeg does not know is reported as such")
  func unknownAudio() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mov", in: folder, Self.picture + Self.tone + Self.codecs + ["pcm_s16le", "-t", "0.1"])
    // The code of the format in the sample description.
    var bytes = try readFile(input)
    let word = Array("sowt".utf8)
    for place in bytes.indices.dropLast(3) where bytes[place..<place + 4].elementsEqual(word) {
      bytes.replaceSubrange(place..<place + 4, with: Array("zzzz".utf8))
    }
    try folder.write(bytes, to: "in.mov")
    let result = try KfrecProcess.run(["-i", input, "-o", folder.file("out.mkv")])
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errors.contains("this FFmpeg does not know (zzzz)"), "\(result)")
    #expect(result.errors.contains("--no-audio"), "\(result)")
  }
}
