import CFFmpeg

/// Reads a colour as FFmpeg's options do: a name such as `white`, or `#ff8000`, with alpha as `#ff800080` or
/// `white@0.5`; nil for other text, and for `random` and its other name `bikeshed`.
public func parsedColor(_ text: String) -> SIMD4<UInt8>? {
  let name = text.prefix { $0 != "@" }.lowercased()
  guard name != "random", name != "bikeshed" else { return nil }
  var color: [UInt8] = [0, 0, 0, 0]
  guard av_parse_color(&color, text, -1, nil) >= 0 else { return nil }
  return SIMD4(color[0], color[1], color[2], color[3])
}

/// The names of colours that `parsedColor` reads, in lower case.
public func colorNames() -> [String] {
  var names: [String] = []
  while let name = av_get_known_color_name(Int32(names.count), nil) {
    names.append(String(cString: name).lowercased())
  }
  return names
}
