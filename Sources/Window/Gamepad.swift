import CSDL

enum GamepadInput: Equatable {
  case key(WindowKey)
  /// The left stick as a place in the picture: 0 to 1 from the left and from the bottom.
  case stick(x: Double, y: Double)
  case stickReleased
}

/// The gamepads of a display, those too that are plugged in later; used by the display's thread.
struct Gamepads: ~Copyable {
  private let isOpen: Bool
  private var opened: [Int32: OpaquePointer] = [:]
  private var stick = (x: 0.0, y: 0.0)
  private var isStickHeld = false

  /// A stick that is let go does not stand exactly in its middle.
  private static let deadZone = 0.15

  /// A system without gamepads, or that does not let kfrec have them, has none.
  init() {
    // Through the system's driver alone: SDL's own ones would open each USB device.
    SDL_SetHint(SDL_HINT_JOYSTICK_HIDAPI, "0")
    isOpen = SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) == 0
  }

  deinit {
    for pad in opened.values { SDL_GameControllerClose(pad) }
    if isOpen { SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER) }
  }

  /// Returns what an event of a gamepad asks for; nil for another event, or one that asks for nothing.
  mutating func input(of event: SDL_Event) -> GamepadInput? {
    switch event.type {
    case SDL_CONTROLLERDEVICEADDED.rawValue:
      if let pad = SDL_GameControllerOpen(event.cdevice.which) {
        let id = SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(pad))
        if let before = opened.updateValue(pad, forKey: id) { SDL_GameControllerClose(before) }
      }
      return nil
    case SDL_CONTROLLERDEVICEREMOVED.rawValue:
      if let pad = opened.removeValue(forKey: event.cdevice.which) {
        SDL_GameControllerClose(pad)
      }
      return nil
    case SDL_CONTROLLERBUTTONDOWN.rawValue:
      return Self.key(SDL_GameControllerButton(Int32(event.cbutton.button))).map { .key($0) }
    case SDL_CONTROLLERAXISMOTION.rawValue:
      return move(
        SDL_GameControllerAxis(Int32(event.caxis.axis)), to: Double(event.caxis.value) / 32768)
    default: return nil
    }
  }

  private static func key(_ button: SDL_GameControllerButton) -> WindowKey? {
    switch button {
    case SDL_CONTROLLER_BUTTON_A: .pause
    case SDL_CONTROLLER_BUTTON_B: .reset
    case SDL_CONTROLLER_BUTTON_X: .compare
    case SDL_CONTROLLER_BUTTON_Y: .parameters
    case SDL_CONTROLLER_BUTTON_START: .record
    case SDL_CONTROLLER_BUTTON_BACK: .still
    case SDL_CONTROLLER_BUTTON_LEFTSHOULDER: .previousEffect
    case SDL_CONTROLLER_BUTTON_RIGHTSHOULDER: .nextEffect
    case SDL_CONTROLLER_BUTTON_DPAD_UP: .previousParameter
    case SDL_CONTROLLER_BUTTON_DPAD_DOWN: .nextParameter
    case SDL_CONTROLLER_BUTTON_DPAD_LEFT: .less
    case SDL_CONTROLLER_BUTTON_DPAD_RIGHT: .more
    default: nil
    }
  }

  private mutating func move(_ axis: SDL_GameControllerAxis, to value: Double) -> GamepadInput? {
    switch axis {
    case SDL_CONTROLLER_AXIS_LEFTX: stick.x = value
    case SDL_CONTROLLER_AXIS_LEFTY: stick.y = value
    default: return nil
    }
    let isHeld = max(abs(stick.x), abs(stick.y)) > Self.deadZone
    defer { isStickHeld = isHeld }
    // Up is negative.
    if isHeld { return .stick(x: 0.5 + stick.x / 2, y: 0.5 - stick.y / 2) }
    return isStickHeld ? .stickReleased : nil
  }
}
