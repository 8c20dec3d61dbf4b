import Frames
import Glibc
import Recorder
import Synchronization
import TestSupport
import Testing

@testable import Batch
@testable import Capture

@Suite("Files that arrive in a watched folder") struct FolderArrivalsTests {
  /// Watches the folder, or `root` in it, until `count` files were reported or ten seconds have passed; `act` runs
  /// beside it.
  ///
  /// - Returns: What was reported; notices begin with "!".
  private func arrivals(
    _ folder: TemporaryFolder, root: String = "", usesNotifier: Bool, count: Int,
    recursive: Bool = true, act: @escaping @Sendable () -> Void
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
      waitUntil { found.withLock { $0.count } >= count }
      interruption.interrupt()
    }
    var watch = FolderArrivals(
      request, quiet: 0.5, usesNotifier: usesNotifier,
      arrived: { input in
        let name = input.path.dropFirst(folder.path.count + 1)
        found.withLock { $0.append("\(input.folder)|\(name)") }
      }, notice: { notice in found.withLock { $0.append("!" + notice) } })
    watch.run([root.isEmpty ? folder.path : folder.file(root)], until: interruption)
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

  @Test(
    "a folder inside that is renamed, or moved away and made anew, is watched at its path",
    arguments: [true, false])
  func movedInside(usesNotifier: Bool) throws {
    let (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
    for name in ["moved", "moved/sub"] { mkdir(folder.file(name), 0o700) }
    let found = try arrivals(folder, usesNotifier: usesNotifier, count: 4) {
      for name in ["new", "new/sub"] { mkdir(folder.file(name), 0o700) }
      usleep(300_000)
      rename(folder.file("new"), folder.file("day1"))
      rename(folder.file("moved"), elsewhere.file("moved"))
      for name in ["moved", "moved/sub"] { mkdir(folder.file(name), 0o700) }
      for name in ["day1/a.mp4", "day1/sub/b.mp4", "moved/c.mp4", "moved/sub/d.mp4"] {
        _ = try? folder.write("x".utf8, to: name)
      }
    }
    #expect(
      found.sorted() == [
        "day1/sub|day1/sub/b.mp4", "day1|day1/a.mp4", "moved/sub|moved/sub/d.mp4",
        "moved|moved/c.mp4",
      ])
  }

  @Test("a link to a folder that appears, or leads elsewhere now, is followed")
  func links() throws {
    let (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
    for name in ["one", "two", "three"] { mkdir(elsewhere.file(name), 0o700) }
    mkdir(folder.file("plain"), 0o700)
    symlink(elsewhere.file("one"), folder.file("link"))
    let found = try arrivals(folder, usesNotifier: true, count: 3) {
      symlink(elsewhere.file("two"), folder.file("new"))
      rename(folder.file("new"), folder.file("link"))
      rmdir(folder.file("plain"))
      symlink(elsewhere.file("three"), folder.file("plain"))
      symlink(elsewhere.file("one"), folder.file("later"))
      usleep(300_000)
      for name in ["one/a.mp4", "two/b.mp4", "three/c.mp4"] {
        _ = try? elsewhere.write("x".utf8, to: name)
      }
    }
    #expect(
      found.sorted() == ["later|later/a.mp4", "link|link/b.mp4", "plain|plain/c.mp4"])
  }

  @Test("a watched folder that is moved away and made anew is watched at its path")
  func movedRoot() throws {
    let folder = try TemporaryFolder()
    mkdir(folder.file("in"), 0o700)
    let found = try arrivals(folder, root: "in", usesNotifier: true, count: 1) {
      rename(folder.file("in"), folder.file("gone"))
      mkdir(folder.file("in"), 0o700)
      _ = try? folder.write("x".utf8, to: "in/a.mp4")
      _ = try? folder.write("x".utf8, to: "gone/b.mp4")
    }
    #expect(found == ["|in/a.mp4"])
  }

  @Test("names that Swift takes for equal are two files, and one that is not UTF-8 is told")
  func names() throws {
    let folder = try TemporaryFolder()
    let broken = (Array(folder.file("x").utf8) + [0xff] + Array(".mp4".utf8) + [0])
      .map { CChar(bitPattern: $0) }
    let found = try arrivals(folder, usesNotifier: true, count: 3) {
      for name in ["caf\u{e9}.mp4", "cafe\u{301}.mp4"] {
        _ = try? folder.write("x".utf8, to: name)
      }
      close(open(broken, O_WRONLY | O_CREAT, 0o600))
    }
    unlink(broken)
    #expect(found.count == 3 && Set(found.map { Array($0.utf8) }).count == 3, "\(found)")
    #expect(found.count { $0.hasPrefix("!") && $0.contains("its name is not UTF-8") } == 1)
  }

  @Test("a folder inside that cannot be read is told", .enabled(if: geteuid() != 0))
  func unreadable() throws {
    let folder = try TemporaryFolder()
    mkdir(folder.file("in"), 0)
    let found = try arrivals(folder, usesNotifier: true, count: 1) {}
    #expect(found.count == 1 && found.first?.contains("in cannot be read") == true, "\(found)")
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
