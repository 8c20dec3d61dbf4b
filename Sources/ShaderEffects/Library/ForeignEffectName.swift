/// Names that are not effects, and what a person who types them wants.
enum ForeignEffectName {
  /// Returns what to type instead of a name, in a sentence; nil if nothing is known of the name.
  static func sentence(_ name: String, isEffect: (String) -> Bool) -> String? {
    let parts = name.split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0).trimmingBlanks }
    if parts.count > 1, parts.allSatisfy(isEffect) {
      return "'\(name)' is \(parts.count) effects: name each by itself, as in "
        + parts.map { "-e \($0)" }.joined(separator: " ")
    }
    let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
    return answers[plain].map { "there is no effect '\(name)': \($0)" }
  }

  private static let answers = [
    "fade": fade, "fadein": fade, "fadeout": fade, "fadetoblack": fade, "fadefromblack": fade,
    "crop": "use --crop", "rotate": "use --rotate", "flip": "use --flip", "hflip": "use --flip h",
    "vflip": "use --flip v", "scale": "use --size", "resize": "use --size",
    "reverse": "use --reverse",
    "speed": "use --speed", "slowmotion": "use --speed 0.5", "volume": "use --volume",
    "subtitles":
      "use --subtitles FILE to draw them, or --subtitles-track FILE to keep them as a track",
    "deinterlace": "use --deinterlace",
  ]

  private static let fade =
    "-e colorAdjust:gain=black@0..white@2 comes from black in two seconds, gain=white@8..black@10 goes to black, and "
    + "crossfade and dipToBlack lead from one input to the next"
}
