import CSDL

/// What a key does; the table is also the help that lies over the picture.
enum WindowKey: CaseIterable {
  case pause, still, compare, scale, fullScreen, help, quit

  /// The key, and what it does.
  var help: (key: String, what: String) {
    switch self {
    case .pause: ("space", "pause, go on")
    case .still: ("s", "save what is shown as a PNG")
    case .compare: ("c", "before and after the effects; the pointer moves the border")
    case .scale: ("v", "fit, fill, stretch")
    case .fullScreen: ("f", "full screen")
    case .help: ("h", "show or hide this help")
    case .quit: ("q, Esc", "stop; a recording is completed")
    }
  }

  /// Returns what the key of an event does; nil for another key.
  init?(_ keysym: SDL_Keysym) {
    switch UInt32(bitPattern: keysym.sym) {
    case SDLK_SPACE.rawValue: self = .pause
    case SDLK_q.rawValue, SDLK_ESCAPE.rawValue: self = .quit
    case SDLK_s.rawValue: self = .still
    case SDLK_c.rawValue: self = .compare
    case SDLK_f.rawValue: self = .fullScreen
    case SDLK_v.rawValue: self = .scale
    case SDLK_h.rawValue: self = .help
    default: return nil
    }
  }

  /// The lines of the help.
  static var helpLines: [String] {
    let width = allCases.map(\.help.key.count).max() ?? 0
    return allCases.map { key in
      let padding = String(repeating: " ", count: width - key.help.key.count)
      return "\(key.help.key)\(padding)  \(key.help.what)"
    }
  }
}
