import Glibc
import TestSupport
import Testing

/// Tests that kfrec goes on with what earlier versions wrote (`Tests/Kept`).
@Suite struct KeptFilesTests {
  private static let versions = namesInFolder(repositoryRoot + "/Tests/Kept").filter {
    $0.first?.isNumber == true
  }

  /// Copies what a version wrote; its files get the times that the journals know, which a checkout does not keep.
  private func copy(_ name: String, of version: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try runTool("cp", ["-a", "\(repositoryRoot)/Tests/Kept/\(version)/\(name)/.", folder.path])
    let out = folder.file("out")
    for journal in namesInFolder(out) where journal.hasSuffix(".jsonl") {
      let text = String(decoding: try readFile(out + "/" + journal), as: UTF8.self)
      for line in text.split(separator: "\n") {
        guard let modified = line.firstMatch(of: /"modified":(\d+)(\d{9}),"output":"([^"]+)"/)
        else { continue }
        var path = out + "/" + modified.3
        if let chunk = line.firstMatch(of: /"chunk":"([^"]+)"/) {
          let chunks = out + "/.kfrec-batch/chunks"
          path = try #require(
            namesInFolder(chunks).map { "\(chunks)/\($0)/\(chunk.1).mov" }.first(where: fileExists))
        }
        try runTool("touch", ["-d", "@\(modified.1).\(modified.2)", path])
      }
    }
    return folder
  }

  private func run(_ words: String, in folder: TemporaryFolder) throws -> ChildResult {
    try KfrecProcess.run(words.split(separator: " ").map(String.init), in: folder)
  }

  @Test(
    "a finished batch of an earlier version, which made other pixels, is made again, and its report is replaced",
    arguments: versions)
  func batch(version: String) throws {
    let folder = try copy("batch", of: version)
    let words = "batch a.mp4 b.mp4 --output-dir out -e ./soft.comp"
    let trial = try run(words + " --dry-run", in: folder)
    #expect(trial.text.contains("this kfrec makes other pixels"), "\(trial)")
    // What the batch made itself is replaced without -y.
    let again = try run(words, in: folder)
    #expect(again.exitCode == 0 && again.errors.contains("2 made, 0 done before"), "\(again)")
    let result = try run(words + " --report out/report.json", in: folder)
    #expect(result.exitCode == 0 && result.errors.contains("0 made, 2 done before"), "\(result)")
    let report = String(decoding: try readFile(folder.file("out/report.json")), as: UTF8.self)
    #expect(report.contains(#""done":0,"kept":2"#), "\(report)")
    let changed = try run(words + ":strength=1", in: folder)
    #expect(changed.errors.contains("2 made, 0 done before"), "\(changed)")
  }

  @Test(
    "a killed batch of an earlier version, whose chunks have other pixels, is made from its start",
    arguments: versions)
  func chunks(version: String) throws {
    let folder = try copy("chunks", of: version)
    let words = "batch long.mp4 --output-dir out --chunks 4 --jobs 1 --crf 20 -e ./slow.comp"
    let result = try run(words + " --verbose", in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errors.contains("1 of 4 chunks"), "\(result)")
    #expect(frameCount(of: folder.file("out/long.mov")) == 50)
    #expect(namesInFolder(folder.file("out")).sorted() == [".kfrec-batch.jsonl", "long.mov"])
  }

  @Test(
    "what a killed batch of an earlier version left unfinished is made again", arguments: versions)
  func killed(version: String) throws {
    let folder = try copy("killed", of: version)
    let result = try run("batch long.mp4 --output-dir out --crf 20 -e ./slow.comp", in: folder)
    #expect(result.exitCode == 0 && result.errors.contains("1 made"), "\(result)")
    #expect(namesInFolder(folder.file("out")).sorted() == [".kfrec-batch.jsonl", "long.mov"])
  }

  @Test("a plan of an earlier version keeps its tasks, and they are made", arguments: versions)
  func farm(version: String) throws {
    let folder = try copy("farm", of: version)
    let plan = folder.file("out/plan.jsonl")
    let text = String(decoding: try readFile(plan), as: UTF8.self)
    try folder.write(text.replacing("FOLDER", with: folder.path).utf8, to: "out/plan.jsonl")
    let words = "batch a.mp4 b.mp4 --output-dir out -e ./soft.comp --task-size 1 --plan-only"
    let planned = try run(words, in: folder)
    #expect(
      planned.exitCode == 0 && planned.errors.contains("2 outputs of 2 to make"), "\(planned)")
    #expect(planned.errors.contains("0 of them new"), "\(planned)")
    for task in 1...2 {
      let made = try run("batch --task \(task) --plan out/plan.jsonl", in: folder)
      #expect(made.exitCode == 0, "\(made)")
    }
    #expect(frameCount(of: folder.file("out/b.mov")) == 5)
    let status = try run("batch --status out", in: folder)
    #expect(status.exitCode == 0, "\(status)")
  }

  @Test("a preset and an automation of an earlier version are read", arguments: versions)
  func words(version: String) throws {
    let folder = try copy("words", of: version)
    let preset = try run("-i a.mp4 --preset look.kfpreset -o a.mkv", in: folder)
    #expect(preset.exitCode == 0, "\(preset)")
    #expect(
      try Probe.rows(folder.file("a.mkv"), "stream=width,height", of: "v:0") == [
        ["width": "32", "height": "32"]
      ])
    let automation = "-i a.mp4 -e ./slow.comp -e ./soft.comp --automation-in take.jsonl -o b.mkv"
    let result = try run(automation, in: folder)
    #expect(result.exitCode == 0, "\(result)")
  }
}
