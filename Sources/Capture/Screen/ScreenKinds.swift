import Frames

extension SourceKind {
  static let screen = SourceKind(
    words: "screen",
    summary:
      "the screen of the X display, or of another one: screen::1; 30 frames per second, or --fps",
    isLive: true, takesFrameRate: true,
    isWritten: { $0 == "screen" || $0.hasPrefix("screen:") },
    canBeOpenedAgain: { _ in false }, cropsItself: true,
    open: { request throws(CaptureError) in try ScreenSource(request) })

  static let window = SourceKind(
    words: "window:TITLE",
    summary: "the window whose title contains this text; 30 frames per second, or --fps",
    isLive: true, takesFrameRate: true,
    isWritten: { $0.hasPrefix("window:") },
    canBeOpenedAgain: { _ in false }, cropsItself: true,
    open: { request throws(CaptureError) in try ScreenSource(request) })
}

/// What the words after `-i` name: a screen or a window.
enum ScreenRequest: Equatable {
  /// The screen of a display; nil for the display of the environment.
  case screen(String?)
  /// A window with this text in its title.
  case window(String)

  init(_ input: String) {
    if input.hasPrefix("window:") {
      self = .window(String(input.dropFirst("window:".count)))
    } else {
      let display = input.dropFirst("screen:".count)
      self = .screen(display.isEmpty ? nil : String(display))
    }
  }

  /// The name of the display; nil for that of the environment.
  var display: String? { if case .screen(let name) = self { name } else { nil } }
}
