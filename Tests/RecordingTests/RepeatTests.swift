import TestSupport
import Testing

/// Tests that the same command gives the same file.
@Suite struct RepeatTests {
  @Test("A file has the same bytes, whatever the memory held before")
  func memory() throws {
    let folder = try TemporaryFolder()
    var files: Set<[UInt8]> = []
    for (number, value) in ["0", "1", "85", "165", "254"].enumerated() {
      let result = try KfrecProcess.run(
        ["-i", "testsrc", "--size", "320x180", "--frames", "24", "-e", "separateRGB"]
          + ["--crf", "20", "-o", "\(number).mov"],
        in: folder, environment: ["MALLOC_PERTURB_": value])
      #expect(result.exitCode == 0, "\(result)")
      files.insert([UInt8](try readFile(folder.file("\(number).mov"))))
    }
    #expect(files.count == 1)
  }
}
