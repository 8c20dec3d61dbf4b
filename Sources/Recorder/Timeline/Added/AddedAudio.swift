package import Capture
package import Frames
import Glibc
import ShaderEffects

/// Audio of a file for the whole timeline: `FILE~mix~loop~start=5~at=2~volume=50%`.
package struct AddedAudio: Sendable, Equatable {
  package var file: AudioFileRequest
  /// Whether it is mixed with the sources' own audio, instead of taking its place.
  package var isMixed = false
  /// The output time at which it begins, in seconds.
  package var offset = Rational.zero
  /// The factor of its samples.
  package var volume = 1.0

  /// Whether a part of the value says how the file is played, whether it is valid or not.
  private static func isWord(_ text: Substring) -> Bool {
    ["mix", "loop", "start", "at", "volume"].contains(text.prefix { $0 != "=" })
  }

  /// Reads the value of `--audio-in`: the file, and words with a `~` before each; `volume` reads a volume as `--volume`
  /// does.
  ///
  /// The name of an existing file may contain any of the words, a folder and a URL any `~` that does not begin such a word.
  package init(_ words: String, volume: (String) throws -> Double?) throws {
    var path = words
    var later: [Substring] = []
    while access(path, F_OK) != 0, let mark = path.lastIndex(of: "~") {
      let word = path[path.index(after: mark)...]
      guard Self.isWord(word) || !word.contains("/") && !path.contains("://") else { break }
      later.append(words[words.index(after: mark)...].prefix { $0 != "~" })
      path = String(path[..<mark])
    }
    guard !path.isEmpty else {
      throw RecorderError("--audio-in lacks the name of its file", isUsageError: true)
    }
    file = AudioFileRequest(path: path)
    for word in later {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count == 2 ? String(parts[1]) : nil
      switch (parts.first ?? "", value, value.flatMap { Rational(clockTime: $0) }) {
      case ("mix", nil, _): isMixed = true
      case ("loop", nil, _): file.loops = true
      case ("start", _, let time?): file.start = time
      case ("at", _, let time?): offset = time
      case ("volume", let value?, _):
        guard let factor = try volume(value) else { fallthrough }
        self.volume = factor
      default:
        throw RecorderError(
          "'~\(word)' does not say how \(path) is heard: write ~mix, ~loop, ~start=5, ~at=2 (in seconds) or "
            + "~volume=50%", isUsageError: true)
      }
    }
  }
}
