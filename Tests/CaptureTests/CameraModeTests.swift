import Frames
import Testing

@testable import Capture
import V4L2Handles

@Suite("The choice of a camera's mode")
struct CameraModeTests {
  private func offer(_ code: StaticString, _ sizes: (Int, Int, [Int64])...) -> CameraOffer {
    CameraOffer(
      code: FourCC(code), name: "",
      sizes: sizes.map { width, height, rates in
        CameraSizes(
          width: width, height: height,
          rates: rates.isEmpty ? .unknown : .some(rates.map { Rational($0) }))
      })
  }

  private func choose(
    _ offers: [CameraOffer], size: (Int, Int)? = nil, rate: Rational? = nil,
    among codes: [FourCC]? = nil
  ) -> String? {
    var request = CameraRequest()
    request.size = size
    request.frameRate = rate
    return CameraModeChoice(offers: offers)
      .mode(for: request, among: codes) { _, _, _ in .some([Rational(30)]) }
      .map { CameraText.mode($0) }
  }

  /// A typical webcam: its uncompressed modes are small or slow.
  private var webcam: [CameraOffer] {
    [
      offer(
        "MJPG", (1920, 1080, [30, 15]), (1280, 720, [60, 30, 10]), (640, 480, [30, 15])),
      offer("YUYV", (1920, 1080, [5]), (1280, 720, [10]), (640, 480, [30, 15])),
    ]
  }

  @Test(
    "the default is the best mode up to 1280x720 at 30, compressed only if no other reaches it")
  func best() {
    #expect(choose(webcam) == "MJPG 1280x720 at 30 frames per second")
    #expect(
      choose([offer("YUYV", (1280, 720, [10]), (640, 480, [30]))])
        == "YUYV 640x480 at 30 frames per second")
    #expect(
      choose([offer("YUYV", (1280, 720, [25]), (640, 480, [30]))])
        == "YUYV 1280x720 at 25 frames per second")
    #expect(
      choose([offer("YUYV", (3840, 2160, [30]), (1920, 1080, [30]))])
        == "YUYV 1920x1080 at 30 frames per second")
    #expect(
      choose([offer("YUYV", (640, 480, [120, 60]))]) == "YUYV 640x480 at 60 frames per second")
  }

  @Test("among equal modes the cheapest to read is chosen, and gray only without a colour mode")
  func preference() {
    let size = (640, 480, [Int64(30)])
    #expect(
      choose([offer("MJPG", size), offer("RGB3", size), offer("YUYV", size), offer("NV12", size)])
        == "NV12 640x480 at 30 frames per second")
    #expect(
      choose([offer("GREY", (1280, 720, [30])), offer("BA81", (320, 240, [5]))])
        == "BA81 320x240 at 5 frames per second")
    #expect(choose([offer("GREY", size)]) == "GREY 640x480 at 30 frames per second")
    #expect(choose([offer("HSV3", size)]) == nil)
  }

  @Test("the requested size comes before the requested rate, and both before everything else")
  func preferences() {
    #expect(choose(webcam, size: (640, 480)) == "YUYV 640x480 at 30 frames per second")
    #expect(
      choose(webcam, size: (1280, 720), rate: Rational(10))
        == "YUYV 1280x720 at 10 frames per second")
    #expect(choose(webcam, rate: Rational(60)) == "MJPG 1280x720 at 60 frames per second")
    #expect(choose(webcam, size: (1900, 1000)) == "MJPG 1920x1080 at 30 frames per second")
    #expect(
      choose(webcam, size: (1920, 1080), rate: Rational(30), among: [FourCC("YUYV")])
        == "YUYV 1920x1080 at 5 frames per second")
  }

  @Test("30000/1001 and 30.00003 count as 30")
  func nearlyThirty() {
    for rate in [Rational(30000, 1001), Rational(10_000_000, 333_333)] {
      var offer = offer("YUYV", (640, 480, []))
      offer.sizes[0].rates = .some([rate, Rational(60), Rational(15)])
      #expect(choose([offer]) == "YUYV 640x480 at \(CameraText.rate(rate)) frames per second")
    }
  }

  @Test("the nearest size in a range is found, in steps of the range")
  func range() {
    var range = offer("NV12")
    range.sizes = [
      CameraSizes(width: 32...4096, height: 16...2160, step: (16, 2), rates: .unknown)
    ]
    #expect(choose([range]) == "NV12 1280x720 at 30 frames per second")
    #expect(choose([range], size: (643, 361)) == "NV12 640x362 at 30 frames per second")
    #expect(choose([range], size: (9999, 1)) == "NV12 4096x16 at 30 frames per second")
  }

  @Test("a format is found by its V4L2 name and by its FFmpeg name")
  func names() {
    #expect(CameraFormat.codes(named: "mjpg") == [FourCC("MJPG")])
    #expect(CameraFormat.codes(named: "mjpeg") == [FourCC("MJPG"), FourCC("JPEG")])
    #expect(CameraFormat.codes(named: "YUYV422") == [FourCC("YUYV")])
    #expect(CameraFormat.codes(named: "yuv420p").first == FourCC("YU12"))
    #expect(CameraFormat.codes(named: "nonsense").isEmpty)
    #expect(Set(CameraFormat.all.map(\.code)).count == CameraFormat.all.count)
    #expect(FourCC(rawValue: 0xa036_3159).description == "Y16-BE")
  }
}
