import Frames
import Glibc
import Testing

@testable import Encode

@Suite("Pipes, y4m and null")
struct StreamTests {
  let folder = TestFolder()

  /// Makes a FIFO with a reader that copies it to a file.
  private func fifo(_ name: String, reader: String) -> String {
    let path = folder.file(name)
    mkfifo(path, 0o600)
    shell("({ \(reader); } < \(path) > \(folder.file("copy")) 2>/dev/null) > /dev/null 2>&1 &")
    return path
  }

  private func waitForReader() {
    // The reader has received the whole file before `finish` returns, but needs a moment to write it.
    shell("while [ ! -s \(folder.file("done")) ]; do sleep 0.01; done")
  }

  @Test("A FIFO gets a video file that is read from the start", arguments: ["mov", "mp4", "mkv"])
  func movies(container: String) throws {
    let path = fifo("pipe", reader: "cat; exec 1>&-; echo x > \(folder.file("done"))")
    let reader = folder.file("copy")
    let times = (0..<60).map { Rational(Int64($0), 25) }
    var settings = EncodeSettings()
    settings.gop = 12
    try record(
      path, times: times, timeBase: Rational(1, 1000), rate: 25, settings: settings,
      container: container)
    waitForReader()
    #expect(ProbedStream(reader, "v:0").times == times)
    #expect(shell("ffprobe -v error -i \(reader) 2>&1").isEmpty)
    #expect(folder.names.sorted() == ["copy", "done", "pipe"])
  }

  @Test(
    "y4m holds the frames unchanged, with size, rate, aspect ratio and range",
    arguments: [
      PixelFormat.yuv420p, .yuv422p, .yuv444p,
    ])
  func uncompressed(pixelFormat: PixelFormat) throws {
    var settings = EncodeSettings()
    settings.pixelFormat = pixelFormat
    let path = fifo("pipe.y4m", reader: "cat; exec 1>&-; echo x > \(folder.file("done"))")
    var color = ColorDescription.hd
    color.range = .full
    try record(
      path, times: (0..<4).map { Rational(Int64($0) * 1001, 30000) }, width: 35, height: 21,
      color: color, sampleAspectRatio: Rational(4, 3), timeBase: Rational(1, 30000),
      rate: Rational(30000, 1001), settings: settings)
    waitForReader()
    let output = try Output("null", settings: settings)
    let frames = TestFrames(output.frameFormat(width: 35, height: 21, color: color))
    let bytes = shellBytes("cat \(folder.file("copy"))")
    let line = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    #expect(
      line.hasPrefix(
        "YUV4MPEG2 W\(frames.format.width) H\(frames.format.height) F30000:1001 Ip A4:3 C4"))
    #expect(line.contains("XCOLORRANGE=FULL"))
    let expected = (0..<4).flatMap { Array("FRAME\n".utf8) + frames.raw($0) }
    #expect(Array(bytes.dropFirst(line.utf8.count + 1)) == expected)
  }

  @Test("A reader that closes the pipe is reported in a sentence")
  func readerGone() throws {
    let path = fifo("pipe", reader: "head -c 100")
    let error = #expect(throws: EncodeError.self) {
      try record(
        path, times: (0..<400).map { Rational(Int64($0), 25) }, timeBase: Rational(1, 25), rate: 25,
        container: "y4m")
    }
    #expect(error?.description.contains("closed the pipe") == true)
    #expect(error?.isUsageError == false)
  }

  @Test("Standard output gets y4m, or the given container")
  func standardOutput() async {
    await #expect(processExitsWith: .success) {
      let folder = TestFolder()
      for (container, name, muxer) in [
        (nil, "a", "yuv4mpegpipe"), ("mkv", "b", "matroska"), ("mov", "c", "mov"),
      ] {
        let file = open(folder.file(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        dup2(file, STDOUT_FILENO)
        #expect(try Output("-", container: container).isStandardOutput)
        try record(
          "-", times: (0..<5).map { Rational(Int64($0), 25) }, timeBase: Rational(1, 25), rate: 25,
          container: container)
        let format = shell(
          "ffprobe -v error -show_entries format=format_name -of csv=p=0 \(folder.file(name))")
        #expect(format.contains(muxer))
        #expect(ProbedStream(folder.file(name), "v:0").packets.count == 5)
      }
    }
  }

  @Test("null takes frames and counts them")
  func nothing() throws {
    let report = try record(
      "null", times: [0, Rational(1, 10), Rational(3, 10)], timeBase: Rational(1, 10), rate: 10)
    #expect(report.frames == 3)
    #expect(report.duration == Rational(1, 2))
    #expect(report.bytes == nil)
  }
}
