import Glibc

extension SourceKind {
  static let camera = SourceKind(
    words: "/dev/videoN",
    summary: """
      a camera; or a path below /dev/v4l/by-id, or part of its name; without -i the first camera that \
      has colours
      """,
    isLive: true, isSwitchable: true,
    isWritten: { isCameraPath($0) },
    isMeant: { isCameraPath($0) || isCameraName($0) },
    canBeOpenedAgain: { _ in false },
    paths: { [$0] },
    open: { request throws(CaptureError) in
      guard let control = request.cameraSwitch else { return try CameraSource(request) }
      return try SwitchedCamera(request, control: control)
    })

  /// Returns whether the input is empty, which means the first camera, or a video device's path.
  private static func isCameraPath(_ input: String) -> Bool {
    input.isEmpty || input.hasPrefix("/dev/video") || input.hasPrefix("/dev/v4l/")
  }

  /// Returns whether the input is part of a camera's name, and not the name of a file.
  private static func isCameraName(_ input: String) -> Bool {
    guard !input.contains("/"), access(input, F_OK) != 0 else { return false }
    return listCameras().contains { $0.isNamed(input) }
  }
}
