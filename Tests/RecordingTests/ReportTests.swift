import FoundationEssentials
import TestSupport
import Testing

/// Tests of the reports of a recording to programs and users.
@Suite struct ReportTests {
  private struct Line: Decodable, Sendable {
    var type: String
    var input, output, gpu: String?
    var effects, plan: [String]?
    var width, height, frameCount: Int?
    var frameRate: Double?
    var frameRateExact: String?
    var framesIn, framesOut, dropped, duplicated, predictedTimes, exitCode: Int?
    var bytes: Int?
    var time, elapsed, fps, duration: Double?
    var message: String?
  }

  private func lines(_ text: String) throws -> [Line] {
    try text.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  @Test("an encoder that prints by itself is as quiet as kfrec", arguments: [["--quiet"], []])
  func quietEncoder(words: [String]) throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      words + [
        "-i", "testsrc", "--size", "64x64", "--frames", "2", "--codec", "av1", "-o", "out.mkv",
      ],
      in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errors.split(separator: "\n").count == (words.isEmpty ? 1 : 0), "\(result)")
  }

  @Test("the JSON objects parse, are complete, and begin with ready and finish with end")
  func objects() throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "640x360", "--frames", "90", "-e", "separateRGB", "-e",
        "boxBlur", "-o", "out.mov", "--progress", "json",
      ], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let lines = try lines(result.text)
    let ready = try #require(lines.first)
    #expect(ready.type == "ready" && ready.input == "testsrc" && ready.output == "out.mov")
    #expect(ready.effects == ["separateRGB", "boxBlur"] && ready.gpu?.isEmpty == false)
    let plan = try #require(ready.plan)
    #expect(plan.first?.hasPrefix("source: testsrc, rgb0 640x360, ") == true)
    for word in ["separateRGB", "boxBlur", "GPU: ", "output: out.mov, yuv420p 640x360"] {
      #expect(plan.contains { $0.contains(word) }, "\(word): \(plan)")
    }
    #expect(ready.width == 640 && ready.height == 360 && ready.frameCount == 90)
    #expect(ready.frameRate == 30 && ready.frameRateExact == "30" && ready.duration == 3)
    let progress = lines.dropFirst().dropLast()
    #expect(!progress.isEmpty)
    for line in progress {
      #expect(line.type == "progress")
      #expect(line.framesIn != nil && line.framesOut != nil && line.time != nil)
      #expect(line.dropped == 0 && line.duplicated == 0 && line.elapsed != nil && line.fps != nil)
    }
    let counts = progress.compactMap(\.framesOut)
    #expect(counts == counts.sorted() && counts.allSatisfy { 1...90 ~= $0 })
    let end = try #require(lines.last)
    #expect(end.type == "end" && end.exitCode == 0 && end.framesIn == 90 && end.framesOut == 90)
    #expect(end.duration == 3 && end.predictedTimes == 0)
    #expect(try end.bytes == readFile(folder.file("out.mov")).count)
  }

  @Test("warnings, errors and an early end are objects too")
  func troubles() throws {
    let folder = try TemporaryFolder()
    let odd = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "63x47", "--frames", "2", "-o", "out.mov", "--progress", "json",
      ], in: folder)
    #expect(try lines(odd.text).contains { $0.type == "warning" && $0.message?.isEmpty == false })
    let missing = try KfrecProcess.run(
      ["-i", "missing.mp4", "-o", "b.mov", "--progress", "json"], in: folder)
    let error = try #require(try lines(missing.text).first)
    #expect(error.type == "error" && error.exitCode == 1)
    #expect(error.message?.contains("missing.mp4") == true)
  }

  @Test("the summary counts frames, --quiet prints nothing, --verbose prints the choices")
  func sentences() throws {
    let folder = try TemporaryFolder()
    let words = ["-y", "-i", "testsrc", "--size", "64x48", "--frames", "5", "-o", "out.mov"]
    let plain = try KfrecProcess.run(words, in: folder)
    #expect(
      plain.errors.hasPrefix("kfrec: out.mov: 5 frames in, 5 out, 0 dropped, 0 duplicated, 0:00.17")
    )
    #expect(plain.errors.filter { $0 == "\n" }.count == 1 && plain.output.isEmpty)
    #expect(try KfrecProcess.run(words + ["--quiet"], in: folder).errors.isEmpty)
    let verbose = try KfrecProcess.run(words + ["--verbose"], in: folder)
    #expect(verbose.errors.contains("testsrc to out.mov, 64x48 at 30 frames per second, no effect"))
    for word in ["source: testsrc, rgb0 64x48", "GPU: ", "output: out.mov", "encoder: libx264, "] {
      #expect(verbose.errors.contains("kfrec: \(word)"), "\(word): \(verbose)")
    }
    #expect(!verbose.errors.contains("decoder: "))
    let film = try KfrecProcess.run(
      ["-y", "-i", "out.mov", "-o", "null", "--verbose"], in: folder)
    #expect(film.errors.contains("kfrec: source: out.mov, yuv420p 64x48, smpte170m, limited range"))
    #expect(film.errors.contains("kfrec: decoder: h264, "))
    #expect(film.errors.contains("kfrec: GPU not used"))
    #expect(!film.errors.contains("kfrec: encoder: ") && !film.errors.contains("kfrec: GPU: "))
  }

  @Test("a long recording takes no more memory than a short one")
  func memory() throws {
    // Without the validation layer's own memory.
    func peak(frames: Int) throws -> Int {
      let result = try KfrecProcess.run(
        [
          "-i", "testsrc", "--size", "64x48", "--frames", "\(frames)", "-e", "separateRGB", "-o",
          "null", "--stats", "--progress", "json",
        ], environment: ["KFREC_VULKAN_VALIDATION": nil])
      #expect(result.exitCode == 0, "\(result)")
      return try #require(result.peakMemory)
    }
    // The very first run compiles the shader, which takes 30 to 50 MB, and caches it for the others.
    _ = try peak(frames: 1)
    // Two runs of one length differ by up to 2 MB; a leak of 1 KiB per frame would be 5.6 MB.
    let growth = try peak(frames: 6000) - peak(frames: 200)
    #expect(growth < 4 << 20, "\(growth) bytes")
  }
}
