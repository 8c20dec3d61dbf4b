import FoundationEssentials
import TestSupport
import Testing

/// Tests of the output of `--stats` for real recordings.
@Suite struct StatisticsReportTests {
  private struct End: Decodable {
    var type: String
    var stats: Statistics?
  }

  private struct Statistics: Decodable {
    struct Stage: Decodable {
      var name: String
      var frames: Int
      var busy, share, waitIn, waitOut: Double?
    }
    struct Queue: Decodable {
      var name: String
      var room: Int
      var mean, most: Double
    }
    struct Threads: Decodable {
      var name: String
      var count: Int
      var processor: Double
    }
    var wall, processor, paused: Double
    var peakMemory: Int
    var bottleneck: String
    var startUp: [String: Double]
    var stages: [Stage]
    var queues: [Queue]
    var threads: [Threads]
  }

  /// Returns the statistics of a run, and its text for users.
  private func run(
    _ words: [String], in folder: TemporaryFolder
  ) throws -> (statistics: Statistics, errors: String) {
    let result = try KfrecProcess.run(
      words + ["--stats", "--progress", "json"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let line = try #require(result.text.split(separator: "\n").last)
    let end = try JSONDecoder().decode(End.self, from: Data(line.utf8))
    #expect(end.type == "end")
    return (try #require(end.stats), result.errors)
  }

  @Test("every stage counts every frame, and no thread is busy for longer than the recording")
  func stages() throws {
    let folder = try TemporaryFolder()
    let (statistics, errors) = try run(
      [
        "-i", "testsrc", "--size", "320x180", "--frames", "20", "-e", "separateRGB", "-o",
        "out.mov",
      ], in: folder)
    #expect(statistics.stages.map(\.name) == ["read+decode", "upload", "GPU", "encode"])
    #expect(statistics.stages.allSatisfy { $0.frames == 20 })
    for stage in statistics.stages {
      // Each is rounded to thousandths by itself.
      let spent = (stage.busy ?? 0) + (stage.waitIn ?? 0) + (stage.waitOut ?? 0)
      #expect(spent <= statistics.wall + 0.003 || stage.name == "GPU", "\(stage)")
      #expect((stage.share ?? 0) <= 1)
    }
    #expect(statistics.stages.map(\.name).contains(statistics.bottleneck))
    #expect(statistics.queues.map(\.name) == ["captured", "finished"])
    for queue in statistics.queues {
      #expect(queue.room == 3 && queue.mean <= queue.most && 1...3 ~= queue.most, "\(queue)")
    }
    for name in ["kfrec", "kfrec-capture", "kfrec-gpu", "kfrec-encode"] {
      #expect(statistics.threads.contains { $0.name == name && $0.count >= 1 }, "\(name)")
    }
    #expect(statistics.paused == 0 && statistics.peakMemory > 1 << 20)
    let startUp = statistics.startUp
    #expect(
      Set(startUp.keys) == ["firstFrameMs", "ownMs", "vkCreateInstanceMs", "vkCreateDeviceMs"])
    #expect(try #require(startUp["ownMs"]) < #require(startUp["firstFrameMs"]))
    #expect(errors.contains("\nbottleneck: ") && errors.contains("stage "))
  }

  @Test("a recording in the bypass has no GPU stages, and a paced one reports its waiting")
  func otherLines() throws {
    let folder = try TemporaryFolder()
    _ = try KfrecProcess.run(
      ["-i", "testsrc", "--size", "64x48", "--frames", "9", "-o", "in.mov"], in: folder)
    let (past, _) = try run(["-i", "in.mov", "-o", "null"], in: folder)
    #expect(past.stages.map(\.name) == ["read+decode", "encode"])
    #expect(past.stages.allSatisfy { $0.frames == 9 })
    #expect(Set(past.startUp.keys) == ["firstFrameMs", "ownMs", "avformat_open_inputMs"])
    let (paced, _) = try run(["-i", "in.mov", "-o", "null", "--realtime"], in: folder)
    #expect(paced.paused > 0 && paced.stages.first?.waitIn == paced.paused)
  }

  @Test("the table is on standard error alone, also of a quiet run, and only on request")
  func table() throws {
    let folder = try TemporaryFolder()
    let words = ["-y", "-i", "testsrc", "--size", "64x48", "--frames", "3", "-o", "null"]
    let quiet = try KfrecProcess.run(words + ["--quiet", "--stats"], in: folder)
    #expect(quiet.errors.hasPrefix("stage ") && quiet.output.isEmpty, "\(quiet)")
    #expect(!quiet.errors.contains("kfrec: null"))
    let without = try KfrecProcess.run(words + ["--progress", "json"], in: folder)
    #expect(without.errors.isEmpty && !without.text.contains("\"stats\""))
    #expect(try KfrecProcess.run(["--help"], in: folder).text.contains("--stats"))
  }
}
