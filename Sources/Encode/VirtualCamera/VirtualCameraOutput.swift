import Frames

extension OutputKind {
  static let virtualCamera = OutputKind(
    words: "/dev/videoN", summary: "a virtual camera (v4l2loopback) that other programs can open"
  ) { word throws(EncodeError) in
    guard word.text.hasPrefix("/dev/video") || word.text.hasPrefix("/dev/v4l/") else { return nil }
    return VirtualCameraOutput(path: word.text)
  }
}

struct VirtualCameraOutput: OutputTarget {
  let path: String
  private var pixelFormat = PixelFormat.yuv420p

  init(path: String) { self.path = path }

  var place: OutputPlace { .single(.stream(path)) }
  var preference: PixelPreference { .format(pixelFormat) }
  var isPaced: Bool { true }
  var holdsAlpha: Bool { false }
  var holdsFieldOrder: Bool { false }

  /// Asks the device which formats it takes.
  mutating func settle(_ settings: EncodeSettings) throws(EncodeError) {
    pixelFormat = try VirtualCamera.pixelFormat(of: path, wanted: settings.pixelFormat)
  }

  func frameFormat(_ picture: FrameDescription) -> FrameFormat { picture.video(pixelFormat) }

  func open(_ request: SinkRequest, name: String) throws -> sending any MediaSink {
    try VirtualCameraSink(name: name, path: path, request: request)
  }
}
