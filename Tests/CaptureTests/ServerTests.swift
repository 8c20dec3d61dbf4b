import Frames
import Synchronization
import TestSupport
import Testing

@testable import Capture

@Suite("Servers that send less than they should")
struct ServerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file of 4 seconds that is larger than what is read to open it.
  private func make(_ name: String, _ words: [String] = []) throws -> Int {
    let path = folder.file(name)
    try ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=4", "-c:v", "libx264", "-preset",
        "ultrafast", "-g", "25", "-qp", "1",
      ] + words + [path])
    return try readFile(path).count
  }

  @Test(
    "without a length a file is read to its end, and from a start",
    arguments: ["a.ts", "a.mkv", "a.mp4", "a.flv"])
  func withoutLength(name: String) throws {
    _ = try make(name, name == "a.mp4" ? ["-movflags", "faststart"] : [])
    let server = try FileServer(folder, manner: .withoutLength)
    let whole = try ReadSource(server.url(name))
    #expect(whole.frames.count == 100 && whole.report.incomplete == nil)
    let local = try ReadSource(folder.file(name)) { $0.start = Rational(2) }
    let part = try ReadSource(server.url(name)) { $0.start = Rational(2) }
    #expect(part.times == local.times)
    #expect(zip(part.frames, local.frames).allSatisfy { $0.rawVideo == $1.rawVideo })
  }

  @Test(
    "a connection that is closed in the middle makes the source incomplete, also where a part was asked for",
    arguments: ["a.ts", "a.mkv", "a.mp4"])
  func closed(name: String) throws {
    let size = try make(name, name == "a.mp4" ? ["-movflags", "faststart"] : [])
    let server = try FileServer(folder, manner: .closes(after: size * 6 / 10))
    for duration in [nil, Rational(7, 2)] {
      let read = try ReadSource(server.url(name)) { $0.duration = duration }
      #expect((50..<70).contains(read.frames.count), "\(read.frames.count)")
      #expect(read.report.incomplete != nil, "\(name), \(duration as Any)")
    }
    // What was wanted has come.
    let short = try ReadSource(server.url(name)) { $0.duration = Rational(1) }
    #expect(short.frames.count == 25 && short.report.incomplete == nil)
  }

  @Test("a server that stalls is waited for with a notice, and given up")
  func stalled() throws {
    let size = try make("a.mkv")
    let server = try FileServer(folder, manner: .stalls(after: size * 6 / 10))
    final class Told: Sendable { let notices = Mutex<[Notice]>([]) }
    let reported = Told()
    let read = try ReadSource(server.url("a.mkv")) {
      $0.networkTimeout = Rational(6)
      $0.notice = { notice in reported.notices.withLock { $0.append(notice) } }
    }
    #expect((50..<70).contains(read.frames.count))
    #expect(
      read.report.incomplete
        == "\(server.url("a.mkv")) has given no data for 6 seconds (--network-timeout)")
    #expect(reported.notices.withLock { $0.map(\.id) } == [.sourceStalled])
    let silent = try FileServer(folder, manner: .silent)
    let said = try #require(
      complaint(silent.url("a.mkv")) { $0.networkTimeout = Rational(1, 2) })
    #expect(said.contains("has given no data for 0.5 seconds"), "\(said)")
  }

  @Test(
    "a stall is what lies between questions that are far apart, whatever the reader does meanwhile")
  func stalls() {
    var stall = ServerStall()
    var now: Int64 = 0
    func ask(after milliseconds: Int64) {
      now += milliseconds * 1_000_000
      stall.note(now: MonotonicTime(nanoseconds: now))
    }
    // Data comes, and the reader is slow.
    for _ in 0..<100 {
      ask(after: 300)
      ask(after: 1)
    }
    #expect(stall.seconds == 0 && stall.takeNews() == nil)
    for _ in 0..<49 { ask(after: 101) }
    #expect(stall.takeNews() == nil)
    ask(after: 101)
    #expect(stall.takeNews() == 5)
    for _ in 0..<48 { ask(after: 101) }
    #expect(stall.takeNews() == nil)
    for _ in 0..<4 { ask(after: 101) }
    #expect(stall.takeNews() == 10)
    ask(after: 20)
    #expect(stall.seconds == 0)
    // The machine slept for an hour.
    ask(after: 3_600_000)
    #expect(stall.seconds < 1)
  }
}
