import Capture
import Encode
import Frames
import Recorder
import TestSupport
import Testing
import Settings

@testable import kfrec

@Suite struct RecordingMeaningTests {
  private func recording(_ typed: String...) throws -> Recording {
    try Recording(ArgumentParser.parse(typed))
  }

  @Test("the shortest command line leaves all other settings at their defaults")
  func defaults() throws {
    let recording = try recording("-i", "a.mp4", "-o", "b.mov")
    #expect(recording.source.input == "a.mp4")
    #expect(recording.outputs == ["b.mov"])
    #expect(recording.effects.isEmpty)
    #expect(recording.overwrite == .refuse)
    #expect(recording.size == nil)
    #expect(recording.scale == .fit)
    #expect(recording.range == nil)
    #expect(recording.firstTime == .zero)
    #expect(recording.source.includesAudio)
    #expect(!recording.source.isPaced)
    #expect(recording.encoding.pixelFormat == nil)
  }

  @Test("every option reaches its setting of the recording")
  func everything() throws {
    let recording = try recording(
      "-i", "a.mp4", "-o", "-", "--container", "mkv", "-y", "--start", "1", "-t", "2", "--frames",
      "3", "--realtime", "--no-audio", "--input-matrix", "bt601", "--input-range", "full",
      "--input-transfer",
      "pq", "--effects-dir", "x", "--effects-dir", "y", "--time", "1.5", "--frame-index", "7",
      "--gpu", "llvm", "--force-gpu", "--size", "x720", "--scale", "fill", "--range", "limited",
      "--codec",
      "libx264", "--camera-size", "640x360", "--camera-fps", "30000/1001", "--camera-format",
      "yuyv",
      "--camera-control", "gain=3", "--camera-control", "focus=off", "--camera-timeout", "2",
      "--wait-camera", "9", "--preset", "fast", "--bitrate", "8M", "--gop", "12", "--plays", "3",
      "--dither", "ordered", "--pixel-format",
      "yuv444p")
    #expect(recording.container == "mkv")
    #expect(recording.overwrite == .replace)
    #expect(recording.source.start == .one)
    #expect(recording.source.duration == Rational(2))
    #expect(recording.source.frames == 3)
    #expect(recording.source.isPaced)
    #expect(!recording.source.includesAudio)
    #expect(
      recording.source.tagOverrides == ColorTags(matrix: .smpte170m, range: .full, transfer: 16))
    #expect(recording.effectFolders == ["x", "y"])
    let camera = recording.source.camera
    #expect(camera.size.map { "\($0.width)x\($0.height)" } == "640x360")
    #expect(camera.frameRate == Rational(30000, 1001))
    #expect(camera.format == "yuyv")
    #expect(camera.controls.map { "\($0.name)=\($0.value)" } == ["gain=3", "focus=off"])
    #expect(camera.timeout == Rational(2) && camera.wait == Rational(9))
    #expect(recording.firstTime == Rational(3, 2))
    #expect(recording.firstFrameIndex == 7)
    #expect(recording.gpu == "llvm" && recording.forcesGPU)
    #expect(recording.size?.width == nil)
    #expect(recording.size?.height == 720)
    #expect(recording.source.size == nil)
    #expect(recording.scale == .fill)
    #expect(recording.range == .limited)
    #expect(recording.encoding.codec == "libx264")
    #expect(recording.encoding.preset == "fast")
    #expect(recording.encoding.bitrate == 8_000_000)
    #expect(recording.encoding.crf == nil)
    #expect(recording.encoding.gop == 12)
    #expect(recording.encoding.plays == 3)
    #expect(recording.encoding.dither == .ordered)
    #expect(recording.encoding.pixelFormat == .yuv444p)
  }

  @Test("--audio names the microphone")
  func microphone() throws {
    #expect(try recording("-o", "b.mov").microphone == nil)
    #expect(try recording("--audio", "hw:1,0", "-o", "b.mov").microphone == "hw:1,0")
    #expect(throws: CommandLineError.self) {
      try recording("--audio", "default", "--no-audio", "-o", "b.mov")
    }
  }

  @Test("the options of screens and streams reach their settings")
  func screensAndStreams() throws {
    let screen = try recording(
      "-i", "screen", "--cursor", "off", "--fps", "60", "--crop", "351x197+0+40", "-o", "a.mov")
    #expect(!screen.source.showsPointer && screen.source.frameRate == Rational(60))
    // The rate is that at which it is read.
    #expect(screen.pace == .asTheyCome)
    #expect(
      screen.source.arrangement.crop == .area(PixelArea(x: 0, y: 40, width: 351, height: 197)))
    let stream = try recording(
      "-i", "http://a/b.ts", "--program", "News", "--network-timeout", "5", "-o", "a.mov")
    #expect(stream.source.program == "News" && stream.source.networkTimeout == Rational(5))
    let plain = try recording("-i", "screen", "-o", "a.mov").source
    #expect(plain.showsPointer && plain.program == nil && plain.networkTimeout == Rational(60))
    for crop in ["351x197", "351x197+1", "351x+1+2", "1x2x3+4", "1x1+1+1+1", "0x1+0+0", "1x1+-1+0"]
    {
      #expect(throws: CommandLineError.self) {
        try recording("-i", "screen", "--crop", crop, "-o", "a.mov")
      }
    }
  }

  @Test("a choice among several videos is refused where there is only one")
  func oneVideo() throws {
    for input in [
      "testsrc", "blank", "color:red", "screen", "window:a", "a-%04d.png", "/dev/video0",
    ] {
      for words in [["--variant", "2"], ["--program", "1"]] {
        let error = #expect(throws: CommandLineError.self) {
          try Recording(ArgumentParser.parse(["-i", input, "-o", "a.mov"] + words))
        }
        let said = error.map { "\($0)" } ?? ""
        #expect(said.contains(words[0]) && said.contains("has only one"), "\(said)")
      }
    }
    for input in ["a.ts", "-", "http://a/b.m3u8"] {
      #expect(
        try recording("-i", input, "--variant", "2", "-o", "a.mov").source.video == .number(2))
    }
  }

  @Test("a size is the pattern's own where the source is the pattern")
  func patternSize() throws {
    let recording = try recording("-i", "testsrc", "--size", "640x", "-o", "b.mov", "--fps", "24")
    #expect(recording.source.size?.width == 640)
    #expect(recording.source.size?.height == 360)
    #expect(recording.size == nil)
    #expect(recording.source.frameRate == Rational(24))
  }

  @Test("-n skips, and --range source and --pixel-format auto are the defaults by name")
  func named() throws {
    let recording = try recording(
      "-i", "a", "-o", "b.mov", "-n", "--range", "source", "--pixel-format", "auto")
    #expect(recording.overwrite == .skip)
    #expect(recording.range == nil)
    #expect(recording.encoding.pixelFormat == nil)
  }

  @Test("of two volumes the last one counts, a constant one and one that changes too")
  func lastVolume() throws {
    let curve = "0@0..1@2"
    let constant = try recording("-i", "a.mp4", "-o", "b.mov", "--volume", curve, "--volume", "0.5")
    #expect(constant.source.sound.volume == 0.5 && constant.source.sound.volumeCurve == nil)
    let changing = try recording("-i", "a.mp4", "-o", "b.mov", "--volume", "2", "--volume", curve)
    #expect(changing.source.sound.volume == 1 && changing.source.sound.volumeCurve != nil)
  }

  @Test(
    "--fps sets the rate of images without timestamps", arguments: ["a-%04d.png", "%d.png"])
  func sequenceRate(_ input: String) throws {
    #expect(
      try recording("-i", input, "-o", "b.mov", "--fps", "30000/1001").source.frameRate
        == Rational(30000, 1001))
  }

  @Test("the second input follows whole, after an overlap of one second unless --overlap is given")
  func twoInputs() throws {
    let words = ["-i", "a~start=2", "-i", "b", "-e", "fade", "-t", "5", "-o", "c"]
    let recording = try Recording(ArgumentParser.parse(words))
    #expect(recording.source.input == "a" && recording.source.start == Rational(2))
    #expect(recording.source.duration == Rational(5) && recording.source.partDuration == nil)
    let second = try #require(recording.following.first)
    #expect(second.input == "b" && recording.following.count == 1 && recording.overlaps == [])
    let arranged = try self.recording(
      "-i", "a", "-i", "b", "--crop", "8x8+0+0", "--rotate", "90", "--flip", "h", "--input-matrix",
      "bt709", "-o", "out.mov")
    #expect(arranged.following.map(\.arrangement) == [arranged.source.arrangement])
    #expect(arranged.source.arrangement.crop != nil)
    #expect(arranged.following.map(\.tagOverrides) == [arranged.source.tagOverrides])
    #expect(second.start == nil && second.duration == nil)
    #expect(
      try Recording(ArgumentParser.parse(words + ["--overlap", "0.5"])).overlaps == [Rational(1, 2)]
    )
    let three = try Recording(
      ArgumentParser.parse([
        "-i", "a", "-i", "b", "-i", "c", "--overlap", "0,00:00:01.5", "-o", "d",
      ]))
    #expect(three.following.map(\.input) == ["b", "c"])
    #expect(three.overlaps == [.zero, Rational(3, 2)])
  }

  @Test("each input takes its own part, and -t and --frames count the output")
  func parts() throws {
    let recording = try recording(
      "-i", "a~start=1~duration=2", "-i", "b~end=00:01:02.5", "-i", "color:ff0000~duration=0.5",
      "-t", "3",
      "--frames", "9", "-o", "c")
    let requests = [recording.source] + recording.following
    #expect(requests.map(\.input) == ["a", "b", "color:ff0000"])
    #expect(requests.map(\.start) == [.one, nil, nil])
    #expect(requests.map(\.end) == [nil, Rational(125, 2), nil])
    #expect(requests.map(\.partDuration) == [Rational(2), nil, Rational(1, 2)])
    #expect(recording.source.duration == Rational(3) && recording.source.frames == 9)
    #expect(recording.following.allSatisfy { $0.duration == nil && $0.frames == nil })
    let generated = try self.recording("-i", "testsrc", "--start", "1", "--end", "3", "-o", "c")
    #expect(generated.source.partDuration == Rational(2) && generated.source.duration == nil)
  }

  @Test("a file whose whole name has the words of a part is opened as it is")
  func nameWithWords() throws {
    let folder = try TemporaryFolder()
    let name = folder.file("a.mov~start=1")
    try folder.write([], to: "a.mov~start=1")
    #expect(try InputPart(name) == InputPart(name: name))
    let part = try InputPart(name + "~end=2")
    #expect(part.name == name && part.end == Rational(2) && part.start == nil)
    #expect(try InputPart("http://host/~me/a.mov").name == "http://host/~me/a.mov")
    #expect(try InputPart("no-such~file").name == "no-such~file")
  }

  @Test("every output is used, in the order on the command line")
  func outputs() throws {
    #expect(
      try recording("-o", "b.mov", "-i", "a", "-o", "/dev/video9").outputs
        == ["b.mov", "/dev/video9"])
  }

  @Test("--fps makes a file's or camera's output constant, and cfr does so at the source's rate")
  func pace() throws {
    #expect(try recording("-i", "a.mp4", "-o", "b.mov").pace == .asTheyCome)
    #expect(
      try recording("-i", "100%.mp4", "-o", "b.mov", "--fps", "25").pace == .constant(Rational(25)))
    #expect(try recording("-o", "b.mov", "--fps", "25").pace == .constant(Rational(25)))
    #expect(try recording("-o", "b.mov", "--fps-mode", "cfr").pace == .constant(nil))
    let sequence = try recording("-i", "%d.png", "-o", "b.mov", "--fps", "9", "--fps-mode", "cfr")
    #expect(sequence.pace == .constant(nil) && sequence.source.frameRate == Rational(9))
    #expect(try recording("-i", "testsrc", "-o", "b.mov", "--fps", "9").pace == .asTheyCome)
  }

  @Test(
    "contradictions are refused in a sentence",
    arguments: [
      (["-i", "a"], "no output was given", true),
      (
        ["-i", "a", "-i", "b", "-e", "e", "--realtime", "-o", "c"], "--realtime reads one input",
        true
      ),
      (["-i", "a", "--overlap", "1", "-o", "c"], "--overlap is for two inputs", true),
      (
        [
          "-i", "a.mov", "--start", "1", "-t", "1", "-i", "b.mov", "--start", "0.5", "-t", "1",
          "-o", "c",
        ],
        "-i a.mov~start=1~duration=1, and -t", true
      ),
      (["-t", "5", "-i", "a", "-i", "b", "-o", "c"], "-i a~duration=5, and -t", true),
      (["-i", "a", "--frames", "5", "-i", "b", "-o", "c"], "-i a~start=1~duration=1", true),
      (["-i", "a", "-i", "b", "--start", "1", "-o", "c"], "--start is for one input", true),
      (["-i", "a", "-i", "b", "--end", "1", "-o", "c"], "--end is for one input", true),
      (["-i", "a~start=1", "--start", "1", "-o", "c"], "--start and the ~ of a contradict", true),
      (["-i", "a~duration=1", "--end", "1", "-o", "c"], "--end and the ~ of a contradict", true),
      (["-i", "a~end=1~duration=1", "-o", "c"], "~end and ~duration of a contradict", true),
      (["-i", "a~start=2~end=1", "-o", "c"], "~end of a lies before its ~start", true),
      (["-i", "a~start=x", "-o", "c"], "lacks a time", true),
      (["-i", "a~start=1~start=2", "-o", "c"], "~start twice", true),
      (["-i", "/dev/video0~start=1", "-o", "c"], "is live and has no parts", true),
      (["-i", "a~start=1", "--frame-range", "1-2", "-o", "c"], "--frame-range and the ~", true),
      (["-i", "a", "-i", "color:000000", "-o", "c"], "or that of the output with -t", true),
      (
        ["-i", "color:000000", "-i", "a", "-t", "1", "-o", "c"], "-i color:000000~duration=2", true
      ),
      (["-i", "a", "-o", "b", "-y", "-n"], "--overwrite and --no-overwrite contradict", true),
      (
        ["preview", "--no-window", "--preview", "--control", "9000"],
        "--preview and --no-window contradict", true
      ),
      (
        [
          "-e", "e", "--control", "9000", "--control-bind", "0.0.0.0", "--progress", "json", "-o",
          "/dev/stdout",
        ], "nobody would see the token of the page", true
      ),
      (["-i", "a", "-o", "b", "--quiet", "--verbose"], "--quiet and --verbose contradict", true),
      (
        ["--audio", "default", "--audio-codec", "copy", "-o", "b.mov"],
        "--audio-codec copy and --audio contradict", true
      ),
      (["-i", "a", "-o", "b", "--crf", "1", "--bitrate", "1M"], "--bitrate and --crf", true),
      (
        ["-i", "a", "-o", "b", "--fps", "25", "--fps-mode", "passthrough"],
        "keeps the timestamps of a, and --fps does not", true
      ),
    ])
  func refusals(_ typed: [String], _ part: String, _ isUsageError: Bool) {
    let error = #expect(throws: CommandLineError.self) {
      try Recording(ArgumentParser.parse(typed))
    }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    #expect(error?.isUsageError == isUsageError)
  }
}
