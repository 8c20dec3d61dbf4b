import Frames
import Glibc
import V4L2Handles

/// A camera that is plugged in.
public struct CameraDescription: Sendable {
  /// The device's path, such as `/dev/video0`.
  public let path: String
  /// The camera's own name; its path if the device may not be queried.
  public var name: String
  /// A path that stays the same wherever and whenever the camera is plugged in (`/dev/v4l/by-id/...`),
  /// if the system has one.
  public var stablePath: String?
  public var driver: String?
  /// The place on the bus.
  public var bus: String?
  public var offers: [CameraOffer] = []
  /// Why the camera cannot be queried or used, as a sentence.
  public var problem: String?
  /// False for a node for radio, metadata or output, and for a node without formats.
  private var isCamera: Bool

  /// Whether the camera has colours, in a format that kfrec reads.
  public var isColor: Bool { offers.contains { $0.isColor } }
  public var isReadable: Bool { offers.contains { $0.isReadable } }

  /// Position in the list: cameras with colours, then with gray only (infrared), then unreadable ones.
  var rank: Int { isColor ? 0 : isReadable ? 1 : 2 }

  /// The path and the name: "/dev/video0 (Integrated Camera)".
  public var title: String { name == path ? path : "\(path) (\(name))" }
}

/// Returns the cameras that are plugged in, the best default first: those with colours, by number.
public func listCameras() -> [CameraDescription] {
  let numbers = names(in: "/sys/class/video4linux").compactMap(videoNumber)
  // Without sysfs, search for the devices themselves.
  let found = numbers.isEmpty ? names(in: "/dev").compactMap(videoNumber) : numbers
  let stablePaths = StablePaths()
  let cameras = found.sorted().compactMap { number in
    CameraDescription(path: "/dev/video\(number)", stablePaths: stablePaths)
  }
  return CameraDescription.bestFirst(cameras)
}

extension CameraDescription {
  /// Sorts cameras from the order of their numbers into the order of listing and choosing.
  static func bestFirst(_ cameras: [CameraDescription]) -> [CameraDescription] {
    cameras.enumerated()
      .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element)
  }

  /// Queries the device at a path; nil if it is not a camera.
  init?(path: String, stablePaths: StablePaths = StablePaths()) {
    do throws(V4L2Error) {
      self.init(try VideoDevice(path: path))
      guard isCamera else { return nil }
    } catch {
      // A missing device, or one that is no video device, is not a camera. One that may not be opened
      // is listed, under the name that the system has for it.
      guard [EACCES, EPERM, EBUSY].contains(error.code) else { return nil }
      let name = path.split(separator: "/").last.map(String.init) ?? path
      self.init(
        path: path, name: firstLine(of: "/sys/class/video4linux/\(name)/name") ?? path,
        isCamera: true)
      problem = "\(CaptureError(error, path: path, name: title))"
    }
    stablePath = stablePaths.name(of: path)
  }

  private init(_ device: borrowing VideoDevice) {
    self.init(path: device.path, name: device.card, isCamera: device.isCamera)
    driver = device.driver
    bus = device.bus
    guard isCamera else { return }
    offers = device.offers()
    isCamera = !offers.isEmpty
  }

  init(path: String, name: String, isCamera: Bool) {
    self.path = path
    self.name = name.isEmpty ? path : name
    self.isCamera = isCamera
  }
}

extension CameraDescription {
  /// Returns whether a text is part of the camera's name, or of its stable name.
  func isNamed(_ text: String) -> Bool {
    let names = [name, stablePath?.split(separator: "/").last.map(String.init) ?? ""]
    return names.contains { $0.lowercased().contains(text.lowercased()) }
  }

  /// Returns the path of the camera that was typed; an empty text means the first readable camera.
  static func path(named input: String) throws(CaptureError) -> String {
    if input.hasPrefix("/dev/") { return resolved(input) ?? input }
    let cameras = listCameras()
    if input.isEmpty {
      if let camera = cameras.first(where: \.isReadable) { return camera.path }
      throw CaptureError(
        cameras.lazy.compactMap(\.problem).first
          ?? """
          there is no camera to record from; plug one in, give a file with -i FILE or the test pattern \
          with -i \(SourceKind.testPattern.words)
          """)
    }
    let named = cameras.filter { $0.isNamed(input) }
    guard let camera = named.first else {
      throw CaptureError(
        "there is no camera named \(input); kfrec devices lists the cameras")
    }
    guard named.count == 1 else {
      let list = named.map { $0.stablePath ?? $0.path }.joined(separator: ", ")
      throw CaptureError(
        "\(input) is part of the name of more than one camera; say which: \(list)",
        isUsageError: true)
    }
    return camera.path
  }
}

/// Finds the camera with a path or name, and its controls.
public func findCamera(
  named name: String
) throws(CaptureError) -> (camera: CameraDescription, controls: [CameraControl]) {
  let path = try CameraDescription.path(named: name)
  do throws(V4L2Error) {
    let device = try VideoDevice(path: path)
    if let camera = CameraDescription(path: path) { return (camera, device.controls()) }
  } catch {
    throw CaptureError(error, path: path, name: path)
  }
  throw CaptureError("\(path) is not a camera; kfrec devices lists the cameras")
}

/// The links of `/dev/v4l/by-id`, by their targets.
struct StablePaths {
  private var links: [String: String] = [:]

  init(folder: String = "/dev/v4l/by-id") {
    for name in names(in: folder) {
      let link = "\(folder)/\(name)"
      if let target = resolved(link), links[target] == nil { links[target] = link }
    }
  }

  func name(of path: String) -> String? { links[path] }
}

/// Returns the path with all links resolved; nil if it leads nowhere.
func resolved(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}

/// Returns the number in a name such as `video7`.
private func videoNumber(_ name: String) -> Int? {
  name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
}
