import Frames

/// Options about how pictures are resized.
let pictureOptions: [Option] = [
  .value(
    "scaler",
    taking: .oneOf(
      "NAME",
      [
        "lanczos": .lanczos, "bicubic": .bicubic, "mitchell": .mitchell, "bilinear": .bilinear,
        "area": .area, "nearest": .nearest,
      ]), into: \.scaler, in: .output,
    help: "The filter that resizes pictures",
    details: """
      lanczos (the default) is the sharpest, bicubic (Catmull-Rom) a little less, mitchell softer, bilinear soft. area \
      is the mean of what a pixel covers, and shows enlarged pixels as squares. nearest repeats or leaves out whole \
      pixels. All but nearest work in light instead of coded values, except for HDR, count every pixel \
      of a picture that is made smaller, and draw no halos around edges.
      """),
  .value(
    "hdr", taking: .oneOf("HOW", ["tonemap": .toneMap, "keep": .keep]), into: \.hdr, in: .output,
    help: "Map HDR sources to SDR, or keep HDR",
    details: """
      tonemap (the default) makes BT.709 of PQ and HLG, with the curve of BT.2390. keep writes the values as they are, with \
      their tags and the data about their light, as HEVC with 10 bits unless you choose another codec; outputs with 8 bits are \
      refused. Sources of the standard range are not changed by either.
      """),
]
