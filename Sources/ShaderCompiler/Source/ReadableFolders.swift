/// The folders from which the files of an effect may come.
///
/// An effect may be written by anybody, and must not be able to read or show another person's file. A link therefore
/// counts as the file that it leads to.
public struct ReadableFolders: Sendable, Equatable {
  /// The folders without links, `.` and `..`, each once.
  public let folders: [String]

  /// Skips folders that do not exist.
  public init(_ folders: [String]) {
    self.folders = folders.compactMap(SourceFile.canonical).reduce(into: []) { unique, folder in
      if !unique.contains(folder) { unique.append(folder) }
    }
  }

  /// Returns whether a file exists and lies elsewhere.
  public func refuses(_ path: String) -> Bool {
    SourceFile.canonical(path).map { !holds($0) } ?? false
  }

  /// Returns whether a path without links lies in one of the folders or below it.
  func holds(_ canonical: String) -> Bool {
    folders.contains { $0 == "/" || canonical == $0 || canonical.hasPrefix($0 + "/") }
  }

  /// What is wrong with a file that is refused, as the end of a sentence that begins with its name.
  public var refusal: String {
    "lies outside the folders from which this effect may read (\(folders.joined(separator: ", "))); "
      + "if you trust it, allow its folder with --allow-read DIR"
  }
}
