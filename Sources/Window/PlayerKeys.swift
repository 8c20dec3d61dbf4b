import CSDL
import Frames

/// The keys of a player beyond those of every window.
extension PlaybackCommand {
  /// What the key of an event asks a player for; nil for another key.
  init?(_ keysym: SDL_Keysym) {
    let isShifted = isShifted(keysym)
    let step = Rational(isShifted ? 1 : 5)
    switch UInt32(bitPattern: keysym.sym) {
    case SDLK_LEFT.rawValue: self = .seek(by: -step)
    case SDLK_RIGHT.rawValue: self = .seek(by: step)
    case SDLK_DOWN.rawValue: self = .seek(by: Rational(-60))
    case SDLK_UP.rawValue: self = .seek(by: Rational(60))
    case SDLK_HOME.rawValue: self = .begin
    case SDLK_COMMA.rawValue: self = .stepBack
    case SDLK_PERIOD.rawValue: self = .stepForward
    case SDLK_BACKSPACE.rawValue: self = .normalSpeed
    case SDLK_9.rawValue: self = .volume(by: -5)
    case SDLK_0.rawValue: self = .volume(by: 5)
    case SDLK_m.rawValue: self = .mute
    case SDLK_l.rawValue: self = isShifted ? .repeats : .stretch
    case SDLK_a.rawValue: self = .audioTrack
    case SDLK_n.rawValue: self = .item(by: isShifted ? -1 : 1)
    case SDLK_PAGEDOWN.rawValue: self = .item(by: 1)
    case SDLK_PAGEUP.rawValue: self = .item(by: -1)
    default: return nil
    }
  }

  /// Whether its key has another meaning while parameters are shown.
  var isForParametersToo: Bool {
    switch self {
    case .seek, .normalSpeed, .mute: true
    default: false
    }
  }

  /// The lines of the help: these keys, and those of every window.
  static var helpLines: [String] {
    let own: [(key: String, what: String)] = [
      ("left, right", "5 seconds back, ahead; with shift 1 second"),
      ("down, up", "1 minute back, ahead"), ("home", "to the start"),
      (", .", "one frame back, ahead"), ("backspace", "normal speed"),
      ("9, 0", "quieter, louder"), ("m", "mute"),
      ("l", "begin of a stretch that repeats, its end, no stretch"),
      ("L", "repeat this source"), ("a", "next audio track"),
      ("n, N", "next source, the one before"),
    ]
    return WindowKey.table(own + WindowKey.allCases.compactMap(\.helpOfPlayer))
  }
}
