/// What may be asked of a camera.
let cameraOptions: [Option] = [
  .value(
    "camera-size", taking: .wholeSize, into: \.cameraSize, in: .camera,
    help: "The size to ask of the camera",
    details: "The best up to 1280x720 unless given. What it grants instead is said."),
  .value(
    "camera-fps", taking: .frameRate, into: \.cameraRate, in: .camera,
    help: "The frame rate to ask of the camera", details: "The best up to 30 unless given."),
  .value(
    "camera-format", taking: .text("FORMAT", expected: "a pixel format such as YUYV or mjpeg"),
    into: \.cameraFormat, in: .camera, help: "The pixel format to ask of the camera",
    details: """
      By V4L2's name (YUYV, MJPG) or FFmpeg's (yuyv422, mjpeg). Unless given it is one that the GPU \
      takes as it is, and MJPEG only where nothing else reaches the size or rate.
      """),
  .list(
    "camera-control", taking: .cameraControl, into: \.cameraControls, in: .camera,
    help: "Set a control of the camera; repeat it for more",
    details: "By its name or a part of it that no other has; kfrec devices CAMERA lists them. "
      + "It stays as it is set."),
  .value(
    "audio", taking: .text("MICROPHONE", expected: "default or a microphone's name"), into: \.audio,
    in: .camera, help: "Record sound with the camera",
    details: """
      default is the system's choice; kfrec devices lists the others, which go by ALSA's name \
      (hw:CARD=PCH,DEV=0) or part of the card's. Sound and picture stay together however far off the \
      microphone's clock is, which is measured and told at the end. Without this option no sound is recorded.
      """),
  .value(
    "camera-timeout", taking: .time(positive: true), into: \.cameraTimeout, in: .camera,
    help: "How long the camera may give no frame",
    details: "5 seconds unless given; then the recording ends, and what there is is kept."),
  .value(
    "wait-camera", taking: .time(positive: true), into: \.cameraWait, in: .camera,
    help: "Wait this long for a camera that was unplugged",
    details: """
      When the same camera is there again the recording goes on, with a gap as long as it was away; \
      it counts as complete. Without this option an unplugged camera ends the recording.
      """),
]
