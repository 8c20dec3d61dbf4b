package import Settings

extension AudioSettings {
  /// How the audio is encoded.
  package static let options: [OptionRow<AudioSettings>] = [
    .value(
      "audio-codec", taking: .audioCodec, in: .encoding, of: [.record, .batch],
      traits: .recording,
      help: "How the audio is encoded; copy: keep it as it is, or fail",
      details: """
        Default: the audio is copied if the container can hold it and nothing changes it, otherwise it is encoded as the \
        container usually has it: AAC, or Opus in WebM. pcm has 16 bits, pcm24 has 24. Which codec a container \
        holds is checked before anything is recorded.
        """
    ) { settings, codec in
      (settings.codec, settings.isCopied) = (codec, codec == nil)
    },
    .value(
      "audio-bitrate", taking: .audioBitrate, into: \.bitrate, in: .encoding,
      of: [.record, .batch], traits: .recording,
      help: "Bits per second of an audio track, such as 192k",
      details: """
        Default for each channel: 96k of AAC, MP3 and AC-3, 80k of Vorbis, 64k of Opus. With this option the audio is encoded \
        even if it could be copied.
        """),
  ]
}

extension ValueGrammar where Value == AudioCodec? {
  /// A codec; nil to copy.
  fileprivate static let audioCodec = Self(
    name: "CODEC", expected: (["copy"] + AudioCodec.all.map(\.name)).joined(separator: ", "),
    choices: ["copy"] + AudioCodec.all.map(\.name)
  ) { word in
    if word == "copy" { return .some(nil) }
    guard let codec = AudioCodec.all.first(where: { $0.name == word }) else { return nil }
    return .some(codec)
  }
}

extension ValueGrammar where Value == Int {
  /// Bits per second of a track.
  fileprivate static let audioBitrate = Self(
    name: "BITRATE", expected: "bits per second from 8k to 3M, such as 192k"
  ) { word in
    try bitrate.parse(word).flatMap { (8000...3_000_000).contains($0) ? $0 : nil }
  }
}
