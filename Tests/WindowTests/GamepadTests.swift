import CSDL
import Glibc
import Testing

@testable import Window

@Suite(.serialized) struct GamepadTests {
  private func button(_ button: SDL_GameControllerButton) -> SDL_Event {
    var event = SDL_Event()
    event.cbutton.type = SDL_CONTROLLERBUTTONDOWN.rawValue
    event.cbutton.button = UInt8(button.rawValue)
    return event
  }

  private func axis(_ axis: SDL_GameControllerAxis, _ value: Int16) -> SDL_Event {
    var event = SDL_Event()
    event.caxis.type = SDL_CONTROLLERAXISMOTION.rawValue
    event.caxis.axis = UInt8(axis.rawValue)
    event.caxis.value = value
    return event
  }

  @Test("buttons are keys, and the left stick is a pointer that is let go in its middle")
  func inputs() {
    var pads = Gamepads()
    for (pressed, key) in [
      (SDL_CONTROLLER_BUTTON_A, WindowKey.pause), (SDL_CONTROLLER_BUTTON_START, .record),
      (SDL_CONTROLLER_BUTTON_BACK, .still), (SDL_CONTROLLER_BUTTON_LEFTSHOULDER, .previousEffect),
      (SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, .nextEffect),
      (SDL_CONTROLLER_BUTTON_DPAD_DOWN, .nextParameter), (SDL_CONTROLLER_BUTTON_DPAD_LEFT, .less),
    ] { #expect(pads.input(of: button(pressed)) == .key(key)) }
    #expect(pads.input(of: button(SDL_CONTROLLER_BUTTON_GUIDE)) == nil)
    #expect(pads.input(of: axis(SDL_CONTROLLER_AXIS_LEFTX, 2000)) == nil)
    #expect(
      pads.input(of: axis(SDL_CONTROLLER_AXIS_LEFTX, -32768))
        == .stick(x: 0, y: 0.5))
    // Up is negative for SDL, and the top of the picture is 1.
    #expect(
      pads.input(of: axis(SDL_CONTROLLER_AXIS_LEFTY, -16384)) == .stick(x: 0, y: 0.75))
    #expect(pads.input(of: axis(SDL_CONTROLLER_AXIS_RIGHTX, 32767)) == nil)
    #expect(
      pads.input(of: axis(SDL_CONTROLLER_AXIS_LEFTY, 100)) == .stick(x: 0, y: 0.5 - 100.0 / 65536))
    #expect(pads.input(of: axis(SDL_CONTROLLER_AXIS_LEFTX, 100)) == .stickReleased)
    #expect(pads.input(of: axis(SDL_CONTROLLER_AXIS_LEFTX, 0)) == nil)
  }

  @Test("a gamepad that is plugged in is opened, and what is pressed on it arrives")
  func plugged() throws {
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1")
    SDL_SetMainReady()
    var pads = Gamepads()
    let device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, 6, 15, 0)
    try #require(device >= 0, "\(String(cString: SDL_GetError()))")
    var inputs: [GamepadInput] = []
    func pump() {
      var event = SDL_Event()
      while SDL_PollEvent(&event) == 1 {
        if let input = pads.input(of: event) { inputs.append(input) }
      }
    }
    pump()
    let joystick = try #require(SDL_JoystickOpen(device))
    SDL_JoystickSetVirtualButton(joystick, Int32(SDL_CONTROLLER_BUTTON_START.rawValue), 1)
    pump()
    SDL_JoystickSetVirtualAxis(joystick, Int32(SDL_CONTROLLER_AXIS_LEFTX.rawValue), 32767)
    pump()
    #expect(inputs.first == .key(.record))
    guard case .stick(let x, let y)? = inputs.last else {
      Issue.record("\(inputs)")
      return
    }
    #expect(abs(x - 1) < 0.001 && y == 0.5)
    SDL_JoystickClose(joystick)
    SDL_JoystickDetachVirtual(device)
    pump()
  }
}
