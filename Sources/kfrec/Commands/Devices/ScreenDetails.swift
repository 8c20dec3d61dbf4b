import Capture
import Frames

/// What `kfrec devices` prints about a screen and its windows.
struct ScreenDetails {
  let screen: ScreenDescription

  /// What `-i` takes for the screen, and a line for each window.
  var text: String {
    if let problem = screen.problem { return hang("Screen", problem, column: 8) }
    let size = screen.size.map { "\($0.width)x\($0.height)" } ?? ""
    return hang("Screen", "-i screen  \(screen.display), \(size)", column: 8)
      + screen.windows.map { window in
        let state = window.isShown ? "" : ", hidden"
        return hang(
          "Window", "-i '\(window.input)'  \(window.width)x\(window.height)\(state)",
          column: 8)
      }.joined()
  }

  var objects: [JSONValue] {
    [
      .object([
        ("kind", .string("screen")),
        ("display", .string(screen.display)),
        ("width", .optional(screen.size?.width, JSONValue.int)),
        ("height", .optional(screen.size?.height, JSONValue.int)),
        ("problem", .optional(screen.problem, JSONValue.string)),
      ])
    ]
      + screen.windows.map { window in
        .object([
          ("kind", .string("window")),
          ("input", .string(window.input)),
          ("title", .string(window.title)),
          ("width", .int(window.width)),
          ("height", .int(window.height)),
          ("shown", .bool(window.isShown)),
        ])
      }
  }
}
