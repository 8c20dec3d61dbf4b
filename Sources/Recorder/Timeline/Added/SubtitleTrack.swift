import Capture
import Encode
import Frames
import Glibc

/// A file of subtitles that becomes a track: `FILE~language=deu`.
package struct SubtitleTrack: Sendable, Equatable {
  package var path: String
  /// Three letters of ISO 639-2; nil if it is not known.
  package var language: String?

  /// Reads the value of `--subtitles-track`; the name of an existing file may contain any `~`.
  package init(_ words: String) throws {
    path = words
    guard access(words, F_OK) != 0, let mark = words.lastIndex(of: "~") else { return }
    let word = words[words.index(after: mark)...]
    // A folder may have the mark too.
    guard !word.contains("/") else { return }
    let parts = word.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "language", parts[1].utf8.count == 3,
      parts[1].utf8.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 })
    else {
      throw RecorderError(
        "'~\(word)' does not say what --subtitles-track takes: write ~language= and three letters, such as "
          + "~language=deu", isUsageError: true)
    }
    (path, language) = (String(words[..<mark]), String(parts[1]))
  }

  func read() throws(CaptureError) -> SubtitleFile { try SubtitleFile(path, language: language) }
}

extension Recording {
  /// The files of subtitles that it reads besides its inputs.
  package var subtitleFiles: [String] {
    [subtitles].compactMap(\.self) + subtitleTracks.map(\.path)
  }

  /// Whether times of a file of subtitles are those of the input; otherwise they count from the first frame.
  var hasInputTime: Bool { following.isEmpty && !source.kind.isLive }

  /// Throws if no output holds the tracks of subtitles.
  func checkSubtitles(_ outputs: OutputSet) throws {
    guard let track = subtitleTracks.first else { return }
    let streams = try subtitleTracks.map { track throws(CaptureError) in try track.read().stream }
    guard outputs.namesWithoutSubtitles(streams) == nil else { return }
    throw RecorderError(
      "\(outputs.name) can hold no track of subtitles: write one .mov, .mp4, .mkv or .webm, or draw them into the "
        + "picture with --subtitles \(track.path)", isUsageError: true)
  }
}
