package import Settings

extension Deinterlacing {
  /// How interlaced frames are processed.
  package static let options: [OptionRow<Deinterlacing>] = [
    .value(
      "deinterlace", taking: .oneOf("HOW", ["auto": .auto, "bob": .bob, "off": .off]),
      into: \.mode, in: .input, of: [.record, .batch, .preview, .play], traits: .recording,
      help: "How the interlaced frames of a file are processed",
      details: """
        With auto (the default) each frame that the decoder marks as interlaced becomes a progressive one, with the same \
        time: it shows the field that is first. With bob it becomes two, one for each field, at twice the frame rate. With off it keeps both \
        fields, and the output is tagged with their order. Progressive frames stay as they are. It also applies to \
        videos in effects.
        """),
    .value(
      "field-order",
      taking: .oneOf(
        "ORDER", ["top": .top, "bottom": .bottom, "progressive": .progressive]),
      into: \.order, in: .input, of: [.record, .batch, .preview, .play], traits: .recording,
      help: "How all frames of the inputs are interlaced, if the files say it wrong",
      details: """
        top and bottom name the field that is first; progressive says that both fields of a frame belong to one moment. \
        Without this option the marks of the frames count. It does not apply to videos in effects.
        """),
  ]
}
