import Capture
import Frames

/// The options of `kfrec play` alone.
let playOptions: [Option] = [
  .flag("loop", in: .play, of: [.play], help: "Begin again after the last source") {
    $0.loops = true
  },
  .value(
    "speed", taking: .speed, into: \.speed, in: .play, of: [.play],
    help: "Play slower or faster, with the same pitch",
    details: "Default: 1. The nearest of 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3 and 4 is used."),
  .value(
    "hw", taking: .hardware, into: \.hardware, in: .play, of: [.play],
    help: "Decode with this hardware",
    details: """
      Default: off. With auto the first kind that the machine has for the codec is used. If the hardware cannot decode a \
      source, the processor does, and kfrec says why.
      """),
  .value(
    "volume", taking: .number("PERCENT", in: 0...100), into: \.volume, in: .play, of: [.play],
    help: "How loud the sound is", details: "Default: 100."),
]

extension ValueGrammar where Value == HardwareWish {
  fileprivate static var hardware: ValueGrammar {
    .oneOf(
      "HARDWARE",
      [
        "off": .off, "auto": .automatic, "vaapi": .named("vaapi"), "cuda": .named("cuda"),
        "vdpau": .named("vdpau"), "qsv": .named("qsv"), "drm": .named("drm"),
      ])
  }
}

extension ValueGrammar where Value == Double {
  fileprivate static var speed: ValueGrammar {
    ValueGrammar(name: "X", expected: "a number from 0.25 to 4") { word in
      guard let number = decimal(word)?.doubleValue, (0.25...4).contains(number) else { return nil }
      return number
    }
  }
}
