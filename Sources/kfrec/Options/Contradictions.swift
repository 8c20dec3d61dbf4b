import Batch
import Capture
import Encode
import FFmpegHandles
import Frames
import Recorder
import Settings

/// Two options that a command cannot have together, whatever its inputs and outputs hold.
///
/// The check of a command and the merging of preset files read the same rows: of two options that contradict each other
/// the typed one takes the place of the one in a file.
struct Contradiction: Sendable {
  let names: Set<String>
  /// Whether the options, which may have other values or stand alone, do contradict each other.
  let isThere: @Sendable (Options) -> Bool
  /// What is wrong, as a sentence with its remedy.
  let sentence: @Sendable (Options) -> String

  /// Makes the row of two options that never go together.
  fileprivate init(_ first: String, _ second: String) {
    self.init(first, second) { words in
      let given = words.typed.map(\.name)
      return given.contains(first) && given.contains(second)
    }
  }

  /// Makes the row of two options that do not go together in some cases; `reason` follows their names in the sentence.
  fileprivate init(
    _ first: String, _ second: String, because reason: String = "",
    when isThere: @escaping @Sendable (Options) -> Bool
  ) {
    names = [long(first), long(second)]
    self.isThere = isThere
    sentence = { _ in "--\(first) and --\(second) contradict each other\(reason); give one" }
  }

  /// Makes the row of two options with a sentence of its own.
  fileprivate init(
    _ first: String, _ second: String, when isThere: @escaping @Sendable (Options) -> Bool,
    sentence: @escaping @Sendable (Options) -> String
  ) {
    (names, self.isThere, self.sentence) = ([first, second], isThere, sentence)
  }

  /// Every pair, in the order in which they are checked.
  static let all: [Contradiction] = general + frameRange + frameRate + sound + subtitleTimes
}

/// The name of an option that is written with its value.
private func long(_ written: String) -> String { String(written.prefix { $0 != " " }) }

private let general: [Contradiction] = [
  Contradiction("overwrite", "no-overwrite"), Contradiction("quiet", "verbose"),
  Contradiction("audio", "no-audio"), Contradiction("preview", "no-window"),
  Contradiction("bitrate", "crf"), Contradiction("end", "duration"),
  Contradiction("split", "framehash"),
  // The parts of a movie are joined, which needs the same encoder for all.
  Contradiction("chunks", "hw") { $0.batch.chunks != nil && $0.encoding.hardware != .off },
  Contradiction(
    "start", "end",
    when: { words in words.source.end.map { $0 <= words.source.start ?? .zero } ?? false },
    sentence: { _ in "--end lies before --start; give a later one" }),
]

private let frameRange: [Contradiction] =
  frameRangeNever.map { Contradiction("frame-range", $0) } + frameRangeModes + [
    Contradiction(
      "frame-range", "fps",
      when: { $0.source.range != nil && $0.frameRateMode == nil && $0.changesFrameRate },
      sentence: {
        "--frame-range counts the frames of \($0.inputs.first?.name ?? ""), and --fps makes others; give one"
      })
  ]

private let frameRangeNever =
  ["start", "duration", "end", "frames", "realtime"] + Retiming.options.map(\.long)

private let frameRangeModes =
  [("cfr", FrameRateMode.constant), ("nearest", .nearest), ("blend", .blend)].map { word, mode in
    Contradiction("frame-range", "fps-mode \(word)") {
      $0.source.range != nil && $0.frameRateMode == mode
    }
  }

private let frameRate: [Contradiction] =
  [
    Contradiction(
      "fps-mode", "fps", when: { $0.frameRateMode == .passthrough && $0.changesFrameRate },
      sentence: {
        let input = $0.inputs.first?.name ?? ""
        return
          "--fps-mode passthrough keeps the timestamps of \(input.isEmpty ? "the camera" : input), and "
          + "--fps does not: give one"
      })
  ]
  + optionTable.filter { $0.traits.contains(.live) }.map { option in
    let name = option.long
    return Contradiction(
      "fps-mode", name,
      when: { words in
        words.frameRateMode == .blend && words.typed.contains { $0.name == name }
      },
      sentence: { _ in
        "--fps-mode blend does not go with parameters that change while kfrec records; take nearest"
      })
  }

private typealias Choice = (name: String, isGiven: @Sendable (Options) -> Bool)

/// What makes audio that the input does not have.
private let otherAudio: [Choice] = [
  ("speed", { $0.source.retiming.speed != .one }),
  ("reverse", { $0.source.retiming.isReversed }),
  ("loop", { $0.source.retiming.turns > 1 }),
  ("boomerang", { $0.source.retiming.isBoomerang }),
  ("audio", { $0.microphone != nil }),
]

