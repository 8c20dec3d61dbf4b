/// A sentence for the user about a recording, with an id that stays the same if the sentence changes.
///
/// Two notices are equal if they have the same id and subject, whatever their sentences are.
public struct Notice: Sendable {
  public enum Severity: String, Sendable {
    /// Information, such as how a request was carried out.
    case note
    /// Something differs from what was requested or expected.
    case warning
  }

  public let id: NoticeID
  /// The name of the source, output or effect that the notice is about; empty for the recording.
  public let subject: String
  /// One sentence, without a full stop.
  public let message: String

  public init(_ id: NoticeID, _ subject: String, _ message: String) {
    (self.id, self.subject, self.message) = (id, subject, message)
  }

  /// Makes a notice about the whole recording.
  public init(_ id: NoticeID, _ message: String) { self.init(id, "", message) }

  public var severity: Severity { id.severity }
}

extension Notice: Hashable {
  public static func == (first: Notice, second: Notice) -> Bool {
    first.id == second.id && first.subject == second.subject
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(subject)
  }
}

/// The ids of all notices, which stay the same if sentences change.
///
/// The manual lists them (`docs/notices.md`).
public enum NoticeID: String, CaseIterable, Sendable {
  // Sources, when they are opened.
  case cameraMode = "camera-mode"
  case cameraModeRefused = "camera-mode-refused"
  case cameraTimestamps = "camera-timestamps"
  case screenWayland = "screen-wayland"
  case microphoneFormat = "microphone-format"
  case sourceRotation = "source-rotation"
  case sourceStreams = "source-streams"
  case sourceFormat = "source-format"
  case sourceFields = "source-fields"
  case sourceCrop = "source-crop"
  case sourcePart = "source-part"
  case sourceAssumedRate = "source-assumed-rate"
  case sourceHDR = "source-hdr"
  case sourceMixedHDR = "source-mixed-hdr"
  case sourceAudio = "source-audio"
  case sourceLeftOut = "source-left-out"
  case sourceHardware = "source-hardware"
  // Sources, while they are read.
  case sourceWaiting = "source-waiting"
  case sourceLost = "source-lost"
  case sourceBack = "source-back"
  case screenHidden = "screen-hidden"
  case sourceStalled = "source-stalled"
  case microphoneLost = "microphone-lost"
  case microphoneBack = "microphone-back"
  case microphoneGaps = "microphone-gaps"
  case sourceLate = "source-late"
  case sourceDriverLoss = "source-driver-loss"
  case sourceTimeJumps = "source-time-jumps"
  case sourceEarlyAudio = "source-early-audio"
  case sourceArrivalTimes = "source-arrival-times"
  case sourceRestarted = "source-restarted"
  case sourceDamaged = "source-damaged"
  case sourceShort = "source-short"
  case sourceGaps = "source-gaps"
  case sourceChanged = "source-changed"
  // Effects.
  case effectCode = "effect-code"
  case effectImage = "effect-image"
  case effectParameter = "effect-parameter"
  case effectReload = "effect-reload"
  case controlLine = "control-line"
  case midiLost = "midi-lost"
  case midiBack = "midi-back"
  case midiLearned = "midi-learned"
  case automationIncomplete = "automation-incomplete"
  // Outputs.
  case outputExists = "output-exists"
  case outputBitrate = "output-bitrate"
  case outputOneFrame = "output-one-frame"
  case outputSize = "output-size"
  case outputDepth = "output-depth"
  case outputChroma = "output-chroma"
  case outputHDR = "output-hdr"
  case outputFields = "output-fields"
  case outputAlpha = "output-alpha"
  case outputColors = "output-colors"
  case outputLeftOut = "output-left-out"
  case outputAtEnd = "output-at-end"
  case outputAudio = "output-audio"
  case outputAudioEncoded = "output-audio-encoded"
  case outputRecovered = "output-recovered"
  case outputFailed = "output-failed"
  case outputUnfinished = "output-unfinished"
  case outputHardware = "output-hardware"
  case outputReport = "output-report"
  case outputHashes = "output-hashes"
  case outputDiffers = "output-differs"
  case outputUnread = "output-unread"
  // The recording.
  case incomplete
  case reloadUnavailable = "reload-unavailable"
  case shaderDump = "shader-dump"

  public var severity: Notice.Severity {
    switch self {
    case .outputAudioEncoded, .outputColors, .cameraMode, .sourceCrop, .sourceFields,
      .microphoneFormat,
      .sourceBack,
      .microphoneBack, .midiBack, .midiLearned:
      .note
    default: .warning
    }
  }
}
