import Control
import Settings
import Terminal

/// Where frames are shown while they are made.
enum PreviewPlace: Sendable, Equatable {
  case window
  /// The terminal, drawn in this way; nil for the best that it can.
  case terminal(TerminalStyle?)
}

/// Where frames are shown.
let previewOptions: [Option] = [
  .value(
    "preview", ifAlone: "window",
    taking: .oneOf(
      "WHERE",
      [
        "window": .window, "terminal": .terminal(nil), "sixel": .terminal(.sixel),
        "kitty": .terminal(.kitty), "iterm2": .terminal(.iterm2), "blocks": .terminal(.blocks),
      ]), into: \.preview, in: .output, of: [.record, .preview],
    help: "Also show the frames while they are made",
    details: """
      In a window, or with --preview=terminal in the terminal, as it draws best: pixels by sixel or by the protocols of \
      kitty and iTerm2, or coloured blocks. The other words force one of these. The view shows the newest finished \
      frame and never delays the recording. Keys: h shows them all, space pauses, q stops. kfrec preview shows a source \
      without recording it.
      """)
]

extension Options {
  /// Throws if something else would read from the terminal in which frames are shown, or write objects to it.
  func checkTerminal() throws(CommandLineError) {
    if control.ways.contains(.standardInput), StandardStream.input.isTerminal {
      throw CommandLineError(
        "--control - and the keys of --preview both read the terminal; give the lines through a pipe, or leave "
          + "one out")
    }
    let hasObjects = messages.progress == .json || messages.progress == .openjd
    let stream = writesToStandardOutput ? StandardStream.error : .output
    if hasObjects, stream.isTerminal {
      throw CommandLineError(
        "--progress would write into the picture of --preview in the terminal; send its output to a file or a "
          + "pipe")
    }
  }
}
