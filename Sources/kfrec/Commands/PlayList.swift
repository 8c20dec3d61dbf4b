import Batch
import CPosix
import Capture
import Frames
import Glibc

/// The sources of `kfrec play`: files, URLs, what is in folders, and what playlists name, in that order.
struct PlayList {
  private(set) var sources: [String] = []

  /// Playlists and folders may name each other; deeper ones are left out.
  private static let deepest = 8

  /// - Parameter words: The sources as typed.
  /// - Throws: If a folder or a playlist cannot be read, or if there is nothing to play.
  init(_ words: [String]) throws(CommandLineError) {
    guard !words.isEmpty else {
      throw CommandLineError(
        "kfrec play needs a source: a file, a folder, a playlist or a URL, such as kfrec play clip.mp4"
      )
    }
    for word in words { try add(word, depth: 0) }
    guard !sources.isEmpty else {
      throw CommandLineError("there is nothing to play in \(words.joined(separator: ", "))")
    }
  }

  private mutating func add(_ word: String, depth: Int) throws(CommandLineError) {
    var status = stat()
    let exists = stat(word, &status) == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR {
      guard let names = contents(of: word) else {
        throw CommandLineError(
          "the folder \(word) cannot be read (\(String(cString: strerror(errno))))")
      }
      let folder = word.hasSuffix("/") ? word : word + "/"
      for name in names where isInputName(name) { sources.append(folder + name) }
      return
    }
    if exists, let lines = try Self.lines(ofPlaylist: word), depth < Self.deepest {
      for line in lines { try add(Self.path(line, in: word), depth: depth + 1) }
      return
    }
    guard !SourceKind.written(word).isLive else {
      throw CommandLineError(
        "\(word) is a live source, which kfrec play cannot play; show it with kfrec preview -i \(word)"
      )
    }
    sources.append(word)
  }

  /// The entries of an M3U or PLS file; nil for another file, and for the playlist of an HLS stream.
  private static func lines(ofPlaylist path: String) throws(CommandLineError) -> [String]? {
    let name = path.lowercased()
    let isPLS = name.hasSuffix(".pls")
    guard isPLS || name.hasSuffix(".m3u") || name.hasSuffix(".m3u8") else { return nil }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { if file >= 0 { close(file) } }
    guard file >= 0, let read = bytes(of: file) else {
      throw CommandLineError(
        "the playlist \(path) cannot be read (\(String(cString: strerror(errno))))")
    }
    let text = String(decoding: read, as: UTF8.self)
    guard !text.contains("#EXT-X-") else { return nil }
    return text.split(whereSeparator: \.isNewline).compactMap { line in
      let line = line.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
      guard isPLS else { return line.isEmpty || line.hasPrefix("#") ? nil : String(line) }
      guard line.lowercased().hasPrefix("file"), let equals = line.firstIndex(of: "=") else {
        return nil
      }
      return String(line[line.index(after: equals)...])
    }
  }

  /// The path of an entry, which may be relative to its playlist.
  private static func path(_ entry: String, in playlist: String) -> String {
    guard !entry.hasPrefix("/"), !entry.contains("://"), let slash = playlist.lastIndex(of: "/")
    else { return entry }
    return playlist[...slash] + entry
  }
}
