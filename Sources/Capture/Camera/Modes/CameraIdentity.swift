import Frames
import V4L2Handles

/// What tells a camera from others after it was unplugged, wherever the system puts it then.
struct CameraIdentity {
  private let stablePath: String?
  private let card: String
  private let bus: String
  private let lastPath: String

  init(_ device: borrowing VideoDevice) {
    stablePath = StablePaths().name(of: device.path)
    card = device.card
    bus = device.bus
    lastPath = device.path
  }

  /// Where it is now: by its stable name if it has one, else by model and place on the bus; nil if it
  /// is not plugged in.
  func path() -> String? {
    if let stablePath { return resolved(stablePath) }
    let numbered = names(in: "/dev").filter { $0.hasPrefix("video") }.map { "/dev/" + $0 }
    // Where it was is looked at first: a camera may have several nodes.
    return ([lastPath] + numbered).first { path in
      guard let device = try? VideoDevice(path: path) else { return false }
      return device.isCamera && device.card == card && device.bus == bus
    }
  }
}
