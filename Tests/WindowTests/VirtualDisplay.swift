import TestSupport
import Testing

/// An X server without a screen, of this test alone.
final class VirtualDisplay {
  /// The value of DISPLAY.
  let name: String
  private let server: ChildProcess

  static let width = 800
  static let height = 600

  /// - Throws: If there is no Xvfb; that is a failure of the test, never a reason to skip it.
  init() throws {
    server = try ChildProcess(
      "Xvfb",
      [
        "-displayfd", "1", "-screen", "0", "\(Self.width)x\(Self.height)x24", "-nolisten", "tcp",
        "-noreset",
      ])
    var number = ""
    guard
      server.waitForOutput(
        until: { text in
          number = text.filter(\.isNumber)
          return text.hasSuffix("\n")
        })
    else { throw TestSupportError("Xvfb does not start: \(server.wait(seconds: 1))") }
    name = ":" + number
  }

  /// The environment of a program that opens windows here.
  var environment: [String: String?] {
    ["DISPLAY": name, "WAYLAND_DISPLAY": nil, "SDL_VIDEODRIVER": "x11"]
  }

  /// Opens a window of one colour without a frame, and waits until it is shown.
  ///
  /// - Parameters:
  ///   - title: Its title.
  ///   - color: The colour, in ffmpeg's words.
  ///   - filters: What changes it, each behind a comma.
  ///   - area: Its place and size: x, y, width, height.
  /// - Returns: The program that shows it.
  /// - Throws: If it is never shown.
  func open(
    _ title: String, color: String, filters: String = "", at area: [Int]
  ) throws -> ChildProcess {
    let window = try ChildProcess(
      "ffplay",
      [
        "-v", "error", "-noborder", "-left", "\(area[0])", "-top", "\(area[1])", "-f", "lavfi",
        "-i", "color=\(color):s=\(area[2])x\(area[3]):r=5\(filters),format=rgb24",
        "-window_title", title,
      ], environment: environment)
    let isShown = waitUntil(window, every: 0.1) {
      (try? run(["search", "--onlyvisible", "--name", title]))?.isEmpty == false
    }
    guard isShown else {
      throw TestSupportError("the window \(title) is never shown: \(window.wait(seconds: 1))")
    }
    return window
  }

  /// Gives the window with a title another size, or hides and shows it (`windowunmap`, `windowmap`).
  func change(_ title: String, _ words: [String]) throws {
    let found = try run(["search", "--name", title]).split(separator: "\n")
    let window = String(try #require(found.first))
    try run([words[0], window] + words.dropFirst())
  }

  /// Moves the pointer to a pixel of the screen.
  func movePointer(to x: Int, _ y: Int) throws { try run(["mousemove", "\(x)", "\(y)"]) }

  /// Fills the screen behind all windows.
  func paint(_ color: String) throws {
    try runTool("xsetroot", ["-display", name, "-solid", color])
  }

  /// Stops the server for a while (SIGSTOP), or lets it go on (SIGCONT).
  func send(_ signal: Int32) { server.send(signal) }

  /// Takes the display away from its programs.
  func takeAway() {
    server.send(9)
    _ = server.wait()
  }

  /// Presses and releases a key, by its name in X.
  func press(_ key: String) throws { try run(["key", key]) }

  /// Moves the pointer to a pixel of the only window, with or without its button.
  func drag(to x: Int, _ y: Int, button: String?) throws {
    try run(["mousemove", "--window", try window(), "\(x)", "\(y)"])
    if let button { try run([button, "1"]) }
  }

  /// Gives the only window another size.
  func resizeWindow(_ width: Int, _ height: Int) throws {
    try run(["windowsize", try window(), "\(width)", "\(height)"])
  }

  private func window() throws -> String {
    let found = try run(["search", "--onlyvisible", "--name", "^kfrec"])
    guard let first = found.split(separator: "\n").first else {
      throw TestSupportError("no window of kfrec is visible")
    }
    return String(first)
  }

  @discardableResult
  private func run(_ words: [String]) throws -> String {
    let result = try ChildProcess("xdotool", words, environment: environment).wait()
    guard result.exitCode == 0 else { throw TestSupportError("xdotool: \(result)") }
    return result.text
  }

  /// What the window shows now.
  func picture() throws -> WindowPicture {
    let text = try run(["getwindowgeometry", "--shell", try window()])
    var values: [String: Int] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=")
      if parts.count == 2 { values[String(parts[0])] = Int(parts[1]) }
    }
    let (x, y) = (try #require(values["X"]), try #require(values["Y"]))
    let (width, height) = (try #require(values["WIDTH"]), try #require(values["HEIGHT"]))
    let result = try ChildProcess(
      "ffmpeg",
      [
        "-v", "error", "-f", "x11grab", "-draw_mouse", "0", "-video_size", "\(width)x\(height)",
        "-i", "\(name)+\(x),\(y)", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
      ]
    ).wait()
    guard result.exitCode == 0 else { throw TestSupportError("x11grab: \(result)") }
    return WindowPicture(width: width, height: height, bytes: result.output)
  }

  /// Waits until the window shows something that a condition holds for.
  func waitForPicture(
    _ child: ChildProcess, _ condition: (WindowPicture) -> Bool
  ) throws -> WindowPicture {
    var latest: (any Error)?
    var shown: WindowPicture?
    waitUntil(child, every: 0.1) {
      do {
        shown = try picture()
      } catch {
        latest = error
      }
      return shown.map(condition) ?? false
    }
    guard let shown, condition(shown) else {
      throw latest ?? TestSupportError("the window never showed what was expected")
    }
    return shown
  }
}

/// The pixels of a window: R, G and B, each 8 bits.
struct WindowPicture {
  let width: Int
  let height: Int
  let bytes: [UInt8]

  /// The largest difference between two pictures of one size.
  func difference(from other: [UInt8]) -> Int {
    guard bytes.count == other.count else { return 256 }
    return zip(bytes, other).map { abs(Int($0) - Int($1)) }.max() ?? 256
  }

  func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    Array(bytes[(y * width + x) * 3..<(y * width + x) * 3 + 3])
  }

  var isBlack: Bool { !bytes.contains { $0 > 8 } }
}
