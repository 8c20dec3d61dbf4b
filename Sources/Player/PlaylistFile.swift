import Frames
import Glibc
package import Settings

/// Playlists of players: M3U and PLS.
package enum PlaylistFile {
  /// The sources that a playlist names, from the current folder; nil for another file, and for the playlist of an HLS
  /// stream.
  package static func entries(_ path: String) throws(CommandLineError) -> [String]? {
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
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return text.split(whereSeparator: \.isNewline).compactMap { line in
      var entry = line.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
      if isPLS {
        guard entry.lowercased().hasPrefix("file"), let equals = entry.firstIndex(of: "=") else {
          return nil
        }
        entry = entry[entry.index(after: equals)...]
      } else if entry.isEmpty || entry.hasPrefix("#") {
        return nil
      }
      let isWhole = entry.hasPrefix("/") || entry.contains("://")
      return String(isWhole ? entry : folder + entry)
    }
  }
}
