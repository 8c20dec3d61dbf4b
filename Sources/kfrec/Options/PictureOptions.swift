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
      """)
]
