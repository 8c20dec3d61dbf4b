import Settings

/// Whether frames keep their timestamps, or have a constant frame rate, and what this shows between two frames.
enum FrameRateMode: Sendable { case passthrough, constant, nearest, blend }

/// The times of the output.
let rateOptions: [Option] = [
  .value(
    "fps-mode",
    taking: .oneOf(
      "MODE",
      ["passthrough": .passthrough, "cfr": .constant, "nearest": .nearest, "blend": .blend]),
    into: \.frameRateMode, in: .input, of: [.record, .batch, .preview], traits: .recording,
    help: "Keep the timestamps, or make the frame rate constant",
    details: """
      Default: passthrough. With cfr kfrec repeats and drops frames, and counts them, to reach the frame rate \
      of --fps, or the nominal frame rate of the source: each frame goes to the nearest time. With nearest each \
      time shows the nearest frame. With blend it shows a mix of the frames before and after it, by the share of the \
      time between them, of the coded values (not of light); effects act on the mix. In a file, a gap of more than ten minutes without \
      video and audio is cut, with a warning.
      """)
]
