/// The options of cameras, screens and microphones.
let cameraOptions: [Option] = [
  .value(
    "camera-size", taking: .wholeSize, into: \.cameraSize, in: .camera,
    help: "Request this size from the camera",
    details:
      "Default: the best up to 1280x720. If the camera chooses another size, kfrec reports it."),
  .value(
    "camera-fps", taking: .frameRate, into: \.cameraRate, in: .camera,
    help: "Request this frame rate from the camera", details: "Default: the best up to 30."),
  .value(
    "camera-format", taking: .text("FORMAT", expected: "a pixel format such as YUYV or mjpeg"),
    into: \.cameraFormat, in: .camera, help: "Request this pixel format from the camera",
    details: """
      A V4L2 name (YUYV, MJPG) or an FFmpeg name (yuyv422, mjpeg). Default: a format that the GPU \
      can read directly; MJPEG only if no other format has the size and the frame rate.
      """),
  .list(
    "camera-control", taking: .cameraControl, into: \.cameraControls, in: .camera,
    help: "Set a control of the camera; repeat for more",
    details:
      "NAME=VALUE; the name may be shortened if it stays unique. kfrec devices CAMERA lists the controls. "
      + "The camera keeps the value afterwards."),
  .value(
    "cursor", taking: .oneOf("HOW", ["on": true, "off": false]), into: \.cursor, in: .camera,
    help: "Whether the pointer is recorded with a screen or a window", details: "Default: on."),
  .value(
    "audio", taking: .text("MICROPHONE", expected: "default or a microphone's name"), into: \.audio,
    in: .camera, help: "Record audio with the camera or the screen",
    details: """
      default is the microphone that the system has chosen, and monitor is what the speakers play. kfrec devices lists the others; give the ALSA name \
      (hw:CARD=PCH,DEV=0) or part of the name of the card. Audio and video stay in sync even if the clock of \
      the microphone is wrong; kfrec measures its error and prints it at the end. Without this option no audio is \
      recorded.
      """),
  .value(
    "camera-timeout", taking: .time(positive: true), into: \.cameraTimeout, in: .camera,
    help: "Time limit for a camera or a screen that gives no frames",
    details: "Default: 5 seconds. Then the recording ends; the recording so far is kept."),
  .value(
    "wait-camera", taking: .time(positive: true), into: \.cameraWait, in: .camera,
    help: "Wait this long for a camera that was unplugged",
    details: """
      When the same camera is back, the recording continues, with a gap of that length; \
      it counts as complete. Without this option the recording ends when the camera is unplugged.
      """),
]
