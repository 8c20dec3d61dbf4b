package import Settings

extension Recording {
  /// Changes of parameters that are kept and made again.
  package static let automationOptions: [OptionRow<Recording>] = [
    .value(
      "automation", taking: .file(), into: \.automation,
      in: .control, of: [.record, .preview], traits: .live,
      help: "Also write each change to this file, as it acts",
      details: """
        As JSON lines, each written at once. With --automation-in, the same effects and the same source the file \
        gives the same frames again, bit for bit.
        """),
    .value(
      "automation-in", taking: .file(), into: \.automationIn,
      in: .control, of: [.record, .batch, .preview], traits: [.recording, .live],
      help: "Make the changes of a file that --automation has written",
      details: """
        Each change acts at its effect time. The file may also be written by hand; docs/control.md describes it.
        """),
  ]
}
