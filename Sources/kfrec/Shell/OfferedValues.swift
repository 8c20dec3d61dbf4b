import Capture
import Encode
import FFmpegHandles
import Frames
import Settings
import ShaderCompiler

/// The values of options and the operands of commands, for the completions of shells.
struct OfferedValues {
  private let place: TypedPlace

  init(_ place: TypedPlace) { self.place = place }

  /// The presets of x264 and x265, from fast to small.
  private static let encoderPresets = [
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
  ]

  /// Returns what an option's value may be.
  func values(of option: Option, _ typed: String) -> [Completion.Offer] {
    switch option.kind {
    case .word: option.choices.map { .word($0) }
    case .file, .media: [.files]
    case .folder: [.folders]
    case .effect: OfferedEffects(typed, place.effectFolders).offers
    case .source: sources
    case .output:
      words(OutputKind.all.map { ($0.words, $0.summary) }).filter { $0 != .word("-") } + cameras
        + [.files]
    case .encoder: videoEncoderNames().map { .word($0) }
    case .encoderPreset: Self.encoderPresets.map { .word($0) } + [.files]
    case .color: colorNames().map { .word($0) }
    case .microphone: [.word("default", note: "the microphone that the system has chosen")]
    }
  }

  func operands(_ typed: String) -> [Completion.Offer] {
    switch place.command {
    case .play: sources
    case .batch: [.files]
    case .devices: cameras
    case .effects: OfferedEffects(typed, place.effectFolders).names + [.files]
    case .check, .golden: OfferedEffects(typed, place.effectFolders).offers
    case .completions: CompletionScript.shells.map { .word($0) }
    case .help:
      Command.shown.filter { $0 != .record }.map { .word($0.rawValue, note: $0.summary) }
    case .record, .preview, .man, .complete: []
    }
  }

  private var sources: [Completion.Offer] {
    words(SourceKind.all.map { ($0.words, $0.summary) }) + cameras + [.files]
  }

  /// Returns offers for kinds of sources or outputs that are typed as one word; after `color:` a value follows.
  private func words(_ kinds: [(words: String, summary: String)]) -> [Completion.Offer] {
    kinds.compactMap { words, summary in
      if words.hasPrefix("color:") { return .part("color:", note: summary) }
      let isPlain = words.allSatisfy { $0.isLowercase } && !words.isEmpty
      return isPlain ? .word(words, note: summary) : nil
    }
  }

  /// The cameras, by the names that stay the same when they are plugged in elsewhere, and by their numbers.
  private var cameras: [Completion.Offer] {
    let numbered = names(in: "/dev").filter {
      $0.hasPrefix("video") && $0.dropFirst(5).allSatisfy(\.isNumber)
    }
    .map { name in
      // The kernel's own name of the device; nothing is opened but this text.
      let text = (try? SourceFile.read("/sys/class/video4linux/\(name)/name")) ?? ""
      return Completion.Offer.word("/dev/" + name, note: text)
    }
    return numbered + names(in: "/dev/v4l/by-id").map { .word("/dev/v4l/by-id/" + $0) }
  }
}
