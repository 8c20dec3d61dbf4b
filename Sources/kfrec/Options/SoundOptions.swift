import Capture
import Encode
import Frames
import Glibc
import Recorder

/// Which audio is recorded, how it is changed, and how it is encoded.
let soundOptions: [Option] = [
  .value(
    "audio-track", taking: .audioTrack, into: \.audioTrack, in: .input,
    help: "Which audio track of the input is used: a number from 1, or all",
    details: """
      Default: all tracks are recorded, and effects hear the best one. The numbers are those of players, in the order of \
      the file. Of several inputs one track each is used.
      """),
  .flag(
    "no-subtitles", in: .input, help: "Leave out the subtitles",
    details: """
      Without this option a movie gets the subtitles of its one input: as they are, or text as the text of the container, \
      MOV text or SubRip. Bitmaps are only in .mkv.
      """
  ) { $0.noSubtitles = true },
  .value(
    "audio-in", taking: .addedAudio, into: \.audioIn, in: .input,
    help: "Use the audio of this file instead of the input's own",
    details: """
      A file with audio, or a video. It begins with the first frame and ends with the last one. More can follow the \
      name: ~mix adds it to the input's own audio, ~loop repeats it, ~start=5 leaves out its first five seconds, ~at=2 \
      lets it begin two seconds after the first frame, and ~volume=30% is its own volume: \
      --audio-in song.mp3~mix~loop~volume=30%. If the file ends early because it is damaged, the exit code is 3. Effects hear what the output has. --volume and --normalize are for the \
      input's own audio.
      """),
  .value(
    "volume", taking: .volumeCurve, into: \.gain, in: .input,
    help: "Make the audio louder or quieter: 0.5, 200% or -6dB",
    details: """
      1, 100% and 0dB change nothing, and 0 is silence. Values at seconds of the output are joined by straight lines: \
      0@0..1@2 grows for two seconds, 1@8..0@10 fades away; with one input that is a file. The audio is encoded then. Too loud samples are clipped by codecs \
      with whole numbers. It also counts for the microphone of --audio. Effects hear the audio of a file as it is.
      """),
  .value(
    "normalize", ifAlone: "-16", taking: .loudness, into: \.loudness, in: .input,
    help: "Bring the audio to a loudness (EBU R128)",
    details: """
      --normalize is -16 LUFS, which web players and podcasts expect; --normalize=-23 is that of European broadcasts. The \
      input is read twice: the loudness of each track is measured first, and then all of the track gets the same gain. Only \
      if its peaks would be above -1 dBTP, they are held down by a limiter, with a warning, because the track may stay below \
      the loudness. With several inputs each gets the loudness. \
      --volume acts after it. Cameras and pipes cannot be read twice.
      """),
  .value(
    "audio-codec", taking: .audioCodec, into: \.audioCodec, in: .encoding,
    help: "How the audio is encoded; copy: keep it as it is, or fail",
    details: """
      Default: the audio is copied if the container can hold it and nothing changes it, otherwise it is encoded as the \
      container usually has it: AAC, or Opus in WebM. pcm has 16 bits, pcm24 has 24. Which codec a container \
      holds is checked before anything is recorded.
      """),
  .value(
    "audio-bitrate", taking: .audioBitrate, into: \.audioBitrate, in: .encoding,
    help: "Bits per second of an audio track, such as 192k",
    details: """
      Default for each channel: 96k of AAC, MP3 and AC-3, 80k of Vorbis, 64k of Opus. With this option the audio is encoded \
      even if it could be copied.
      """),
]

/// What `--audio-track` asks for.
enum AudioTrackChoice: Sendable {
  case all
  /// A number from 1.
  case one(Int)
}

/// What `--audio-codec` asks for.
enum AudioCodecChoice: Sendable {
  case copy
  case encoded(AudioCodec)
}

extension ValueGrammar where Value == AudioTrackChoice {
  fileprivate static let audioTrack = Self(
    name: "N", expected: "a number from 1, or all", choices: ["all"]
  ) { word in
    if word == "all" { return .all }
    return wholeNumber(word).flatMap { (1...999).contains($0) ? .one($0) : nil }
  }
}

extension ValueGrammar where Value == AddedAudio {
  fileprivate static let addedAudio = Self(
    name: "FILE", expected: "the name of a file with audio, such as song.mp3 or song.mp3~loop"
  ) { word in
    word.isEmpty
      ? nil : try AddedAudio(word) { try ValueGrammar<Double>.volume.parse($0) }
  }
}

extension ValueGrammar where Value == AudioCodecChoice {
  fileprivate static let audioCodec = Self(
    name: "CODEC", expected: (["copy"] + AudioCodec.all.map(\.name)).joined(separator: ", "),
    choices: ["copy"] + AudioCodec.all.map(\.name)
  ) { word in
    word == "copy" ? .copy : AudioCodec.all.first { $0.name == word }.map { .encoded($0) }
  }
}

extension ValueGrammar where Value == Int {
  /// Bits per second of a track.
  fileprivate static let audioBitrate = Self(
    name: "BITRATE", expected: "bits per second from 8k to 3M, such as 192k"
  ) { word in
    try bitrate.parse(word).flatMap { (8000...3_000_000).contains($0) ? $0 : nil }
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
  fileprivate static let volume = Self(name: "VOLUME", expected: factors) { word in
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
