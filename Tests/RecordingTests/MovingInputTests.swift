import Frames
import Glibc
import TestSupport
import Testing

/// Tests of video files and other moving sources behind the image inputs of effects.
@Suite("Video behind image inputs")
struct MovingInputTests {
  private static let effect = """
    /*{"INPUTS": [{"NAME": "back", "TYPE": "image"}]}*/
    vec4 effect(vec2 uv) { return vec4(back(uv).rgb, 1.0); }
    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.effect.utf8, to: "show.comp")
  }

  /// Makes a video file whose frames differ in luma by 4 of 255 from one to the next.
  private func film(
    _ name: String, frames: Int, rate: String, size: String = "16x12", from first: Int = 0
  ) throws {
    try make(
      name, in: folder,
      [
        "-f", "lavfi", "-i",
        "nullsrc=s=\(size):r=\(rate):d=600,geq=lum=16+4*(N+\(first)):cb=128:cr=128",
        "-frames:v", "\(frames)", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0",
        "-pix_fmt", "yuv420p",
      ])
  }

  /// Returns the index of the video frame that each output frame shows.
  private func shown(_ input: String, _ words: [String]) throws -> [Int] {
    let result = try KfrecProcess.run(
      ["-y", "-e", "./show.comp:back=\(input)", "-o", "out.y4m"] + words, in: folder)
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    return try numbers()
  }

  private func numbers() throws -> [Int] {
    try Probe.pixels(folder.file("out.y4m"), "yuv420p", filters: ["crop=2:2:6:6"])
      .enumerated().filter { $0.offset % 6 == 0 }
      .map { (Int($0.element) - 16 + 2) / 4 }
  }

  private func pattern(_ frames: Int, rate: String) -> [String] {
    ["-i", "testsrc", "--size", "16x12", "--fps", rate, "--frames", "\(frames)"]
  }

  @Test(
    "Each output frame shows the latest due frame of the video, whatever the two rates are",
    arguments: [
      (Rational(30), Rational(7)), (Rational(25), Rational(50)),
      (Rational(24000, 1001), Rational(30000, 1001)), (Rational(10), Rational(24)),
      (Rational(60), Rational(60)), (Rational(50), Rational(3)),
    ])
  func due(rate: Rational, own: Rational) throws {
    try film("film.mov", frames: 20, rate: "\(own)")
    let expected = (0..<40).map { number in
      min(Int((Rational(Int64(number)) / rate * own).floor), 19)
    }
    #expect(try shown("film.mov", pattern(40, rate: "\(rate)")) == expected)
  }

  @Test(
    "A video whose container rounds its times keeps step with a source of its rate",
    arguments: ["30", "60", "24000/1001"])
  func rounded(rate: String) throws {
    try film("film.mkv", frames: 20, rate: rate)
    #expect(try shown("film.mkv", pattern(20, rate: rate)) == Array(0..<20))
  }

  @Test("After its end a video holds its last frame or loops, from any start")
  func endings() throws {
    try film("film.mov", frames: 5, rate: "10")
    let words = pattern(20, rate: "20")
    let hold = (0..<20).map { min($0 / 2, 4) }
    #expect(try shown("film.mov", words) == hold)
    #expect(try shown("film.mov~hold", words) == hold)
    #expect(try shown("film.mov~loop", words) == (0..<20).map { $0 / 2 % 5 })
    #expect(try shown("film.mov~start=0.25", words) == (0..<20).map { min(3 + $0 / 2, 4) })
    #expect(try shown("film.mov~start=0.2~loop", words) == (0..<20).map { 2 + $0 / 2 % 3 })
    // A video file of one frame is an image.
    try film("one.mov", frames: 1, rate: "10", from: 9)
    #expect(try shown("one.mov", words) == Array(repeating: 9, count: 20))
  }

  @Test("The video follows the output's time: a part that --start skips is not counted")
  func outputTimes() throws {
    try film("film.mov", frames: 30, rate: "10")
    try film("main.mov", frames: 30, rate: "10")
    #expect(try shown("film.mov", ["-i", "main.mov", "--start", "1", "-t", "1"]) == Array(0..<10))
  }

  @Test("Numbered images and patterns play too, and one video serves several inputs")
  func otherSources() throws {
    try film("film.mov", frames: 8, rate: "25")
    try runTool(
      "ffmpeg",
      ["-v", "error", "-i", folder.file("film.mov"), "-start_number", "1", folder.file("n-%d.png")])
    #expect(try shown("n-%d.png", pattern(10, rate: "25")) == (0..<10).map { min($0, 7) })
    let testsrc = try KfrecProcess.run(
      ["-e", "./show.comp:back=testsrc", "-o", "null"] + pattern(3, rate: "25"), in: folder)
    #expect(testsrc.exitCode == 0, "\(testsrc)")
    let verbose = try KfrecProcess.run(
      [
        "--verbose", "-y", "-e", "./show.comp:back=film.mov", "-e", "./show.comp:back=film.mov",
        "-o",
        "out.y4m",
      ] + pattern(10, rate: "25"), in: folder)
    #expect(try numbers() == (0..<10).map { min($0, 7) })
    #expect(
      verbose.errors.contains("image input back, back: film.mov, yuv420p 16x12"),
      "\(verbose.errors)")
  }

  @Test("A video that changes its size continues at the size of its first frame")
  func changedSize() throws {
    try film("a.ts", frames: 5, rate: "25")
    try film("b.ts", frames: 5, rate: "25", size: "32x24", from: 5)
    let joined = try readFile(folder.file("a.ts")) + readFile(folder.file("b.ts"))
    try folder.write(joined, to: "film.ts")
    let shown = try shown("film.ts", pattern(12, rate: "25"))
    #expect(Set(shown).isSuperset(of: [0, 4, 6, 9]) && shown == shown.sorted(), "\(shown)")
  }

  @Test("A video that ends early is reported like an input: exit code 3, and the rest is kept")
  func truncated() throws {
    try film("film.mov", frames: 60, rate: "30", size: "64x48")
    let whole = try readFile(folder.file("film.mov"))
    try make(
      "front.mov", in: folder,
      ["-i", folder.file("film.mov"), "-c", "copy", "-movflags", "faststart"])
    let front = try readFile(folder.file("front.mov"))
    try folder.write(front.prefix(front.count - whole.count / 3), to: "short.mov")
    let result = try KfrecProcess.run(
      ["-e", "./show.comp:back=short.mov", "-o", "out.mov"] + pattern(90, rate: "30"), in: folder)
    #expect(result.exitCode == 3 && result.errors.contains("short.mov"), "\(result)")
    #expect(try Timeline(folder.file("out.mov")).times.count == 90)
  }

  @Test("Ctrl-C ends the wait for a video from a pipe, at any time")
  func pipe() throws {
    try film("film.mov", frames: 3, rate: "30")
    let name = folder.file("pipe")
    mkfifo(name, 0o600)
    let words =
      ["-i", "testsrc", "--size", "16x12", "--realtime", "-e", "./show.comp:back=pipe", "-o"]
    // No process writes to the pipe.
    let waiting = try KfrecProcess.start(words + ["waiting.mov"], in: folder)
    waiting.waitUntilItHearsSignals()
    #expect(!waiting.waitForError("out of the question", seconds: 1))
    waiting.send(SIGINT)
    let none = waiting.wait()
    #expect(none.exitCode == 1 && !none.timedOut, "\(none)")
    #expect(!folder.names.contains("waiting.mov"))
    // The frames so far are shown, and then the writer stalls.
    let child = try KfrecProcess.start(words + ["out.mov", "--progress", "json"], in: folder)
    let writer = open(name, O_WRONLY | O_CLOEXEC)
    defer { close(writer) }
    var text = Array("YUV4MPEG2 W16 H12 F30:1 Ip A1:1 C420jpeg\n".utf8)
    for _ in 0..<100 { text += Array("FRAME\n".utf8) + [UInt8](repeating: 128, count: 288) }
    #expect(text.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) } == text.count)
    #expect(child.waitForOutput { $0.contains("\"type\":\"ready\"") })
    child.send(SIGINT)
    let some = child.wait()
    #expect(!some.timedOut, "\(some)")
  }

  @Test(
    "Eight videos take eight threads, which end with the recording, and memory does not grow")
  func eightFilms() throws {
    let inputs = (1...8).map { "{\"NAME\": \"b\($0)\", \"TYPE\": \"image\"}" }
    let sum = (1...8).map { "b\($0)(uv).rgb" }.joined(separator: " + ")
    try folder.write(
      """
      /*{"INPUTS": [\(inputs.joined(separator: ", "))]}*/
      vec4 effect(vec2 uv) { return vec4((\(sum)) / 8.0, 1.0); }
      """.utf8, to: "eight.comp")
    for number in 1...8 { try film("f\(number).mov", frames: 60, rate: "30", size: "320x180") }
    let use = (1...8).map { "b\($0)=f\($0).mov~loop" }.joined(separator: ",")
    let child = try KfrecProcess.start(
      [
        "-i", "testsrc", "--size", "320x180", "-e", "./eight.comp:\(use)", "-o", "null",
        "--progress", "json",
      ], in: folder, environment: ["KFREC_VULKAN_VALIDATION": nil])
    func goOn(to frames: Int) -> Bool {
      child.waitForOutput { text in
        text.split(separator: "\n").contains { line in
          line.split(separator: ",").contains {
            $0.hasPrefix("\"framesOut\":") && Int($0.dropFirst(12)) ?? 0 >= frames
          }
        }
      }
    }
    // By then all queues have been full, also where the machine has other work.
    #expect(goOn(to: 300))
    // Decoder threads have the name of the thread that opened the decoder.
    func readers() throws -> [String] {
      try threads(of: child.id).filter { $0.hasPrefix("kfrec-ahead") }
    }
    let most = 8 * (2 + sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let names = try readers()
    #expect(Set(names).count == 8 && names.count <= most, "\(names)")
    let early = try #require(child.residentMemory)
    // Each has looped several times by then.
    #expect(goOn(to: 900))
    let late = try #require(child.residentMemory)
    #expect(late - early < 16 << 20, "from \(early) to \(late) bytes")
    let later = try readers()
    #expect(Set(later).count <= 8 && later.count <= most, "\(later)")
    child.send(SIGINT)
    #expect(child.wait().exitCode == 0)
  }

  private func threads(of process: Int32) throws -> [String] {
    let tasks = "/proc/\(process)/task"
    return namesInFolder(tasks).compactMap { task in
      (try? readFile("\(tasks)/\(task)/comm")).map {
        String(decoding: $0, as: UTF8.self).filter { $0 != "\n" }
      }
    }
  }

  @Test("A wrong option is refused in a sentence, and no file is left")
  func refusals() throws {
    try film("film.mov", frames: 3, rate: "30")
    try runTool(
      "ffmpeg",
      ["-v", "error", "-i", folder.file("film.mov"), "-frames:v", "1", folder.file("a.png")])
    for (input, code, message) in [
      ("film.mov~lop", 2, "'~lop' does not say how film.mov plays: write ~loop, ~hold"),
      ("film.mov~start=x", 2, "'~start=x' does not say"), ("none.mov", 1, "none.mov"),
      ("a.png~loop", 2, "a.png is a single image"), ("film.mov~start=9", 1, "film.mov"),
    ] {
      let result = try KfrecProcess.run(
        ["-e", "./show.comp:back=\(input)", "-o", "out.mov"] + pattern(3, rate: "30"), in: folder)
      #expect(result.exitCode == Int32(code), "\(input): \(result)")
      #expect(result.errors.contains(message), "\(input): \(result.errors)")
      #expect(!fileExists(folder.file("out.mov")) && !fileExists(folder.file("out.mov.part")))
    }
  }
}
