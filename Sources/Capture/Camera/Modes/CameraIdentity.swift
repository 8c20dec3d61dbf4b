import Frames
import V4L2Handles

/// Finds the same camera again after it was unplugged, wherever the system puts it.
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

  /// Returns the camera's current path; nil if it is not plugged in.
  ///
  /// The camera is found by its stable name if it has one, else by its model and place on the bus.
  func path() -> String? {
    if let stablePath { return resolved(stablePath) }
    let numbered = names(in: "/dev").filter { $0.hasPrefix("video") }.map { "/dev/" + $0 }
    // The last path is checked first: a camera may have several nodes.
    return ([lastPath] + numbered).first { path in
      guard let device = try? VideoDevice(path: path) else { return false }
      return device.isCamera && device.card == card && device.bus == bus
    }
  }
}
