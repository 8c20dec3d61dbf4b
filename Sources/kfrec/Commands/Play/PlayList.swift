import Batch
import Capture
import Encode
import Frames
import Glibc
import Player
import Settings

/// The sources of `kfrec play`: files, URLs, what is in folders, and what playlists name, in that order.
struct PlayList {
  private(set) var sources: [String] = []

  /// Playlists may name playlists; deeper ones are left out, and so is one inside itself.
  private static let deepest = 8
  /// The largest number of entries of all playlists and folders together, which those that name each other many times
  /// would soon exceed.
  private static let most = 100_000

  private var entries = 0

  /// - Parameter words: The sources as typed.
  /// - Throws: If a folder or a playlist cannot be read, or if there is nothing to play.
  init(_ words: [String]) throws(CommandLineError) {
    guard !words.isEmpty else {
      throw CommandLineError(
        "kfrec play needs a source: a file, a folder, a playlist or a URL, such as kfrec play clip.mp4"
      )
    }
    for word in words { try add(word, in: []) }
    guard !sources.isEmpty else {
      throw CommandLineError("there is nothing to play in \(words.joined(separator: ", "))")
    }
  }

  /// Adds a source; `playlists` are those that are being read, each of which names the next one.
  private mutating func add(
    _ word: String, in playlists: [FileIdentity]
  ) throws(CommandLineError) {
    try count()
    let file = FileIdentity(behind: word)
    if file?.isFolder ?? false {
      guard let names = contents(of: word) else {
        throw CommandLineError(
          "the folder \(word) cannot be read (\(String(cString: strerror(errno))))")
      }
      let folder = word.hasSuffix("/") ? word : word + "/"
      for name in names where isInputName(name) {
        try count()
        sources.append(folder + name)
      }
      return
    }
    if let file, playlists.contains(file) { return }
    if let file, let entries = try PlaylistFile.entries(word) {
      guard playlists.count < Self.deepest else { return }
      for entry in entries { try add(entry, in: playlists + [file]) }
      return
    }
    guard !SourceKind.written(word).isLive else {
      throw CommandLineError(
        "\(word) is a live source, which kfrec play cannot play; show it with kfrec preview -i \(word)"
      )
    }
    sources.append(word)
  }

  private mutating func count() throws(CommandLineError) {
    entries += 1
    guard entries <= Self.most else {
      throw CommandLineError(
        "the playlists and folders have more than \(Self.most) entries; play a part of them")
    }
  }
}
