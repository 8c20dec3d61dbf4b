import Encode

/// Options of GIF, animated PNG and animated WebP.
let animationOptions: [Option] = [
  .value(
    "plays", taking: .number(in: 0...65_535), into: \.plays, in: .encoding,
    help: "How often a GIF, APNG or WebP is shown",
    details: "Default: 0, without end."),
  .value(
    "dither",
    taking: .oneOf(
      "HOW", ["none": .flat, "ordered": .ordered, "diffusion": .errorDiffusion]), into: \.dither,
    in: .encoding,
    help: "How the 256 colours of a GIF stand for others",
    details: """
      diffusion spreads the error of each pixel over the next ones and looks best (the default); ordered is a fixed \
      pattern, which gives smaller files; none gives flat areas. The palette is made of the colours of the whole GIF.
      """),
]
