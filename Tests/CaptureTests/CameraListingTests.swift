import Glibc
import TestSupport
import Testing

@testable import Capture
import V4L2Handles

@Suite("The list of cameras")
struct CameraListingTests {
  private func camera(_ number: Int, _ codes: FourCC...) -> CameraDescription {
    var camera = CameraDescription(path: "/dev/video\(number)", name: "", isCamera: true)
    camera.offers = codes.map { CameraOffer(code: $0, name: "", sizes: []) }
    return camera
  }

  @Test(
    "colour cameras come first, by number, then infrared cameras, then unreadable ones"
  )
  func order() {
    let cameras = [
      camera(0, FourCC("ABCD")), camera(1, FourCC("GREY"), FourCC("Y16 ")),
      camera(2, FourCC("GREY"), FourCC("YUYV")),
      camera(4, FourCC("MJPG")), camera(6, FourCC("GREY")),
    ]
    #expect(
      CameraDescription.bestFirst(cameras).map(\.path)
        == ["/dev/video2", "/dev/video4", "/dev/video1", "/dev/video6", "/dev/video0"])
  }

  @Test("the list has stable names, by which a camera can be chosen")
  func stablePaths() throws {
    let folder = try TemporaryFolder()
    let devices = try TemporaryFolder()
    let device = try devices.write([], to: "video7")
    try #require(symlink(device, folder.file("usb-Maker_Camera-index0")) == 0)
    try #require(symlink("video8", folder.file("usb-Gone-index0")) == 0)
    let paths = StablePaths(folder: folder.path)
    let real = try #require(resolved(device))
    #expect(paths.name(of: real) == folder.file("usb-Maker_Camera-index0"))
    #expect(paths.name(of: folder.file("video8")) == nil)
    var camera = camera(7)
    camera.stablePath = folder.file("usb-Maker_Camera-index0")
    #expect(camera.isNamed("maker_cam") && !camera.isNamed("gone"))
  }
}
