import CPosix
import Frames
import Glibc

/// Paths for the completions of a shell, where the shell itself cannot complete them: behind other text of a word.
struct OfferedPaths {
  private let typed: String
  private let onlyFolders: Bool

  init(_ typed: String, onlyFolders: Bool = false) {
    (self.typed, self.onlyFolders) = (typed, onlyFolders)
  }

  /// Returns the paths that begin as typed, with `lead` before them: folders as parts of words, which end in a slash, and files
  /// as words.
  func offers(
    behind lead: String, escape: (String) -> String = { $0 }
  ) -> [Completion.Offer] {
    let slash = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
    let (folder, start) = (String(typed[..<slash]), typed[slash...])
    return names(in: folder.isEmpty ? "." : Self.expanded(folder))
      .filter { $0.hasPrefix(start) && ($0.first != "." || start.first == ".") }
      .compactMap { name in
        let isFolder = FileIdentity(behind: Self.expanded(folder) + name)?.isFolder ?? false
        if isFolder { return .part(lead + escape(folder + name) + "/") }
        return onlyFolders ? nil : .word(lead + escape(folder + name))
      }
  }

  /// Returns a folder with the home folder in the place of `~/`.
  private static func expanded(_ folder: String) -> String {
    guard folder.hasPrefix("~/"), let home = getenv("HOME") else { return folder }
    return String(cString: home) + folder.dropFirst()
  }
}