private let subtitleTimes: [Contradiction] =
  [
    Contradiction(
      "subtitles-track", "split", when: { !$0.subtitleTracks.isEmpty && $0.encoding.split != nil },
      sentence: { _ in
        "--split makes files without subtitles; leave out --subtitles-track, or draw them with --subtitles"
      })
  ]
  + ["reverse", "loop", "boomerang"].map { name in
    Contradiction(
      "subtitles-track", name,
      when: { words in
        !words.subtitleTracks.isEmpty && words.typed.contains { $0.name == name }
      },
      sentence: { _ in
        "a track of subtitles cannot follow --\(name); draw them into the picture with --subtitles"
      })
  }

private let sound: [Contradiction] = soundPairs + soundOfOneInput + soundOfNone + soundThatIsCopied

private let soundPairs: [Contradiction] =
  [
    Contradiction("audio", "audio-in") { $0.microphone != nil && $0.addedAudio != nil },
    Contradiction(
      "audio", "normalize", when: { $0.microphone != nil && $0.source.sound.loudness != nil },
      sentence: { _ in
        "--normalize reads its input twice, and a microphone can be read only once; leave out --normalize"
      }),
    Contradiction(
      "no-audio", "audio-in", when: { !$0.source.includesAudio && $0.addedAudio?.isMixed == true },
      sentence: { _ in
        "--no-audio leaves nothing that --audio-in could be mixed with; leave out ~mix, or --no-audio"
      }),
  ]

private let soundOfOneInput: [Contradiction] =
  [("audio", "microphone"), ("input", "second input")].map { (other: String, what: String) in
    Contradiction(
      "volume", other,
      when: {
        $0.source.sound.volumeCurve != nil
          && (other == "audio" ? $0.microphone != nil : $0.inputs.count > 1)
      },
      sentence: { _ in
        "--volume with values at seconds is for one input that is a file; give one value, or leave out the \(what)"
      })
  }
  + soundChoices.filter(\.changesInput).map { option in
    Contradiction(
      "audio-in", option.name,
      when: { $0.addedAudio?.isMixed == false && option.isGiven($0) },
      sentence: { _ in
        "--\(option.name) is for the input's own audio, and --audio-in takes its place; add ~mix, or leave "
          + "out --\(option.name)"
      })
  }

private let soundOfNone: [Contradiction] =
  soundChoices.map { option in
    Contradiction("no-audio", option.name) {
      !$0.source.includesAudio && $0.addedAudio == nil && option.isGiven($0)
    }
  }

private let soundThatIsCopied: [Contradiction] =
  (soundChoices.filter(\.encodes).map { ($0.name, $0.isGiven) } + otherAudio).map { choice in
    Contradiction(
      "audio-codec copy", choice.name,
      because: ", because audio that is changed or made must be encoded"
    ) { $0.copiesAudio && choice.isGiven($0) }
  }
  + [
    Contradiction(
      "audio-codec", "input", when: { $0.copiesAudio && $0.inputs.count > 1 },
      sentence: { _ in
        "--audio-codec copy is for one input, because the audio of several inputs is joined and must be encoded; "
          + "leave out --audio-codec copy, or the other inputs"
      })
  ]

/// An option of the sound of a recording.
///
/// - name: Its long name.
/// - changesInput: Whether it is about the audio of the input alone.
/// - encodes: Whether its audio cannot be copied.
private let soundChoices:
  [(
    name: String, changesInput: Bool, encodes: Bool, isGiven: @Sendable (Options) -> Bool
  )] = [
    ("audio-track", true, false, { $0.isGiven("audio-track") }),
    ("volume", true, true, { $0.isGiven("volume") }),
    ("normalize", true, true, { $0.isGiven("normalize") }),
    ("audio-codec", false, false, { $0.isGiven("audio-codec") }),
    ("audio-bitrate", false, true, { $0.isGiven("audio-bitrate") }),
    ("audio-in", false, true, { $0.addedAudio != nil }),
  ]

extension Options {
  /// Throws if two options contradict each other.
  func checkContradictions() throws(CommandLineError) {
    for pair in Contradiction.all where pair.isThere(self) {
      throw CommandLineError(pair.sentence(self))
    }
  }

  fileprivate var copiesAudio: Bool { recording.encoding.audio.isCopied }

  /// Whether `--fps` gives the output other frames than the source has.
  fileprivate var changesFrameRate: Bool {
    recording.source.frameRate != nil
      && !SourceKind.written(inputs.first?.name ?? "").takesFrameRate
  }
}
