import Glibc
import TestSupport
import Testing

@testable import DiskCache

@Suite struct DiskCacheTests {
  private let temporary: TemporaryFolder
  private let folder: String
  private let cache: DiskCache
  private let parts: [[UInt8]] = [Array("one".utf8), [], Array(0...255)]

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.file("a/b/c")
    cache = DiskCache(folder: folder)
  }

  private func kept(_ name: String) -> [[UInt8]]? { cache.parts(of: name)?.map { Array($0) } }

  @Test("An entry is read as it was stored, and a new one replaces it")
  func roundTrip() {
    #expect(kept("x") == nil)
    cache.keep(parts, as: "x")
    #expect(kept("x") == parts)
    cache.keep([], as: "x")
    #expect(kept("x") == [])
    #expect(namesInFolder(folder) == ["x"])
  }

  @Test("Folders and files are accessible to the user alone")
  func modes() throws {
    cache.keep(parts, as: "x")
    for (name, mode) in [("a", 0o700), ("a/b", 0o700), ("a/b/c", 0o700), ("a/b/c/x", 0o600)] {
      var status = stat()
      #expect(stat(temporary.file(name), &status) == 0)
      #expect(Int(status.st_mode & 0o777) == mode, "\(name)")
    }
  }

  @Test("A file with a changed byte, a missing end or extra bytes is no entry")
  func damage() throws {
    cache.keep(parts, as: "x")
    let whole = try readFile("\(folder)/x")
    #expect(CacheEntry.parts(of: whole) != nil)
    for at in whole.indices {
      var damaged = whole
      damaged[at] ^= 0x10
      #expect(CacheEntry.parts(of: damaged) == nil, "byte \(at)")
      #expect(CacheEntry.parts(of: Array(whole[..<at])) == nil, "cut at \(at)")
    }
    #expect(CacheEntry.parts(of: whole + [0]) == nil)
    #expect(CacheEntry.parts(of: []) == nil)
  }

  @Test("Absurd lengths are refused even with a correct checksum")
  func lengths() {
    for lengths: [UInt64] in [[4], [.max], [1, 9], [UInt64(Int.max) + 1]] {
      var body: [UInt8] = []
      for length in lengths {
        body += withUnsafeBytes(of: length.littleEndian) { Array($0) } + [7]
      }
      let checksum = withUnsafeBytes(of: Fingerprint(of: body).value.littleEndian) { Array($0) }
      #expect(CacheEntry.parts(of: CacheEntry.mark + checksum + body) == nil, "\(lengths)")
    }
  }

  @Test("A file that others may write to, a link, a pipe and a folder are no entries")
  func foreign() throws {
    cache.keep(parts, as: "whole")
    let path = "\(folder)/x"
    let makers: [(String, () -> Void)] = [
      ("link", { symlink("whole", path) }), ("pipe", { mkfifo(path, 0o600) }),
      (
        "writable",
        {
          cache.keep(parts, as: "x")
          chmod(path, 0o622)
        }
      ),
      ("unreadable", { symlink("/nowhere", path) }),
    ]
    for (what, make) in makers {
      unlink(path)
      make()
      #expect(kept("x") == nil, "\(what)")
      cache.keep(parts, as: "x")
      #expect(kept("x") == parts, "\(what)")
    }
    unlink(path)
    mkdir(path, 0o700)
    #expect(kept("x") == nil)
    cache.keep(parts, as: "x")
    #expect(namesInFolder(folder) == ["whole", "x"])
  }

  @Test("Where no folder can be made, nothing is stored and nothing is reported")
  func unwritable() throws {
    let file = try temporary.write([], to: "file")
    for path in [file, "\(file)/below", "/proc/kfrec", "/dev/null/x", ""] {
      let cache = DiskCache(folder: path)
      cache.keep(parts, as: "x")
      #expect(cache.parts(of: "x") == nil, "\(path)")
    }
  }

  @Test("An entry larger than the limit is not stored")
  func tooLarge() {
    cache.keep([[UInt8](repeating: 0, count: DiskCache.entryLimit)], as: "x")
    #expect(kept("x") == nil)
  }

  @Test("Above its limit the folder loses the least recently used entries and dead writers' files")
  func limit() throws {
    let cache = DiskCache(folder: folder, byteLimit: 4096)
    let kilobyte = [[UInt8](repeating: 1, count: 1000)]
    for name in ["new", "old", "older"] { cache.keep(kilobyte, as: name) }
    setAge(of: "old", seconds: 100)
    setAge(of: "older", seconds: 200)
    cache.keep(kilobyte, as: ".new-dead")
    setAge(of: ".new-dead", seconds: 4000)
    cache.keep(kilobyte, as: "last")
    #expect(namesInFolder(folder) == ["last", "new", "old"])
    cache.keep(kilobyte, as: "more")
    #expect(namesInFolder(folder) == ["last", "more", "new", "old"])
    cache.keep(kilobyte, as: "most")
    #expect(!namesInFolder(folder).contains("old"))
    #expect(namesInFolder(folder).count == 3)
  }

  @Test("A folder far below its limit is looked through once for many entries")
  func looksSeldom() throws {
    let cache = DiskCache(folder: folder, byteLimit: 160_000)
    let kilobyte = [[UInt8](repeating: 1, count: 1000)]
    cache.keep(kilobyte, as: "first")
    cache.keep(kilobyte, as: ".new-dead")
    setAge(of: ".new-dead", seconds: 4000)
    // A sixteenth of the limit, and more for what an entry has beside its bytes.
    for number in 0..<7 { cache.keep(kilobyte, as: "\(number)") }
    #expect(namesInFolder(folder).contains(".new-dead"))
    for number in 7..<10 { cache.keep(kilobyte, as: "\(number)") }
    #expect(!namesInFolder(folder).contains(".new-dead"))
    #expect(namesInFolder(folder).count == 11)
  }

  private func setAge(of name: String, seconds: Int) {
    let moment = timespec(tv_sec: time(nil) - seconds, tv_nsec: 0)
    utimensat(AT_FDCWD, "\(folder)/\(name)", [moment, moment], 0)
  }

  @Test("Many writers and readers of one entry only see whole entries")
  func threads() async {
    await withTaskGroup(of: Bool.self) { group in
      for writer in 0..<8 {
        group.addTask {
          let mine = [[UInt8](repeating: UInt8(writer), count: 20_000 + writer)]
          for _ in 0..<20 {
            cache.keep(mine, as: "x")
            guard let read = cache.parts(of: "x"), read.count == 1, let first = read[0].first,
              read[0].count == 20_000 + Int(first), read[0].allSatisfy({ $0 == first })
            else { return false }
          }
          return true
        }
      }
      for await isWhole in group { #expect(isWhole) }
    }
    #expect(namesInFolder(folder) == ["x"])
  }

  @Test("The environment gives the folder; there is none if it is off or there is no home")
  func environment() {
    func path(_ variables: [String: String]) -> String? {
      DiskCache(userFolder: "k", environment: { variables[$0] })?.folder.path
    }
    #expect(path(["HOME": "/h"]) == "/h/.cache/kfrec/k")
    #expect(path(["HOME": "/h", "XDG_CACHE_HOME": "/c"]) == "/c/kfrec/k")
    #expect(path(["HOME": "/h", "XDG_CACHE_HOME": "c"]) == "/h/.cache/kfrec/k")
    #expect(path(["HOME": "h"]) == nil)
    #expect(path([:]) == nil)
    #expect(path(["HOME": "/h", "KFREC_CACHE": "off"]) == nil)
  }

  @Test(
    "The hash is FNV-1a with 64 bits",
    arguments: [
      ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
    ])
  func fingerprint(text: String, digits: String) {
    #expect(Fingerprint(of: Array(text.utf8)).description == digits)
    #expect(Fingerprint(of: AnyCollection(Array(text.utf8))).description == digits)
  }
}
