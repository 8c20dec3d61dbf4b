import CSDL
import Frames

/// The keys of a player beyond those of every window; the table is also the help that lies over the picture.
enum PlayerKey: CaseIterable {
  case back, ahead, farBack, farAhead, begin, frameBack, frameAhead, normalSpeed
  case quieter, louder, mute, stretch, repeats, audioTrack, nextItem, previousItem

  private var help: (key: String, what: String)? {
    switch self {
    case .back: ("left, right", "5 seconds back, ahead; with shift 1 second")
    case .farBack: ("down, up", "1 minute back, ahead")
    case .begin: ("home", "to the start")
    case .frameBack: (", .", "one frame back, ahead")
    case .normalSpeed: ("backspace", "normal speed")
    case .quieter: ("9, 0", "quieter, louder")
    case .mute: ("m", "mute")
    case .stretch: ("l", "begin of a stretch that repeats, its end, no stretch")
    case .repeats: ("L", "repeat this source")
    case .audioTrack: ("a", "next audio track")
    case .nextItem: ("n, N", "next source, the one before")
    case .ahead, .farAhead, .frameAhead, .louder, .previousItem: nil
    }
  }

  /// Whether the key has another meaning while parameters are shown.
  var isForParametersToo: Bool {
    switch self {
    case .back, .ahead, .farBack, .farAhead, .normalSpeed, .mute: true
    default: false
    }
  }

  /// Returns what the key of an event does; nil for another key.
  init?(_ keysym: SDL_Keysym) {
    let isShifted = isShifted(keysym)
    switch UInt32(bitPattern: keysym.sym) {
    case SDLK_LEFT.rawValue: self = .back
    case SDLK_RIGHT.rawValue: self = .ahead
    case SDLK_DOWN.rawValue: self = .farBack
    case SDLK_UP.rawValue: self = .farAhead
    case SDLK_HOME.rawValue: self = .begin
    case SDLK_COMMA.rawValue: self = .frameBack
    case SDLK_PERIOD.rawValue: self = .frameAhead
    case SDLK_BACKSPACE.rawValue: self = .normalSpeed
    case SDLK_9.rawValue: self = .quieter
    case SDLK_0.rawValue: self = .louder
    case SDLK_m.rawValue: self = .mute
    case SDLK_l.rawValue: self = isShifted ? .repeats : .stretch
    case SDLK_a.rawValue: self = .audioTrack
    case SDLK_n.rawValue: self = isShifted ? .previousItem : .nextItem
    case SDLK_PAGEDOWN.rawValue: self = .nextItem
    case SDLK_PAGEUP.rawValue: self = .previousItem
    default: return nil
    }
  }

  /// What the player is asked to do.
  func command(isShifted: Bool) -> PlaybackCommand {
    let step = Rational(isShifted ? 1 : 5)
    return switch self {
    case .back: .seek(by: -step)
    case .ahead: .seek(by: step)
    case .farBack: .seek(by: Rational(-60))
    case .farAhead: .seek(by: Rational(60))
    case .begin: .begin
    case .frameBack: .stepBack
    case .frameAhead: .stepForward
    case .normalSpeed: .normalSpeed
    case .quieter: .volume(by: -5)
    case .louder: .volume(by: 5)
    case .mute: .mute
    case .stretch: .stretch
    case .repeats: .repeats
    case .audioTrack: .audioTrack
    case .nextItem: .item(by: 1)
    case .previousItem: .item(by: -1)
    }
  }

  /// The lines of the help: these keys, and those of every window.
  static var helpLines: [String] {
    WindowKey.table(allCases.compactMap(\.help) + WindowKey.allCases.compactMap(\.helpOfPlayer))
  }
}
