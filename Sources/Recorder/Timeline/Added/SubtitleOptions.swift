package import Settings

extension Recording {
  /// Subtitles of files that are not the input.
  package static let subtitleOptions: [OptionRow<Recording>] = [
    .value(
      "subtitles",
      taking: .file(expected: "the name of a file of subtitles, such as words.srt"),
      into: \.subtitles, in: .input, of: [.record, .batch, .preview, .play], traits: .recording,
      help: "Draw the subtitles of this file into the picture",
      details: """
        A SubRip (.srt), ASS, SSA or WebVTT (.vtt) file in UTF-8. They are drawn after all effects, over the picture and not \
        over the bars of --scale fit, in its colours; in HDR white is the reference white. Their times are those of the input: with --start 60 the \
        picture begins with what is shown at 60 seconds, and --speed, --reverse and --loop change both. Of several inputs, \
        and of a live one, they count from the first frame. Fonts are those that are installed. In a batch the file \
        counts for each input.
        """),
    .list(
      "subtitles-track", taking: .subtitleTrack, into: \.subtitleTracks, in: .input,
      of: [.record, .batch], traits: .recording,
      help: "Add the subtitles of this file as a track of the output",
      details: """
        The files and the times are those of --subtitles. Text becomes the text of the container: MOV text in .mov and .mp4, \
        WebVTT in .webm; .mkv has SubRip and ASS as they are. ~language= and three letters behind the name say the language: \
        --subtitles-track words.srt~language=deu. Repeat it for several tracks, which come after those of the input. A track cannot follow \
        --reverse, --loop and --boomerang.
        """),
  ]
}

extension ValueGrammar where Value == SubtitleTrack {
  fileprivate static let subtitleTrack = Self(
    name: "FILE",
    expected: "the name of a file of subtitles, such as words.srt or words.srt~language=deu",
    kind: .media
  ) { word in word.isEmpty ? nil : try SubtitleTrack(word) }
}
