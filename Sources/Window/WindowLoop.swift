import CSDL
import DisplayLoss
import DiskCache
import Encode
import Frames
import GPU
import ShaderCompiler

/// The life of a window: opens it, takes its events, and shows what the feed has.
///
/// Only the window's thread uses it.
struct WindowLoop: ~Copyable {
  private let output: WindowOutput
  private let feed: ViewFeed
  // Released in this order: what draws in the window before the window.
  private let presenter: WindowPresenter
  private let text: PanelText?
  private let window: SDLWindow
  private var view = WindowView()
  private var controls: ViewControls
  private var gamepads = Gamepads()
  private var stick: WindowPointer?
  /// A frame that the window system has not taken yet.
  private var waiting: Frame?
  private var newest: Frame?
  private var needsDrawing = false
  /// The text that lies over the picture, and the size of the window for which it was drawn.
  private var panel: (lines: [String], width: Int, height: Int) = ([], 0, 0)

  /// Opens the window, reports it or why it cannot be opened, and runs until the feed ends.
  static func run(
    _ output: WindowOutput, format: FrameFormat,
    onShown: (@Sendable (Frame, MonotonicTime) -> Void)? = nil,
    report: (Result<ViewFeed, any Error>) -> Void
  ) {
    do {
      let display = try SDLDisplay()
      let feed = ViewFeed(onShown: onShown)
      var loop = try WindowLoop(opening: output, feed: feed, format: format, on: display)
      report(.success(feed))
      do {
        try loop.run()
      } catch {
        let reason = "the window was closed: \(error)"
        feed.fail(WindowError(reason))
        display.abandon()
      }
      _ = consume loop
      _ = consume display
    } catch {
      report(.failure(error))
    }
  }

  private init(
    opening output: WindowOutput, feed: ViewFeed, format: FrameFormat,
    on display: borrowing SDLDisplay
  ) throws {
    let size = Self.firstSize(format, display.usableSize)
    let window = try SDLWindow(
      on: display, title: output.title, width: size.width, height: size.height)
    presenter = try Self.presenter(output, format: format, in: window)
    var text: PanelText?
    // About 40 lines of text in the height of the window.
    let height = min(max(window.pixelSize.height / 40, 12), 48)
    do { text = try PanelText(height: height) } catch { output.actions.say("\(error)") }
    (self.output, self.feed) = (output, feed)
    controls = ViewControls(output)
    self.text = text
    self.window = window
    view.scale = output.scale
  }

  private static func presenter(
    _ output: WindowOutput, format: FrameFormat, in window: borrowing SDLWindow
  ) throws -> WindowPresenter {
    let device = try Device(
      preference: output.gpu, cache: DiskCache(userFolder: "pipelines"),
      windowExtensions: try window.vulkanExtensions())
    return try WindowPresenter(
      surface: try window.surface(of: device),
      compiler: ShaderCompiler(cache: DiskCache(userFolder: "spirv")), format: format)
  }

  /// The size of the frames as they are shown, but not more than most of the display.
  private static func firstSize(
    _ format: FrameFormat, _ display: (width: Int, height: Int)?
  ) -> (width: Int, height: Int) {
    let upright = format.uprightSize
    let aspect = format.uprightSampleAspectRatio.doubleValue
    let width = Double(upright.width) * max(aspect, 1)
    let height = Double(upright.height) / min(aspect, 1)
    let room = display.map { (Double($0.width) * 0.9, Double($0.height) * 0.9) } ?? (width, height)
    let scale = min(1, room.0 / width, room.1 / height)
    return (max(Int(width * scale), 160), max(Int(height * scale), 90))
  }

  /// The longest time from one look at the events to the next, in milliseconds, and that for a window system that was busy.
  ///
  /// SDL does not wait for them, because another thread would have to wake it with a message to the X server: SDL 2.26 sends
  /// that over a second connection, which it shows to nobody, and Xlib ends the program if the server has gone away.
  private static let (pause, shortPause) = (Int32(10), Int32(5))

  private mutating func run() throws {
    while !feed.hasEnded {
      feed.flag.wait(milliseconds: waiting == nil && !needsDrawing ? Self.pause : Self.shortPause)
      var event = SDL_Event()
      while kf_next_event(&event) { try handle(event) }
      if window.isLost { throw WindowError("its display has gone away") }
      if let frame = feed.take() {
        (waiting, newest) = (frame, frame)
      }
      controls.withPlayer { $0.update() }
      if panel.lines != lines || view.progress != controls.player?.progress { needsDrawing = true }
      // A minimised window is drawn when it is back.
      if window.isMinimized || newest == nil { (waiting, needsDrawing) = (nil, false) }
      if waiting != nil || needsDrawing { try draw() }
    }
  }

