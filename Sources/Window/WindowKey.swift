import CSDL

/// What a key does; the table is also the help that lies over the picture.
package enum WindowKey: CaseIterable, Sendable {
  case pause, record, still, compare, nextEffect, previousEffect
  case nextParameter, previousParameter, less, more, reset, learn, parameters
  case slower, faster, camera, scale, fullScreen, help, quit

  var help: (key: String, what: String)? {
    switch self {
    case .pause: ("space", "pause, go on")
    case .record: ("r", "start and end a recording of what is shown")
    case .still: ("s", "save what is shown as a PNG")
    case .compare: ("c", "before and after the effects; the pointer moves the border")
    case .nextEffect: ("e, E", "next effect, the one before")
    case .previousEffect: nil
    case .nextParameter: ("tab, down, up", "choose a parameter")
    case .less: ("left, right", "change it; with shift ten times as much")
    case .reset: ("backspace", "its usual value")
    case .learn: ("m", "change it by a MIDI knob from now on: move the knob")
    case .parameters: ("p", "show or hide the parameters")
    case .previousParameter, .more: nil
    case .slower: ("[, ]", "half the speed of a file, twice the speed")
    case .faster: nil
    case .camera: ("d", "next camera")
    case .scale: ("v", "fit, fill, stretch")
    case .fullScreen: ("f", "full screen")
    case .help: ("h", "show or hide this help")
    case .quit: ("q, Esc", "stop; a recording is completed")
    }
  }

  /// Returns what the key of an event does; nil for another key.
  init?(_ keysym: SDL_Keysym) {
    self.init(symbol: UInt32(bitPattern: keysym.sym), isShifted: isShifted(keysym))
  }

  /// Returns what a key does, by SDL's number: a character in ASCII, a small letter for letters; nil for another key.
  package init?(symbol: UInt32, isShifted: Bool) {
    switch symbol {
    case SDLK_SPACE.rawValue: self = .pause
    case SDLK_q.rawValue, SDLK_ESCAPE.rawValue: self = .quit
    case SDLK_r.rawValue: self = .record
    case SDLK_s.rawValue: self = .still
    case SDLK_c.rawValue: self = .compare
    case SDLK_e.rawValue: self = isShifted ? .previousEffect : .nextEffect
    case SDLK_TAB.rawValue: self = isShifted ? .previousParameter : .nextParameter
    case SDLK_DOWN.rawValue: self = .nextParameter
    case SDLK_UP.rawValue: self = .previousParameter
    case SDLK_LEFT.rawValue: self = .less
    case SDLK_RIGHT.rawValue: self = .more
    case SDLK_BACKSPACE.rawValue: self = .reset
    case SDLK_LEFTBRACKET.rawValue: self = .slower
    case SDLK_RIGHTBRACKET.rawValue: self = .faster
    case SDLK_m.rawValue: self = .learn
    case SDLK_d.rawValue: self = .camera
    case SDLK_p.rawValue: self = .parameters
    case SDLK_f.rawValue: self = .fullScreen
    case SDLK_v.rawValue: self = .scale
    case SDLK_h.rawValue: self = .help
    default: return nil
    }
  }

  static func helpLines(without hidden: Set<WindowKey> = []) -> [String] {
    table(allCases.filter { !hidden.contains($0) }.compactMap(\.help))
  }

  /// Its line in the help of a player; nil if it means something else there.
  var helpOfPlayer: (key: String, what: String)? {
    switch self {
    case .slower: ("[, ]", "slower, faster, from 0.25 to 4")
    case .nextParameter: ("tab", "choose a parameter; the arrows are for the parameters then")
    case .less, .reset, .camera: nil
    default: help
    }
  }

  /// Returns lines with a column of keys and a column of what they do.
  static func table(_ entries: [(key: String, what: String)]) -> [String] {
    let width = entries.map(\.key.count).max() ?? 0
    return entries.map { entry in
      entry.key + String(repeating: " ", count: width - entry.key.count + 2) + entry.what
    }
  }
}

/// Whether a shift key was held.
func isShifted(_ keysym: SDL_Keysym) -> Bool {
  UInt32(keysym.mod) & (KMOD_LSHIFT.rawValue | KMOD_RSHIFT.rawValue) != 0
}
