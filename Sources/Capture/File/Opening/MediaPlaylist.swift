import Frames
import Glibc

/// Playlists: files that name others with the media (HLS, DASH, FFmpeg's list).
public enum MediaPlaylist {
  private static let endings = [".m3u8", ".m3u", ".mpd", ".ffconcat"]
  /// The largest number of bytes of a text that is looked through: a day of HLS has two million.
  private static let largest = 1 << 24

  /// Whether a file's name is that of a playlist.
  ///
  /// Anybody may have made a file that is called a video or a picture, so only one with such a name may name other files.
  public static func isName(_ path: String) -> Bool {
    let name = path.lowercased()
    return endings.contains { name.hasSuffix($0) }
  }

  /// The files that are read for an input: its own, and if that is called a playlist, those that it names, and that
  /// playlists among them name.
  ///
  /// Whatever in the text may be the name of a file counts if there is one, so there may be more than FFmpeg reads.
  public static func files(readFor path: String) -> [String] {
    var found = [path]
    var known = Set([identity(of: path)].compactMap(\.self))
    // A pipe is not read here, because its bytes can be read only once.
    var left = isName(path) && !known.isEmpty ? found : []
    while let list = left.popLast() {
      for other in candidates(in: list) {
        guard let file = identity(of: other), known.insert(file).inserted else { continue }
        found.append(other)
        if isName(other) { left.append(other) }
      }
    }
    return found
  }

  /// The paths that the text of a playlist may name, whether there is a file or not.
  private static func candidates(in list: String) -> [String] {
    guard let file = RegularFile(list), file.size <= largest,
      let bytes = Frames.bytes(of: file.descriptor)
    else { return [] }
    var words: Set<Substring> = []
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let line = trimmed(line)
      // HLS has names in two places: in lines of their own, and behind this word.
      if line.hasPrefix("#"), !line.contains("URI=") { continue }
      words.insert(line)
      // FFmpeg's list has a word before each name, and maybe quotes around it.
      if line.hasPrefix("file") { words.insert(trimmed(line.dropFirst(4))) }
      words.formUnion(line.split { "\"'<>".contains($0) })
    }
    let own = list.lastIndex(of: "/").map { String(list[...$0]) } ?? ""
    // DASH may tell a folder once for several names.
    let reported =
      list.lowercased().hasSuffix(".mpd") ? words.filter { $0.hasSuffix("/") && $0 != "/" } : []
    let folders = [own] + reported.prefix(64).map { path($0, in: own) }
    return folders.flatMap { folder in
      words.map { path($0, in: folder) }.flatMap { $0.contains("$") ? matches($0) : [$0] }
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  /// The path of a name in a playlist, which may be a URL of a file.
  private static func path(_ name: Substring, in folder: String) -> String {
    var name = name
    for scheme in ["file://", "file:"] where name.hasPrefix(scheme) {
      name = name.dropFirst(scheme.count)
    }
    return name.hasPrefix("/") ? String(name) : folder + name
  }

  /// The files whose names a template of DASH makes, which has words between dollar signs in place of numbers.
  private static func matches(_ template: String) -> [String] {
    let parts = template.split(separator: "$", omittingEmptySubsequences: false)
    let pattern = parts.enumerated().map { $0.offset % 2 == 0 ? String($0.element) : "*" }.joined()
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, GLOB_NOSORT, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { number in
      found.gl_pathv[number].map { String(cString: $0) }
    }
  }

  /// Nil if there is no file that could be overwritten.
  private static func identity(of path: String) -> FileIdentity? {
    FileIdentity(behind: path).flatMap { $0.isRegular ? $0 : nil }
  }
}
