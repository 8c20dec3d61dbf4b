import CPosix
import Glibc
import TestSupport
import Testing

@testable import Frames

@Suite("The names in a folder")
struct FolderNamesTests {
  @Test("names are sorted and complete, also the longest that a file may have")
  func whole() throws {
    let folder = try TemporaryFolder()
    let longest = String(repeating: "n", count: 255)
    for name in [longest, "b", ".hidden"] { try folder.write([], to: name) }
    #expect(names(in: folder.path) == [".hidden", "b", longest])
  }

  @Test("a folder that does not exist, or is a file, has no names")
  func none() throws {
    let folder = try TemporaryFolder()
    #expect(names(in: folder.file("missing")) == [])
    #expect(names(in: try folder.write([], to: "file")) == [])
  }

  @Test("a name is not read beyond the end of its entry")
  func lastEntry() async {
    await #expect(processExitsWith: .success) {
      // The last entry of a buffer: the memory after it may not be readable.
      let page = sysconf(Int32(_SC_PAGESIZE))
      let memory = mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
      mprotect(memory + page, page, PROT_NONE)
      let size = 24
      let entry = (memory + page - size).assumingMemoryBound(to: dirent.self)
      let text = UnsafeMutablePointer(mutating: kf_entry_name(entry)!)
      for (place, byte) in "last".utf8CString.enumerated() { text[place] = byte }
      #expect(name(of: entry) == "last")
    }
  }
}
