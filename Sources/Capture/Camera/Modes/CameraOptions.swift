import Frames
package import Settings

extension CameraRequest {
  /// What is asked of a camera.
  package static let options: [OptionRow<CameraRequest>] = [
    .value(
      "camera-size", taking: .wholeSize, in: .camera, of: [.record, .preview],
      help: "Request this size from the camera",
      details:
        "Default: the best up to 1280x720. If the camera chooses another size, kfrec reports it."
    ) { camera, size in
      if let width = size.width, let height = size.height { camera.size = (width, height) }
    },
    .value(
      "camera-fps", taking: .frameRate, into: \.frameRate, in: .camera, of: [.record, .preview],
      help: "Request this frame rate from the camera", details: "Default: the best up to 30."),
    .value(
      "camera-format", taking: .text("FORMAT", expected: "a pixel format such as YUYV or mjpeg"),
      into: \.format, in: .camera, of: [.record, .preview],
      help: "Request this pixel format from the camera",
      details: """
        A V4L2 name (YUYV, MJPG) or an FFmpeg name (yuyv422, mjpeg). Default: a format that the GPU \
        can read directly; MJPEG only if no other format has the size and the frame rate.
        """),
    .list(
      "camera-control", taking: cameraControl, into: \.controls, in: .camera,
      of: [.record, .preview],
      help: "Set a control of the camera; repeat for more",
      details:
        "NAME=VALUE; the name may be shortened if it stays unique. kfrec devices CAMERA lists the controls. "
        + "The camera keeps the value afterwards."),
    .value(
      "camera-timeout", taking: .time(positive: true), into: \.timeout, in: .camera,
      of: [.record, .preview],
      help: "Time limit for a camera or a screen that gives no frames",
      details: "Default: 5 seconds. Then the recording ends; the recording so far is kept."),
    .value(
      "wait-camera", taking: .time(positive: true), into: \.wait, in: .camera,
      of: [.record, .preview],
      help: "Wait this long for a camera that was unplugged",
      details: """
        When the same camera is back, the recording continues, with a gap of that length; \
        it counts as complete. Without this option the recording ends when the camera is unplugged.
        """),
  ]
}

/// A control's name and its value, as typed.
private let cameraControl = ValueGrammar<(name: String, value: String)>(
  name: "NAME=VALUE",
  expected:
    "a control's name and its value, such as brightness=128 (kfrec devices CAMERA lists them)"
) { word in
  guard let equal = word.firstIndex(of: "="), equal > word.startIndex else { return nil }
  let value = word[word.index(after: equal)...]
  return value.isEmpty ? nil : (String(word[..<equal]), String(value))
}
