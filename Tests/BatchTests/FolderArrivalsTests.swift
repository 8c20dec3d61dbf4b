import Frames
import Glibc
import Recorder
import Synchronization
import TestSupport
import Testing

@testable import Batch
@testable import Capture

@Suite("Files that arrive in a watched folder") struct FolderArrivalsTests {
  /// Watches the folder until `count` files were reported or ten seconds have passed; `act` runs beside it.
  private func arrivals(
    _ folder: TemporaryFolder, usesNotifier: Bool, count: Int, recursive: Bool = true,
    act: @escaping @Sendable () -> Void
  ) throws -> [String] {
    let found = Mutex<[String]>([])
    let interruption = Interruption()
    var request = BatchRequest(
      inputs: [], outputFolder: folder.file("out"),
      recording: Recording(source: SourceRequest(input: ""), outputs: []), version: "1")
    request.entersSubfolders = recursive
    let actor = try WorkerThread(name: "test") {
      usleep(200_000)
      act()
      for _ in 0..<1000 where found.withLock({ $0.count }) < count { usleep(10_000) }
      interruption.interrupt()
    }
    var watch = FolderArrivals(
      request, quiet: 0.5, usesNotifier: usesNotifier,
      arrived: { input in
        let name = input.path.dropFirst(folder.path.count + 1)
        found.withLock { $0.append("\(input.folder)|\(name)") }
      }, notice: { _ in })
    watch.run([folder.path], until: interruption)
    actor.join()
    return found.withLock { $0 }
  }

  @Test(
    "with inotify and without it, each complete file is reported once", arguments: [true, false])
  func complete(usesNotifier: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("there".utf8, to: "old.mp4")
    try folder.write("no input".utf8, to: "x.txt")
    mkdir(folder.file("in"), 0o700)
    mkdir(folder.file("out"), 0o700)
    let found = try arrivals(folder, usesNotifier: usesNotifier, count: 4) {
      _ = try? folder.write("new".utf8, to: "new.mp4")
      _ = try? folder.write("hidden".utf8, to: ".moved")
      rename(folder.file(".moved"), folder.file("moved.mp4"))
      _ = try? folder.write("inside".utf8, to: "in/a.mp4")
      _ = try? folder.write("output".utf8, to: "out/b.mp4")
    }
    #expect(found.sorted() == ["in|in/a.mp4", "|moved.mp4", "|new.mp4", "|old.mp4"].sorted())
  }

  @Test("links in a circle and to a folder that is watched give each file once")
  func circles() throws {
    let folder = try TemporaryFolder()
    mkdir(folder.file("in"), 0o700)
    mkdir(folder.file("out"), 0o700)
    try folder.write("there".utf8, to: "in/old.mp4")
    for (target, name) in [(".", "a"), (".", "b"), ("in", "c"), ("..", "in/up"), (".", "in/d")] {
      symlink(target, folder.file(name))
    }
    let found = try arrivals(folder, usesNotifier: true, count: 2) {
      _ = try? folder.write("new".utf8, to: "in/new.mp4")
      symlink(".", folder.file("in/later"))
      usleep(700_000)
    }
    #expect(found.sorted() == ["in|in/new.mp4", "in|in/old.mp4"])
  }

  @Test("a file that grows is reported when it is closed, not before")
  func growing() throws {
    let folder = try TemporaryFolder()
    let closed = Mutex(false)
    let found = try arrivals(folder, usesNotifier: true, count: 1) {
      let file = open(folder.file("a.mp4"), O_WRONLY | O_CREAT, 0o600)
      for _ in 0..<5 {
        write(file, "x", 1)
        usleep(50_000)
      }
      closed.withLock { $0 = true }
      close(file)
    }
    #expect(found == ["|a.mp4"] && closed.withLock { $0 })
  }

  @Test("a folder that arrives with files is read, only with --recursive")
  func newFolder() throws {
    for recursive in [true, false] {
      let folder = try TemporaryFolder()
      let found = try arrivals(folder, usesNotifier: true, count: 1, recursive: recursive) {
        mkdir(folder.file("new"), 0o700)
        _ = try? folder.write("a".utf8, to: "new/a.mp4")
        if !recursive { _ = try? folder.write("b".utf8, to: "b.mp4") }
      }
      #expect(found == (recursive ? ["new|new/a.mp4"] : ["|b.mp4"]))
    }
  }
}
