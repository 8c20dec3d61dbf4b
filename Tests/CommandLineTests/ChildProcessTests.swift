import Glibc
import TestSupport
import Testing

/// Tests of the helper with which the other suites run the real binary.
@Suite struct ChildProcessTests {
  @Test("a child receives its words, folder, variables and input, and its whole output is read")
  func round() throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let result = try ChildProcess(
      "sh", ["-c", "cat; printf '%s %s %s' \"$PWD\" \"$A\" \"${HOME-none}\" >&2; exit 7"],
      folder: folder.path, environment: ["A": "b", "HOME": nil], input: .bytes(bytes)
    ).wait()
    #expect(result.exitCode == 7)
    #expect(result.output == bytes)
    #expect(result.errors == "\(folder.path) b none")
  }

  @Test("a signal reaches the child, and an end by a signal is distinguished from an exit")
  func signals() throws {
    let trapped = try ChildProcess(
      "sh", ["-c", "trap 'exit 5' INT; echo ready >&2; while :; do sleep 0.01; done"])
    #expect(trapped.waitForError("ready"))
    trapped.send(SIGINT)
    #expect(trapped.wait().exitCode == 5)
    let killed = try ChildProcess("sh", ["-c", "kill -TERM $$"]).wait()
    #expect(killed.exitCode == nil)
    #expect(killed.signal == SIGTERM)
  }

  @Test("a child that does not end is killed at its time limit")
  func timeout() throws {
    let result = try ChildProcess("sleep", ["1000"], input: .silence).wait(seconds: 0.1)
    #expect(result.timedOut)
    #expect(result.signal == SIGKILL)
  }

  @Test("a program that does not exist is reported as such")
  func missing() {
    #expect(throws: TestSupportError.self) { try ChildProcess("/nowhere/program", []) }
  }

  @Test("a folder is removed with its last reference, whatever it contains")
  func folder() throws {
    var folder: TemporaryFolder? = try TemporaryFolder()
    let path = try #require(folder).path
    try folder?.write(Array("x".utf8), to: "file")
    #expect(try readFile(path + "/file") == Array("x".utf8))
    #expect(mkdir(path + "/inner", 0o500) == 0)
    #expect(folder?.names == ["file", "inner"])
    folder = nil
    #expect(!fileExists(path))
  }
}
