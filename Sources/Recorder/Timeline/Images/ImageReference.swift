import Capture
import Frames
import Glibc
import ShaderEffects

/// Text for an image input: a source as `-i` accepts it, then how a moving one plays
/// (`beach.mp4~loop~start=5`).
struct ImageReference: Equatable {
  /// What follows the end of a video.
  enum Ending: String, CaseIterable {
    /// The last frame stays.
    case hold
    /// The video starts again.
    case loop
  }

  var name: String
  var ending = Ending.hold
  /// Start position in seconds from the source's zero; nil for the beginning.
  var start: Rational?

  /// Throws a usage error if a word after a `~` is not known; the name of an existing file may contain any word.
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
          "'~\(word)' does not say how \(name[..<mark]) plays: write ~loop, ~hold, or ~start=5 "
            + "(in seconds)", isUsageError: true)
      }
      name = String(name[..<mark])
    }
    guard !name.isEmpty else {
      throw RecorderError("the name of an image or video is missing", isUsageError: true)
    }
  }

  /// The request that opens the source; `deinterlacing` says what becomes of interlaced frames.
  func request(_ deinterlacing: Deinterlacing.Mode) -> SourceRequest {
    var request = SourceRequest(input: name)
    request.start = start
    request.deinterlacing.mode = deinterlacing
    (request.includesAudio, request.includesTags) = (false, false)
    // Several sources may play in parallel with the input.
    request.decoderThreads = 2
    return request
  }
}
