import Capture
import Frames
import Glibc
import ShaderEffects

/// What is typed for an image input: a source as `-i` takes it, and behind it how a moving one plays
/// (`beach.mp4~loop~start=5`).
struct ImageReference: Equatable {
  /// What comes behind the end of a film.
  enum Ending: String, CaseIterable {
    /// Its last frame stays.
    case hold
    /// It begins again.
    case loop
  }

  var name: String
  var ending = Ending.hold
  /// Where it begins, in seconds from the source's zero; nil for its beginning.
  var start: Rational?

  /// - Throws: A usage error where a word behind a `~` is none of those that are known. The name of a
  ///   file that is there may have any.
  init(_ words: String) throws(RecorderError) {
    name = words
    while access(name, F_OK) != 0, let mark = name.lastIndex(of: "~") {
      let word = name[name.index(after: mark)...]
      if let ending = Ending(rawValue: String(word)) {
        self.ending = ending
      } else if word.hasPrefix("start="), let time = Rational(clockTime: String(word.dropFirst(6)))
      {
        start = time
      } else {
        throw RecorderError(
          "'~\(word)' says nothing of how \(name[..<mark]) plays: write ~loop, ~hold, or ~start=5 for "
            + "seconds", isUsageError: true)
      }
      name = String(name[..<mark])
    }
    guard !name.isEmpty else {
      throw RecorderError("the name of a picture or film is missing", isUsageError: true)
    }
  }

  /// What opens it.
  var request: SourceRequest {
    var request = SourceRequest(input: name)
    request.start = start
    (request.includesAudio, request.includesTags) = (false, false)
    // Several may play at once, beside the input.
    request.decoderThreads = 2
    return request
  }
}
