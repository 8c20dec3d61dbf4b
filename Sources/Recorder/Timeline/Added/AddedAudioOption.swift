import Capture
package import Settings

extension Recording {
  /// Audio of another file.
  package static let audioOptions: [OptionRow<Recording>] = [
    .value(
      "audio-in", taking: .addedAudio, into: \.addedAudio, in: .input,
      of: [.record, .batch, .preview],
      traits: .recording,
      help: "Use the audio of this file instead of the input's own",
      details: """
        A file with audio, or a video. It begins with the first frame and ends with the last one. More can follow the \
        name: ~mix adds it to the input's own audio, ~loop repeats it, ~start=5 leaves out its first five seconds, ~at=2 \
        lets it begin two seconds after the first frame, and ~volume=30% is its own volume: \
        --audio-in song.mp3~mix~loop~volume=30%. If the file ends early because it is damaged, the exit code is 3. Effects hear what the output has. --volume and --normalize are for the \
        input's own audio.
        """)
  ]
}

extension ValueGrammar where Value == AddedAudio {
  fileprivate static let addedAudio = Self(
    name: "FILE", expected: "the name of a file with audio, such as song.mp3 or song.mp3~loop",
    kind: .media
  ) { word in
    word.isEmpty
      ? nil : try AddedAudio(word) { try ValueGrammar<Double>.volume.parse($0) }
  }
}
