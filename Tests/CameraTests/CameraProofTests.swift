import Frames
import TestSupport
import Testing

@Suite(
  "Cameras in rare cases, with the kernel's test driver", .serialized,
  .enabled(if: Machine.isWanted, "no cameras: make test runs these in a machine of its own"))
struct CameraProofTests {
  @Test("a camera with separate planes keeps the driver's timestamps, and lost frames are counted")
  func tracedPlanes() throws {
    let scene = try Scene("trace-planes")
    #expect(scene.status == 0, "\(scene)")
    #expect(scene.said.contains("got YM12"), "\(scene)")
    let stamps = try scene.expectTimesOfDriver()
    let first = try #require(stamps.first)
    let last = try #require(stamps.last)
    let slots = Int(((last - first) * Rational(30) + Rational(1, 2)).floor) + 1
    let lost = try #require(scene.end.lostByDriver)
    #expect(abs(slots - stamps.count - lost) <= 5, "\(slots) frame times, \(stamps.count) came")
    // The driver loses 3 of 10 frames; a busy machine loses more.
    #expect(lost * 8 > slots, "\(lost) of \(slots)")
  }

  @Test("frames of a JPEG camera keep the driver's timestamps")
  func tracedPictures() throws {
    let scene = try Scene("trace-jpegs")
    #expect(scene.status == 0, "\(scene)")
    #expect(!scene.said.contains("no usable timestamps"), "\(scene)")
    try scene.expectTimesOfDriver()
  }

  @Test("JPEG frames of 1920x1080 have the right colours")
  func largePicture() throws {
    let scene = try Scene("large-jpeg")
    #expect(scene.said.contains("got MJPG 1920x1080"), "\(scene)")
    let (width, height, _) = try scene.picture()
    #expect(width == 1920 && height == 1080)
    try scene.expectBars()
  }

  @Test(
    "a camera may have a size that is no multiple of a block, in every kind of layout",
    arguments: [("422P", 642, 358), ("RGB3", 638, 354), ("YM12", 654, 358)])
  func oddSizes(_ format: String, _ width: Int, _ height: Int) throws {
    let scene = try Scene("odd-\(format)")
    #expect(scene.said.contains("got \(format) \(width)x\(height)"), "\(scene)")
    let picture = try scene.picture()
    #expect(picture.width == width && picture.height == height)
    try scene.expectBars()
  }

  @Test("a camera that is faster than the pipeline loses the oldest frames, which are counted")
  func overload() throws {
    let scene = try Scene("overload")
    #expect(scene.status == 0, "\(scene)")
    let end = try scene.end
    let dropped = try #require(end.dropped)
    #expect(dropped > 0)
    #expect(try #require(end.framesIn) == dropped + (try #require(end.framesOut)))
    #expect(scene.said.contains("camera's start (STREAMON) to the first frame at the encoder"))
    try scene.expectWholeMovie()
  }

  @Test("frames are used in the driver's buffers, and no waiting frame is overwritten")
  func inPlace() throws {
    let easy = try Scene("wrapped")
    let inPlace = try #require(easy.lines.last?.stats?.inPlace)
    // 177 of 179 frames; on a busy machine more wait than the driver can spare, and those are copied.
    #expect(inPlace.pictures > 10 && inPlace.pictures <= inPlace.of, "\(easy)")
    let scene = try Scene("overload")
    #expect(try #require(scene.lines.last?.stats?.inPlace).pictures > 5, "\(scene)")
    let (width, height) = (640, 360)
    let bytes = try ChildProcess(
      "ffmpeg",
      ["-v", "error", "-i", try scene.path(".mov"), "-f", "rawvideo", "-pix_fmt", "gray", "-"]
    ).wait().output
    let rows = stride(from: 0, to: bytes.count, by: width).map { bytes[$0..<$0 + width] }
    // The bars are vertical, so all rows of a frame are equal, also when the bars move.
    let torn = rows.indices.filter { rows[$0] != rows[$0 / height * height] }
    #expect(torn.isEmpty)
    let different = Set(stride(from: 0, to: rows.count, by: height).map { rows[$0] })
    #expect(different.count > 5)
  }
}

@Suite(
  "Camera failures in rare cases, with the kernel's test driver", .serialized,
  .enabled(if: Machine.isWanted, "no cameras: make test runs these in a machine of its own"))
struct CameraTroubleProofTests {
  @Test("a failure of a camera with separate planes has the same effect as on other cameras")
  func planes() throws {
    let damaged = try Scene("planes-error")
    #expect(damaged.status == 0, "\(damaged)")
    #expect(try damaged.end.damaged == 1)
    #expect(try damaged.goesOn())
    let failed = try Scene("planes-fatal")
    #expect(failed.status == 0, "\(failed)")
    #expect(failed.said.contains("failed and was started again, once"), "\(failed)")
    #expect(try failed.goesOn())
    try failed.expectWholeMovie()
    let unplugged = try Scene("planes-unplug")
    #expect(unplugged.status == 3, "\(unplugged)")
    #expect(unplugged.said.contains("was unplugged"), "\(unplugged)")
    try unplugged.expectWholeMovie()
  }

  @Test("a USB bus without bandwidth for the camera is explained, and no file is left")
  func fullBus() throws {
    let scene = try Scene("full-bus")
    #expect(try Machine.text("full-bus.trace").contains("ENOSPC"))
    #expect(scene.status == 1, "\(scene)")
    #expect(scene.said.contains("does not fit on its USB bus"), "\(scene)")
    #expect(try !scene.hasMovie())
  }

  @Test("a system call that a signal interrupts is repeated")
  func interrupted() throws {
    let scene = try Scene("interrupted")
    let trace = try Machine.text("interrupted.trace")
    #expect(trace.split(separator: "\n").filter { $0.contains("EINTR") }.count > 5)
    #expect(scene.status == 0, "\(scene)")
    #expect(try scene.end.framesOut == 30)
    try scene.expectWholeMovie()
  }

  @Test("a camera that is away for a long time comes back with a gap of the true length")
  func away() throws {
    let scene = try Scene("away")
    #expect(scene.status == 0, "\(scene)")
    #expect(scene.said.contains("was unplugged; waiting up to 60 seconds for it"), "\(scene)")
    #expect(scene.said.contains("is back, and the recording goes on"), "\(scene)")
    #expect(try scene.goesOn())
    #expect(try scene.longestGap() > Rational(7))
    try scene.expectWholeMovie()
  }

  @Test("a camera whose device node disappears is found again under its new node")
  func removed() throws {
    let scene = try Scene("removed")
    #expect(try !Machine.text("removed.nodes").contains("/dev/video4"))
    #expect(scene.status == 0, "\(scene)")
    #expect(scene.said.contains("is back, and the recording goes on"), "\(scene)")
    #expect(try scene.goesOn())
    #expect(try scene.longestGap() > Rational(3, 2))
    try scene.expectWholeMovie()
    let none = try Scene("no-camera")
    #expect(none.status == 1, "\(none)")
    #expect(none.said.contains("there is no camera to record from"), "\(none)")
    #expect(try !none.hasMovie())
  }

  @Test("a camera that does not come back in time ends the video file correctly, with exit code 3")
  func neverBack() throws {
    let scene = try Scene("never-back")
    #expect(scene.status == 3, "\(scene)")
    #expect(scene.said.contains("has not come back within 2 seconds"), "\(scene)")
    try scene.expectWholeMovie()
  }
}
