package import Settings

extension EncodeSettings {
  /// GIF, animated PNG and animated WebP, and the colours of all outputs.
  package static let animationOptions: [OptionRow<EncodeSettings>] = [
    .value(
      "plays", taking: .number(in: 0...65_535), into: \.plays, in: .encoding,
      of: [.record, .batch],
      traits: .recording,
      help: "How often a GIF, APNG or WebP is shown",
      details: "Default: 0, without end."),
    .value(
      "dither",
      taking: .oneOf(
        "HOW",
        ["auto": .automatic, "none": .flat, "ordered": .ordered, "diffusion": .errorDiffusion]),
      into: \.dither, in: .encoding, of: [.record, .batch], traits: .recording,
      help: "How colours are rounded to the bits or the palette of the output",
      details: """
        auto (the default) mixes the two nearest codes in a fixed pattern where the source has more bits than the output, or \
        is mapped from HDR, so that soft gradients show no bands; frames with enough bits are never touched. ordered does so with \
        all frames, such as gradients that effects make; none takes the nearest code. In a GIF, with 256 colours, diffusion (auto \
        too) spreads the error of each pixel over the next ones and looks best; ordered is a fixed pattern, which gives smaller \
        files; none gives flat areas. The palette is made of the colours of the whole GIF.
        """),
  ]
}
