import CSDL
import DisplayLoss
import Frames
import GPU

/// A window that cannot be opened or shown in, in one sentence with a remedy.
package struct WindowError: ExplainedError {
  package let description: String

  init(_ description: String) { self.description = description }

  /// Makes the error of a call of SDL; it must be made before the next call.
  init(call: String) {
    self.init("\(call) failed: \(String(cString: SDL_GetError()))")
  }
}

/// Checks the result of a call of SDL, which is negative on failure; every call that can fail uses it.
@discardableResult
func check(_ result: Int32, _ call: String) throws(WindowError) -> Int32 {
  guard result >= 0 else { throw WindowError(call: call) }
  return result
}

/// SDL's connection to the display; one thread opens it, uses it and releases it.
struct SDLDisplay: ~Copyable {
  init() throws(WindowError) {
    // The program has its own thread for signals.
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1")
    SDL_SetHint(SDL_HINT_APP_NAME, "kfrec")
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "0")
    SDL_SetMainReady()
    guard kf_open_display() else {
      throw isLost
        ? Self.hasGone
        : WindowError(
          "no window can be opened (\(String(cString: SDL_GetError()))); set DISPLAY or WAYLAND_DISPLAY, or use "
            + "--preview=terminal")
    }
  }

  fileprivate static let hasGone = WindowError(
    "no window can be opened: the display has gone away; use --preview=terminal")

  deinit {
    kf_close_display()
    // What SDL keeps for this thread, which ends.
    SDL_TLSCleanup()
  }

  /// The display has gone away; nothing more can be shown.
  var isLost: Bool { kf_display_is_lost() }

  /// Leaves the display and its windows open until the program ends.
  ///
  /// After a failure nobody knows whether the display is still there, and Xlib crashes if it is not.
  func abandon() { kf_leave_display() }

  /// The size of the display without its panels, in the units of windows.
  var usableSize: (width: Int, height: Int)? {
    var bounds = SDL_Rect()
    guard kf_usable_bounds(&bounds) else { return nil }
    return (Int(bounds.w), Int(bounds.h))
  }
}

/// An open window in which Vulkan can draw; used by the thread of its display.
struct SDLWindow: ~Copyable {
  private let handle: OpaquePointer
  init(
    on display: borrowing SDLDisplay, title: String, width: Int, height: Int
  ) throws(WindowError) {
    let flags =
      SDL_WINDOW_VULKAN.rawValue | SDL_WINDOW_RESIZABLE.rawValue
      | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
    let made = kf_open_window(title, Int32(width), Int32(height), flags)
    guard let made else {
      throw display.isLost ? SDLDisplay.hasGone : WindowError(call: "SDL_CreateWindow")
    }
    handle = made
  }

  /// The display has gone away; nothing more can be shown.
  var isLost: Bool { kf_display_is_lost() }

  deinit { kf_close_window(handle) }

  /// The instance extensions that Vulkan needs to draw in it.
  func vulkanExtensions() throws(WindowError) -> [String] {
    var count: UInt32 = 0
    guard SDL_Vulkan_GetInstanceExtensions(handle, &count, nil) == SDL_TRUE else {
      throw WindowError(call: "SDL_Vulkan_GetInstanceExtensions")
    }
    var names = [UnsafePointer<CChar>?](repeating: nil, count: Int(count))
    guard SDL_Vulkan_GetInstanceExtensions(handle, &count, &names) == SDL_TRUE else {
      throw WindowError(call: "SDL_Vulkan_GetInstanceExtensions")
    }
    return names.compactMap { $0.map { String(cString: $0) } }
  }

  func surface(of device: Device) throws -> WindowSurface {
    try WindowSurface(device: device) { instance in
      var surface: OpaquePointer?
      return SDL_Vulkan_CreateSurface(handle, instance, &surface) == SDL_TRUE ? surface : nil
    }
  }

  /// The size in pixels.
  var pixelSize: (width: Int, height: Int) {
    var (width, height) = (Int32(0), Int32(0))
    SDL_Vulkan_GetDrawableSize(handle, &width, &height)
    return (Int(width), Int(height))
  }

  /// The size in the units in which the pointer's place is given.
  var size: (width: Int, height: Int) {
    var (width, height) = (Int32(0), Int32(0))
    SDL_GetWindowSize(handle, &width, &height)
    return (Int(width), Int(height))
  }

  private var flags: UInt32 { SDL_GetWindowFlags(handle) }
  var isMinimized: Bool { flags & SDL_WINDOW_MINIMIZED.rawValue != 0 }

  func toggleFullScreen() throws(WindowError) {
    let full = SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue
    guard kf_set_full_screen(handle, flags & full == full ? 0 : full) else {
      throw WindowError(call: "SDL_SetWindowFullscreen")
    }
  }
}
