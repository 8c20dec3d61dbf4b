import Frames
import Glibc
package import Settings

extension AudioRequest {
  /// Which audio is recorded, and how it is changed.
  package static let options: [OptionRow<AudioRequest>] = [
    .value(
      "audio-track", taking: .audioTrack, into: \.track, in: .input,
      of: [.record, .batch, .preview], traits: .recording,
      help: "Which audio track of the input is used: a number from 1, or all",
      details: """
        Default: all tracks are recorded, and effects hear the best one. The numbers are those of players, in the order of \
        the file. With several inputs, one track of each input is used.
        """),
    .value(
      "volume", taking: .volumeCurve, in: .input, of: [.record, .batch],
      traits: .recording,
      help: "Make the audio louder or quieter: 0.5, 200% or -6dB",
      details: """
        1, 100% and 0dB change nothing, and 0 is silence. Values at seconds of the output are joined by straight lines: \
        0@0..1@2 grows for two seconds, 1@8..0@10 fades away; with one input that is a file. The audio is encoded then. Too loud samples are clipped by codecs \
        with whole numbers. It also counts for the microphone of --audio. Effects hear the audio of a file as it is.
        """
    ) { sound, curve in
      let factor = curve.constant
      (sound.volume, sound.volumeCurve) = (factor ?? 1, factor == nil ? curve : nil)
    },
    .value(
      "normalize", ifAlone: "-16", taking: .loudness, into: \.loudness, in: .input,
      of: [.record, .batch], traits: .recording,
      help: "Bring the audio to a loudness (EBU R128)",
      details: """
        --normalize is -16 LUFS, which web players and podcasts expect; --normalize=-23 is that of European broadcasts. The \
        input is read twice: the loudness of each track is measured first, and then all of the track gets the same gain. Only \
        if its peaks would be above -1 dBTP, they are held down by a limiter, with a warning, because the track may stay below \
        the loudness. With several inputs each gets the loudness. \
        --volume acts after it. Cameras and pipes cannot be read twice.
        """),
  ]
}

extension ValueGrammar where Value == Int? {
  /// The number of a track; nil for all.
  fileprivate static let audioTrack = Self(
    name: "N", expected: "a number from 1, or all", choices: ["all"]
  ) { word in
    if word == "all" { return .some(nil) }
    guard let number = wholeNumber(word), (1...999).contains(number) else { return nil }
    return .some(number)
  }
}

extension ValueGrammar where Value == VolumeCurve {
  /// One factor, or `0@0..1@2`.
  fileprivate static let volumeCurve = Self(
    name: "VOLUME",
    expected: ValueGrammar<Double>.factors + ", or values at increasing seconds as 0@0..1@2"
  ) { word in
    guard word.contains("@") else {
      return try ValueGrammar<Double>.volume.parse(word).flatMap {
        VolumeCurve([VolumeCurve.Point(time: .zero, factor: $0)])
      }
    }
    let parts = word.split(separator: "..", omittingEmptySubsequences: false)
    let points = try parts.compactMap { part -> VolumeCurve.Point? in
      guard let mark = part.firstIndex(of: "@"),
        let factor = try ValueGrammar<Double>.volume.parse(String(part[..<mark])),
        let time = try ValueGrammar<Rational>.time().parse(String(part[part.index(after: mark)...]))
      else { return nil }
      return VolumeCurve.Point(time: time, factor: factor)
    }
    // A filter of FFmpeg holds them all.
    return points.count == parts.count && points.count <= 100 ? VolumeCurve(points) : nil
  }
}

extension ValueGrammar where Value == Double {
  /// What a factor may be.
  fileprivate static let factors =
    "a factor, a percentage or decibels up to 40 dB, such as 0.5, 200% or -6dB"

  /// A factor from 0 to 100.
  package static let volume = Self(name: "VOLUME", expected: factors) { word in
    let factor: Double?
    if word.lowercased().hasSuffix("db") {
      factor = signed(String(word.dropLast(2))).map { pow(10, $0 / 20) }
    } else if word.hasSuffix("%") {
      factor = decimal(String(word.dropLast())).map { $0.doubleValue / 100 }
    } else {
      factor = decimal(word)?.doubleValue
    }
    return factor.flatMap { (0...100).contains($0) ? $0 : nil }
  }

  fileprivate static let loudness = Self(
    name: "LUFS", expected: "a loudness from -70 to -5 LUFS, such as -16 or -23"
  ) { word in
    signed(word).flatMap { (-70...(-5)).contains($0) ? $0 : nil }
  }

  /// A decimal number with or without a sign.
  private static func signed(_ word: String) -> Double? {
    let isNegative = word.hasPrefix("-")
    let digits = isNegative || word.hasPrefix("+") ? String(word.dropFirst()) : word
    return decimal(digits).map { isNegative ? -$0.doubleValue : $0.doubleValue }
  }
}
