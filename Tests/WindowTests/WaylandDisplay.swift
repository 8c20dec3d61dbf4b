import Glibc
import TestSupport
import Testing

/// A Wayland compositor without a screen, of this test alone; its one window is not scaled.
final class WaylandDisplay {
  static let width = 800
  static let height = 600
  private let folder: TemporaryFolder
  private let compositor: ChildProcess
  private let socket: String

  /// - Throws: If there is no sway; that is a failure of the test, never a reason to skip it.
  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    let configuration = """
      output HEADLESS-1 resolution \(Self.width)x\(Self.height)
      default_border none
      for_window [title="kfrec.*"] floating enable, move position 0 0
      exec echo "$WAYLAND_DISPLAY" > \(folder.file("ready"))

      """
    try folder.write(Array(configuration.utf8), to: "config")
    let words = ["sway", "-c", folder.file("config")]
    // sway refuses to run as root; the socket is found by a path, whoever owns it.
    let nobody = "65534"
    if geteuid() == 0 { chown(folder.path, 65534, 65534) }
    let asNobody = ["setpriv", "--reuid=" + nobody, "--regid=" + nobody, "--clear-groups"]
    let command = geteuid() == 0 ? asNobody + words : words
    compositor = try ChildProcess(
      command[0], Array(command.dropFirst()),
      environment: [
        "XDG_RUNTIME_DIR": folder.path, "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman",
        "WLR_LIBINPUT_NO_DEVICES": "1", "SWAYSOCK": folder.file("sway"), "DISPLAY": nil,
        "WAYLAND_DISPLAY": nil,
      ])
    var name = ""
    let isReady = waitUntil(compositor) {
      name = (try? readFile(folder.file("ready"))).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return name.hasSuffix("\n")
    }
    guard isReady else {
      throw TestSupportError("sway does not start: \(compositor.wait(seconds: 1))")
    }
    socket = folder.file(String(name.dropLast()))
  }

  /// The environment of a program that opens windows here.
  var environment: [String: String?] {
    [
      "XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": socket, "DISPLAY": nil,
      "SDL_VIDEODRIVER": "wayland",
    ]
  }

  /// Closes the window, as its button would.
  func closeWindow() throws {
    try run("swaymsg", ["-s", folder.file("sway"), "[title=\"kfrec.*\"] kill"])
  }

  /// What the upper left corner of the screen shows.
  func picture(_ width: Int, _ height: Int) throws -> WindowPicture {
    let bytes = try run("grim", ["-t", "ppm", "-g", "0,0 \(width)x\(height)", "-"]).output
    // Three lines, then the pixels.
    return WindowPicture(
      width: width, height: height, bytes: Array(bytes.suffix(width * height * 3)))
  }

  /// Waits until the screen shows something that a condition holds for.
  func waitForPicture(
    _ child: ChildProcess, _ width: Int, _ height: Int, _ condition: (WindowPicture) -> Bool
  ) throws -> WindowPicture {
    var latest = try picture(width, height)
    let isExpected = try waitUntil(child, every: 0.1) {
      latest = try picture(width, height)
      return condition(latest)
    }
    guard isExpected else {
      throw TestSupportError("the window never showed what was expected")
    }
    return latest
  }

  @discardableResult
  private func run(_ program: String, _ words: [String]) throws -> ChildResult {
    let result = try ChildProcess(program, words, environment: environment).wait()
    guard result.exitCode == 0 else { throw TestSupportError("\(program): \(result)") }
    return result
  }
}
