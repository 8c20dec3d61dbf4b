import Frames
import Glibc
import V4L2Handles

/// A camera that is plugged in.
package struct CameraDescription: Sendable {
  /// `/dev/video0`.
  package let path: String
  /// The camera's own name; its path where it may not be asked.
  package var name: String
  /// A name that stays the same wherever and whenever it is plugged in (`/dev/v4l/by-id/...`), where
  /// the system has one.
  package var stablePath: String?
  package var driver: String?
  /// The place on the bus.
  package var bus: String?
  package var offers: [CameraOffer] = []
  /// Why it cannot be asked or used, as a sentence.
  package var problem: String?
  /// As against a node for radio, metadata or output, or one without formats.
  private var isCamera: Bool

  /// It has colours, in a format that kfrec reads.
  package var isColor: Bool { offers.contains { $0.isColor } }
  package var isReadable: Bool { offers.contains { $0.isReadable } }

  /// Those with colours come first, then those with gray alone (infrared), then what cannot be read.
  var rank: Int { isColor ? 0 : isReadable ? 1 : 2 }

  /// "/dev/video0 (Integrated Camera)".
  package var title: String { name == path ? path : "\(path) (\(name))" }
}

/// The cameras that are plugged in, the best default first: those with colours, by number.
package func listCameras() -> [CameraDescription] {
  let numbers = names(in: "/sys/class/video4linux").compactMap(videoNumber)
  // Without sysfs, the devices themselves.
  let found = numbers.isEmpty ? names(in: "/dev").compactMap(videoNumber) : numbers
  let stablePaths = StablePaths()
  let cameras = found.sorted().compactMap { number in
    CameraDescription(path: "/dev/video\(number)", stablePaths: stablePaths)
  }
  return CameraDescription.bestFirst(cameras)
}

extension CameraDescription {
  /// Puts cameras that are in the order of their numbers into that in which they are listed and chosen.
  static func bestFirst(_ cameras: [CameraDescription]) -> [CameraDescription] {
    cameras.enumerated()
      .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element)
  }

  /// Asks the device at a path; nil if it is none that delivers pictures.
  init?(path: String, stablePaths: StablePaths = StablePaths()) {
    do throws(V4L2Error) {
      self.init(try VideoDevice(path: path))
      guard isCamera else { return nil }
    } catch {
      // What is not there, or no video device at all, is no camera; one that may not be opened is
      // told of, by the name that the system has for it.
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
  /// A text is part of its name, or of the one that stays the same.
  func isNamed(_ text: String) -> Bool {
    let names = [name, stablePath?.split(separator: "/").last.map(String.init) ?? ""]
    return names.contains { $0.lowercased().contains(text.lowercased()) }
  }

  /// The path of the camera that is meant by what was typed; by nothing, the first one.
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
        "there is no camera named \(input); kfrec devices lists those that there are")
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

/// The camera of a path or name, with its controls.
///
/// - Throws: A sentence for the user.
package func findCamera(
  named name: String
) throws(CaptureError) -> (camera: CameraDescription, controls: [CameraControl]) {
  let path = try CameraDescription.path(named: name)
  do throws(V4L2Error) {
    let device = try VideoDevice(path: path)
    if let camera = CameraDescription(path: path) { return (camera, device.controls()) }
  } catch {
    throw CaptureError(error, path: path, name: path)
  }
  throw CaptureError("\(path) is no camera; kfrec devices lists the cameras")
}

/// The links of `/dev/v4l/by-id`, by what they lead to.
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

/// The path without links; nil if it leads nowhere.
func resolved(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}

/// The number of `video7`.
private func videoNumber(_ name: String) -> Int? {
  name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
}
