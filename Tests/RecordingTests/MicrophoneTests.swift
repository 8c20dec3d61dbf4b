import Capture
import Frames
import TestSupport
import Testing

@testable import Recorder

/// Tests of `--audio` on a machine without a microphone; Tests/CameraTests has one.
@Suite struct MicrophoneTests {
  @Test(
    "--audio is a usage error without a live recording, or where the output has no audio",
    arguments: [
      ("-i in.mkv -o out.mov", "in.mkv is not live; leave out --audio"),
      ("-i in.mkv --realtime -o out.mov", "in.mkv is not live; leave out --audio"),
      ("-i testsrc -o out.mov", "add --realtime to testsrc"),
      ("-i testsrc --realtime -o out.png", "out.png holds no audio"),
      ("-i testsrc --realtime -o null", "null holds no audio"),
      ("-i in.mkv -i in.mkv -e crossfade -o out.mov", "not with several inputs"),
      ("-i in.mkv --no-audio -o out.mov", "--audio and --no-audio contradict each other"),
    ])
  func words(_ words: String, _ part: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([UInt8](repeating: 0, count: 100), to: "in.mkv")
    let result = try KfrecProcess.run(
      words.split(separator: " ").map(String.init) + ["--audio", "default"], in: folder)
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.errors.contains(part), "\(result)")
    #expect(namesInFolder(folder.path) == ["in.mkv"])
  }

  @Test("a microphone that does not exist is named, and no file is left")
  func missing() throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "64x36", "--realtime", "--frames", "3", "--audio",
        "hw:CARD=Nowhere", "-o", "out.mov",
      ], in: folder)
    #expect(result.exitCode == 1, "\(result)")
    #expect(
      result.errors
        == "kfrec: there is no microphone hw:CARD=Nowhere; kfrec devices lists the microphones\n",
      "\(result)")
    #expect(namesInFolder(folder.path).isEmpty)
  }

  @Test("a microphone that fails leaves silence as long as the video, and a warning")
  func failing() throws {
    let folder = try TemporaryFolder()
    // ALSA's "null" device delivers any number of samples at once.
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "64x36", "--realtime", "--frames", "20", "--audio", "null", "-o",
        "out.mov",
      ], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(
      result.errors.contains(
        "warning: the microphone null gives audio as fast as kfrec reads it; there is silence instead"
      ),
      "\(result)")
    let audio = try ChildProcess(
      "ffmpeg",
      [
        "-v", "error", "-i", folder.file("out.mov"), "-map", "0:a", "-ac", "1", "-f", "s16le", "-",
      ]
    ).wait().output
    #expect(audio.allSatisfy { $0 == 0 })
    // 20 frames at 30 per second in samples at 48000 Hz, and the rest of AAC's last block.
    #expect((32_000...33_024).contains(audio.count / 2), "\(audio.count)")
  }

  @Test("missing audio is reported")
  func warnings() {
    var report = MicrophoneAudio.Report(name: "hw:1,0", rate: 48_000, channels: 1)
    var end = RecordingResult.skipped
    end.microphone = report
    #expect(end.notices(input: "a camera").isEmpty)
    (report.gaps, report.missing) = (2, 0.0314159)
    end.microphone = report
    #expect(
      end.notices(input: "a camera").map(\.message) == [
        "the microphone hw:1,0 lost audio 2 times, and there is silence of 0.031 seconds in all instead"
      ])
  }
}
