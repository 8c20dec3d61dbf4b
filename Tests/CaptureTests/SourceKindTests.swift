import Glibc
import Testing

@testable import Capture

@Suite("What the word after -i means")
struct SourceKindTests {
  @Test(
    "the word decides the kind of the source",
    arguments: [
      ("testsrc", "testsrc"), ("blank", "blank"), ("-", "-"), ("", "/dev/videoN"),
      ("/dev/video7", "/dev/videoN"), ("/dev/v4l/by-id/x", "/dev/videoN"),
      ("http://a/b.mp4", "URL"),
      ("a-%04d.png", "name-%04d.png"), ("http://a/%d.png", "URL"), ("100%.mp4", "FILE"),
      ("./testsrc", "FILE"), ("a.mp4", "FILE"),
    ])
  func words(typed: String, words: String) {
    #expect(SourceKind.written(typed).words == words)
    #expect(SourceRequest(input: typed).kind.words == words)
  }

  @Test("an existing file may have the name of a sequence")
  func fileWithPercentSign() throws {
    let path = "/tmp/kfrec-%d-\(getpid()).bin"
    #expect(SourceRequest(input: path).kind.takesFrameRate)
    let file = try #require(fopen(path, "w"))
    defer { unlink(path) }
    fclose(file)
    #expect(SourceRequest(input: path).kind.words == SourceKind.file.words)
    #expect(SourceKind.written(path).takesFrameRate)
  }

  @Test("the kind says which inputs can be opened again, and which files are read")
  func traits() {
    func again(_ input: String) -> Bool { SourceRequest(input: input).canBeOpenedAgain }
    func paths(_ input: String) -> [String] { SourceRequest(input: input).kind.paths(input) }
    #expect(again("testsrc") && again("a-%d.png") && again(#filePath))
    #expect(!again("-") && !again("/dev/video0") && !again("http://a/b.mp4") && !again("/dev/zero"))
    #expect(paths("-") == ["/dev/stdin"] && paths("file:///a") == ["///a"] && paths("a") == ["a"])
    #expect(paths("testsrc").isEmpty && paths("http://a/b.mp4").isEmpty)
  }
}
