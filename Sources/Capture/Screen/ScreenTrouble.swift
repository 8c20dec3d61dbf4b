import Frames
import Glibc
import XCBHandles

/// What the environment says about the session's screen.
struct ScreenEnvironment: Equatable {
  /// The display of X; nil if none is named.
  let display: String?
  /// Whether the session's own programs draw by Wayland, where only X programs can be read.
  let isWayland: Bool

  static var current: ScreenEnvironment {
    func value(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    return ScreenEnvironment(
      display: value("DISPLAY"),
      isWayland: value("WAYLAND_DISPLAY") != nil || value("XDG_SESSION_TYPE") == "wayland")
  }

  /// Why there is no display of X.
  var refusal: CaptureError {
    CaptureError(
      isWayland
        ? """
        this is a Wayland session without an X display, and kfrec reads the screens of X11 only; log in to a session \
        on Xorg, or let a program that Wayland allows to read the screen, such as OBS, give it as a virtual camera
        """
        : """
        there is no X display to read: DISPLAY is not set; start kfrec in a graphical session, or name the display as \
        in -i screen::0
        """)
  }
}

extension CaptureError {
  /// Explains a failed request to an X server, and says what to do about it.
  init(_ error: XCBError, reading name: String) {
    switch error.reason {
    case .unreachable:
      self.init(
        """
        \(name) cannot be opened: there is no X server of that name, or it does not admit this user (see XAUTHORITY, \
        and xhost)
        """)
    case .lost: self.init("\(name) is gone: its X server has ended")
    case .silent: self.init("\(name) does not answer (--camera-timeout)")
    case .refused(11): self.init("\(name) cannot be read: there is not enough memory")
    default:
      self.init(
        error.meansGone ? "\(name) was closed" : "\(name) cannot be read: \(error.explanation)")
    }
  }
}