  private mutating func draw() throws {
    try placePanel()
    view.progress = controls.player?.progress
    let original = waiting?.original?.frame
    guard
      try presenter.show(waiting, original: original, size: window.pixelSize, view: view)
    else { return }
    if let frame = waiting { feed.noteShown(frame) }
    (waiting, needsDrawing) = (nil, false)
  }

  private mutating func handle(_ event: SDL_Event) throws {
    switch event.type {
    case SDL_QUIT.rawValue: try press(.quit, steps: 1)
    case SDL_KEYDOWN.rawValue:
      let keysym = event.key.keysym
      // With a list of parameters over the picture, the arrows are for the parameters.
      if let command = PlaybackCommand(keysym), controls.press(command) {
        needsDrawing = true
      } else if let key = WindowKey(keysym) {
        try press(key, steps: isShifted(keysym) ? 10 : 1)
      }
    case SDL_MOUSEMOTION.rawValue:
      if event.motion.state & 1 != 0 { point(event.motion.x, event.motion.y, .held) }
      moveBorder(to: event.motion.x)
      let pointer = place(event.motion.x, event.motion.y)
      controls.withPlayer { $0.point(at: pointer, isDown: event.motion.state & 1 != 0) }
    case SDL_MOUSEBUTTONDOWN.rawValue where event.button.button == 1:
      let pointer = place(event.button.x, event.button.y)
      if controls.withPlayer({ $0.takes(pointer) }) == true { break }
      point(event.button.x, event.button.y, .pressed)
    case SDL_MOUSEBUTTONUP.rawValue where event.button.button == 1:
      controls.withPlayer { $0.release() }
      point(event.button.x, event.button.y, .released)
    case SDL_WINDOWEVENT.rawValue:
      switch UInt32(event.window.event) {
      case SDL_WINDOWEVENT_SIZE_CHANGED.rawValue:
        try presenter.resize()
        needsDrawing = true
      case SDL_WINDOWEVENT_EXPOSED.rawValue, SDL_WINDOWEVENT_RESTORED.rawValue:
        (waiting, needsDrawing) = (newest, true)
      default: break
      }
    default:
      if let input = gamepads.input(of: event) { try play(input) }
    }
  }

  private mutating func play(_ input: GamepadInput) throws {
    switch input {
    case .key(let key): try press(key, steps: 1)
    case .stick(let x, let y):
      let place = WindowPointer(x: x, y: y, button: stick == nil ? .pressed : .held)
      stick = place
      output.actions.point(place)
    case .stickReleased:
      if let stick {
        output.actions.point(WindowPointer(x: stick.x, y: stick.y, button: .released))
      }
      stick = nil
    }
  }

  private mutating func press(_ key: WindowKey, steps: Int) throws {
    switch key {
    case .compare: toggleComparison()
    case .fullScreen: try window.toggleFullScreen()
    case .scale:
      view.scale =
        switch view.scale {
        case .fit: .fill
        case .fill: .stretch
        case .stretch: .fit
        }
    default: controls.press(key, steps: steps, newest: newest)
    }
    needsDrawing = true
  }

  private mutating func toggleComparison() {
    let isOn = view.split == nil
    output.isComparing = isOn
    view.split = isOn ? 0.5 : nil
  }

  /// The place of the pointer in the picture, from its upper left corner: 0 to 1.
  private func share(_ x: Int32, _ y: Int32) -> (x: Double, y: Double) {
    let (size, units) = (window.pixelSize, window.size)
    return presenter.share(
      of: (
        Double(x) * Double(size.width) / Double(max(units.width, 1)),
        Double(y) * Double(size.height) / Double(max(units.height, 1))
      ), window: size, view: view)
  }

  /// The place of the pointer in the window's pixels.
  private func place(_ x: Int32, _ y: Int32) -> PlayerPanel.Place {
    let (size, units) = (window.pixelSize, window.size)
    return PlayerPanel.Place(
      x: Int(x) * size.width / max(units.width, 1), y: Int(y) * size.height / max(units.height, 1),
      window: size)
  }

  private func point(_ x: Int32, _ y: Int32, _ button: WindowPointer.Button) {
    let place = share(x, y)
    output.actions.point(WindowPointer(x: place.x, y: 1 - place.y, button: button))
  }

  private mutating func moveBorder(to x: Int32) {
    guard view.split != nil else { return }
    view.split = share(x, 0).x
    needsDrawing = true
  }

  /// The text that lies over the picture.
  private var lines: [String] { controls.lines(message: output.message) }

  /// Draws the panel again if its text or the window has changed.
  private mutating func placePanel() throws {
    let (size, lines) = (window.pixelSize, lines)
    guard panel != (lines, size.width, size.height) else { return }
    panel = (lines, size.width, size.height)
    var drawn = try text?.panel(lines, inside: size)
    if let width = drawn?.width, let height = drawn?.height {
      let margin = max(min(16, size.width - width, size.height - height), 0)
      drawn?.x = margin
      drawn?.y = margin
    }
    try presenter.setPanel(drawn)
  }
}
