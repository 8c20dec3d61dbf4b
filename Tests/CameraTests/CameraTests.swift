import Frames
import TestSupport
import Testing

@Suite(
  "Cameras, with the kernel's test driver", .serialized,
  .enabled(if: Machine.isWanted, "no cameras: make test runs these in a machine of its own"))
struct CameraTests {
  @Test("cameras are listed with formats, sizes, rates and controls; other device nodes are not")
  func listing() throws {
    let devices = try Machine.text("devices.json")
    let cameras = devices.split(separator: "\n").filter { $0.contains("\"kind\":\"camera\"") }
    let paths = ["/dev/video0", "/dev/video4", "/dev/video5", "/dev/video6", "/dev/video7"]
    #expect(cameras.count == paths.count, "\(devices)")
    for (camera, path) in zip(cameras, paths) {
      #expect(camera.contains("\"path\":\"\(path)\",\"name\":\"vivid\""))
      #expect(camera.contains("\"driver\":\"vivid\"") && camera.contains("\"color\":true"))
      #expect(camera.contains("{\"width\":640,\"height\":360,\"rates\":[1.0,2.0,"))
    }
    #expect(
      cameras[0].contains("\"format\":\"NV12\"") && cameras[2].contains("\"format\":\"NM12\""))
    let controls = try Machine.text("camera.json")
    #expect(
      controls.contains(
        "{\"name\":\"brightness\",\"kind\":\"number\",\"minimum\":0,\"maximum\":255,"))
    let text = try Machine.text("devices.text")
    #expect(text.hasPrefix("Camera /dev/video0") && text.contains("YUYV: 320x180 up to 60 fps"))
  }

  @Test(
    "a camera that does not exist, is none or lacks a requested mode is refused in a sentence",
    arguments: [
      ("not-a-camera", 1, "/dev/video1 (vivid) is not a camera"),
      ("not-there", 1, "there is no camera /dev/video77"),
      ("control-name", 2, "has no control hflip; it has brightness"),
      ("control-range", 2, "brightness takes 0 to 255, not 256"),
      ("by-name", 2, "more than one camera; say which: /dev/video0, /dev/video4, /dev/video5, "),
      ("no-format", 2, "has no format mjpeg; it has YUYV"),
      ("fields", 1, "gives interlaced frames (both fields in one frame)"),
      ("forbidden", 1, "it belongs to the group video; join it with sudo usermod -aG video"),
    ])
  func refusals(_ name: String, _ status: Int, _ part: String) throws {
    let scene = try Scene(name)
    #expect(scene.status == status, "\(scene)")
    #expect(scene.said.contains(part), "\(scene)")
  }

  @Test("controls are set as requested, and a value that the camera changes is reported")
  func wishes() throws {
    let values = try Machine.text("controls.values")
    #expect(values.contains("brightness: 77") && values.contains("horizontal_flip: 1"))
    #expect(try Scene("controls").status == 0)
    #expect(try Scene("first-camera").status == 0)
    let scene = try Scene("wishes")
    #expect(scene.status == 0)
    for part in [
      "/dev/video0 (vivid): asked for YU12, 300x200, 33 frames per second, got YU12 320x180 at 30",
      "does not accept 300x200: it gives 320x180",
      "does not accept 33 frames per second: it gives 30",
    ] { #expect(scene.said.contains(part), "\(scene)") }
  }

  @Test(
    "a camera gives the right colours in every format",
    arguments: [
      "NV12", "NV21", "NV16", "YU12", "YV12", "422P", "NV24", "YUYV", "UYVY", "YVYU", "RGB3",
      "BGR3", "XR24", "BX24", "BA81", "RGGB", "NM12", "YM12", "NM21", "NM16",
    ])
  func format(_ format: String) throws { try Scene("format-\(format)").expectBars() }

  @Test("a camera can be the image input of an effect")
  func behindAnEffect() throws { try Scene("behind").expectBars() }

  @Test("two cameras are in one picture, in every frame")
  func together() throws {
    let scene = try Scene("together")
    #expect(scene.status == 0, "\(scene)")
    try scene.expectWholeMovie()
    let pixels = try ChildProcess(
      "ffmpeg",
      [
        "-v", "error", "-i", try scene.path(".mov"), "-fps_mode", "passthrough", "-f", "rawvideo",
        "-pix_fmt", "gray", "-",
      ]
    ).wait().output
    let frame = 320 * 180
    #expect(pixels.count == 10 * frame)
    for start in stride(from: 0, to: pixels.count, by: frame) {
      let (middle, right) = (pixels[start + 90 * 320 + 160], pixels[start + 20 * 320 + 310])
      #expect(middle > 225 && right < 60, "frame \(start / frame): \(middle), \(right)")
    }
  }

  @Test("a camera without colour gives gray")
  func gray() throws { try Scene("format-GREY").expectBars(isGray: true) }

  @Test("JPEG frames have the right colours, and damaged ones are left out")
  func jpeg() throws {
    let still = try Scene("jpeg")
    #expect(still.said.contains("got MJPG 320x180"), "\(still)")
    try still.expectBars()
    let movie = try Scene("jpegs")
    #expect(movie.status == 0, "\(movie)")
    let damaged = try #require(movie.end.damaged)
    #expect(damaged >= 3, "\(movie)")
    #expect(movie.said.contains("gave \(damaged) damaged frames, which were left out"))
    #expect(try movie.end.framesOut == 40)
    try movie.expectWholeMovie()
  }

  @Test("the matrix and range of a camera are used", arguments: ["1-1", "1-2", "2-1", "2-2"])
  func colors(_ fields: String) throws { try Scene("color-\(fields)").expectBars() }

  @Test("a camera may have a size that is no multiple of a block, with padding in memory")
  func oddSize() throws {
    let scene = try Scene("hdmi")
    #expect(scene.said.contains("does not accept 643x361: it gives 644x362"))
    let (width, height, _) = try scene.picture()
    #expect(width == 644 && height == 362)
    try scene.expectBars()
  }
}
