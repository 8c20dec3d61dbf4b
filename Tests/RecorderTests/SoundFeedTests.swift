import Capture
import Frames
import Glibc
import Testing

@testable import Recorder

@Suite("The sound that effects see")
struct SoundFeedTests {
  @Test("costs no memory where no effect asks for it")
  func none() async {
    await #expect(processExitsWith: .success) {
      let recording = Recording(source: SourceRequest(input: "testsrc"), outputs: ["null"])
      func open() -> SoundFeed? {
        SoundFeed(recording, effects: [], firstTime: .zero, isLive: false)
      }
      #expect(open() == nil)
      let before = try pagesOfThisProcess()
      for _ in 0..<1000 { _ = open() }
      // A thousand times its buffers would be 131 MB.
      #expect(try pagesOfThisProcess() - before < 4000)
    }
  }
}

/// The first number of /proc/self/statm, which counts what was never touched too.
private func pagesOfThisProcess() throws -> Int {
  let file = try #require(fopen("/proc/self/statm", "r"))
  defer { fclose(file) }
  var text = [UInt8](repeating: 0, count: 32)
  let length = fread(&text, 1, 32, file)
  let digits = String(decoding: text.prefix(length).prefix { $0 != 32 }, as: UTF8.self)
  return try #require(Int(digits))
}
