import Frames
import Glibc
import ShaderCompiler

/// The rule for a picture that an effect names itself, in IMPORTED or beside its golden images.
///
/// A picture that the user names on the command line has no such rule: it is the user's own word. That a file names no other
/// ones is the business of its reader (`PictureRequest.isOfEffect`).
enum OwnPicture {
  /// Returns what is wrong with a picture, as the end of a sentence that begins with its name; nil if it may be read, or if
  /// there is none, which its reader tells.
  ///
  /// The words are its path, with how a video plays behind a `~`.
  static func problem(_ words: String, in readable: ReadableFolders) -> String? {
    let path = path(of: words)
    guard access(path, F_OK) == 0 else {
      // Each of the images could be a link to anywhere.
      return SequencePattern(path) == nil
        ? nil : "stands for numbered images, and an effect's own picture is one file"
    }
    guard !readable.refuses(path) else { return readable.refusal }
    return SourceFile.isRegular(path)
      ? nil : "is no regular file, as an effect's own picture must be"
  }

  /// Returns the path without the words behind a `~`; the name of an existing file may have the mark too.
  static func path(of words: String) -> String {
    var path = words
    while access(path, F_OK) != 0, let mark = path.lastIndex(of: "~") {
      path = String(path[..<mark])
    }
    return path
  }
}

extension EffectLibrary {
  /// Returns the path of a picture without how a video plays, which stands behind a `~`.
  public static func path(ofPicture words: String) -> String { OwnPicture.path(of: words) }

  /// Returns what is wrong with a picture that belongs to an effect, as the end of a sentence that begins with its name; nil if
  /// it may be read, or if there is none.
  ///
  /// The words are its path, with how a video plays behind a `~`.
  public func problem(ofPicture words: String, ofEffect path: String) -> String? {
    OwnPicture.problem(words, in: readableFolders(for: path))
  }
}
