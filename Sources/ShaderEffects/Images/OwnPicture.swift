import Frames
import Glibc
import ShaderCompiler

/// The rule for a picture that an effect names itself, in IMPORTED or beside its golden images.
///
/// A picture that the user names on the command line has no such rule: it is the user's own word.
enum OwnPicture {
  /// Checks a picture.
  ///
  /// - Parameters:
  ///   - words: The path, with how a video plays behind a `~`.
  ///   - readable: Where it may lie.
  /// - Returns: What is wrong, as the end of a sentence that begins with its name; nil if it may be read, or if there is
  ///   none, which its reader tells.
  static func problem(_ words: String, in readable: ReadableFolders) -> String? {
    let path = path(of: words)
    guard access(path, F_OK) == 0 else {
      // Each of the images could be a link to anywhere.
      return SequencePattern(path) == nil
        ? nil : "stands for numbered images, and an effect's own picture is one file"
    }
    guard !readable.refuses(path) else { return readable.refusal }
    guard isPlaylist(path) else { return nil }
    return "is a playlist, which may name files anywhere; use the picture or the video itself"
  }

  /// Returns the path without the words behind a `~`; the name of an existing file may have the mark too.
  static func path(of words: String) -> String {
    var path = words
    while access(path, F_OK) != 0, let mark = path.lastIndex(of: "~") {
      path = String(path[..<mark])
    }
    return path
  }

  /// The most bytes of a file that are searched.
  private static let searched = 4096

  /// Returns whether a file names other files that a demuxer opens: HLS, DASH, Smooth Streaming, or FFmpeg's own list.
  ///
  /// FFmpeg knows a format by its content, whatever the file is called.
  private static func isPlaylist(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: searched)
    let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    guard count > 0 else { return false }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self).lowercased()
    return text.contains("#extm3u") || text.contains("ffconcat version")
      || text.contains("<mpd") || text.contains("<smoothstreamingmedia")
  }
}

extension EffectLibrary {
  /// Returns the path of a picture without how a video plays, which stands behind a `~`.
  public static func path(ofPicture words: String) -> String { OwnPicture.path(of: words) }

  /// Checks a picture that belongs to an effect.
  ///
  /// - Parameters:
  ///   - words: The picture's path, with how a video plays behind a `~`.
  ///   - path: The effect's file.
  /// - Returns: What is wrong, as the end of a sentence that begins with its name; nil if it may be read, or if there is
  ///   none.
  public func problem(ofPicture words: String, ofEffect path: String) -> String? {
    OwnPicture.problem(words, in: readableFolders(for: path))
  }
}
