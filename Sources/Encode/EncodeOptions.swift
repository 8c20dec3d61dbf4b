import Frames
package import Settings

extension EncodeSettings {
  /// How a movie is encoded.
  package static let options: [OptionRow<EncodeSettings>] = [
    .value(
      "codec", taking: .text("NAME", .encoder, expected: "a codec's or encoder's name"),
      into: \.codec,
      in: .encoding, of: [.record, .batch], traits: .recording,
      help: "The video codec, or the name of an FFmpeg encoder",
      details: "Default: H.264 by libx264, and for WebM VP9 by libvpx-vp9."
    ),
    .value(
      "bitrate", taking: .bitrate, into: \.bitrate, in: .encoding, of: [.record, .batch],
      traits: .recording,
      help: "Bits per second, such as 8M",
      details: """
        Default: constant quality (see --crf). Encoders without it get 6M for 1280x720 at 30 frames per second, and in \
        proportion for others; that is also the limit of a live source, measured over two seconds, unless --crf or \
        --bitrate is given. Without k or M the number is in bits; kfrec warns below 100k.
        """),
    .value(
      "crf", taking: .number(in: 0...63), into: \.crf, in: .encoding, of: [.record, .batch],
      traits: .recording,
      help: "Constant quality instead of a bit rate; smaller is better",
      details: """
        Default: about the quality of ffmpeg's own default, and up to 1.4 times its size: 21.6 for H.264, 26.8 for HEVC, 31 for VP9 and \
        35 for AV1, with options of the encoder that no preset has, unless --preset or --bitrate is given or the source is live. For \
        H.264 with 8 bits, 0 is lossless, 18 looks like the source, 51 is the worst.
        """),
    .list(
      "encoder-option", taking: .encoderOption, into: \.options, in: .encoding,
      of: [.record, .batch], traits: .recording,
      help: "An option of the encoder itself, such as tune=grain",
      details: """
        Repeat it for several. The option's name and value are checked before anything is recorded; \
        x264-params=... adds parameters of x264.
        """),
    .value(
      "gop", taking: .number(in: 1...Int(Int32.max)), into: \.gop, in: .encoding,
      of: [.record, .batch], traits: .recording,
      help: "Maximum number of frames from one key frame to the next"),
    .value(
      "pixel-format",
      taking: .oneOf(
        "FORMAT",
        [
          "auto": nil, "yuv420p": .yuv420p, "yuv422p": .yuv422p,
          "yuv444p": .yuv444p, "yuv420p10le": .yuv420p10le,
          "yuv422p10le": .yuv422p10le, "yuv444p10le": .yuv444p10le,
          "yuv420p12le": .yuv420p12le, "yuv422p12le": .yuv422p12le,
          "yuv444p12le": .yuv444p12le, "yuv420p16le": .yuv420p16le,
          "yuv422p16le": .yuv422p16le, "yuv444p16le": .yuv444p16le,
          "yuva420p": .yuva420p, "yuva422p": .yuva422p, "yuva444p": .yuva444p,
          "yuva420p10le": .yuva420p10le, "yuva422p10le": .yuva422p10le,
          "yuva444p10le": .yuva444p10le, "yuva422p12le": .yuva422p12le,
          "yuva444p12le": .yuva444p12le, "yuva420p16le": .yuva420p16le,
          "yuva422p16le": .yuva422p16le, "yuva444p16le": .yuva444p16le,
          "gray": .gray, "gray10le": .gray10le, "gray12le": .gray12le,
          "gray16le": .gray16le, "gray16be": .gray16be, "gray16": .gray16be,
          "rgb24": .rgb24, "rgba": .rgba,
          "bgr0": .bgr0, "bgra": .bgra, "argb": .argb,
          "gbrp": .gbrp, "gbrap": .gbrap, "gbrp10le": .gbrp10le,
          "gbrp12le": .gbrp12le, "gbrp16le": .gbrp16le,
          "gbrap10le": .gbrap10le, "gbrap12le": .gbrap12le,
          "gbrap16le": .gbrap16le, "rgb48be": .rgb48be, "rgb48": .rgb48be,
          "rgba64be": .rgba64be, "rgba64": .rgba64be,
        ]), into: \.pixelFormat, in: .encoding, of: [.record, .batch], traits: .recording,
      help: "How pixels are stored",
      details: """
        auto is yuv420p with 8 bits for H.264, which every player can show, and for most codecs. HEVC, VP9 and AV1 have 10 \
        bits (yuv420p10le) if the source has more than 8. Lossless codecs (ffv1, png, qtrle, utvideo, ...) and PNG have the \
        format that is nearest to the source's own, and lose nothing if they have one that holds it. prores is \
        yuv422p10le. If the source has transparency or an effect makes some, and the codec and the container keep it, it is \
        the nearest format with alpha (vp9: yuva420p; prores: yuva444p10le). yuv420p needs even sizes; with an odd size the \
        last column or row is repeated. docs/outputs.md has a table of sources and codecs, and lists what each output holds.
        """),
  ]
}

extension ValueGrammar where Value == EncoderOption {
  fileprivate static let encoderOption = Self(
    name: "NAME=VALUE", expected: "an option's name and its value, such as tune=grain"
  ) { word in
    guard let equal = word.firstIndex(of: "="), equal > word.startIndex else { return nil }
    return EncoderOption(String(word[..<equal]), String(word[word.index(after: equal)...]))
  }
}
