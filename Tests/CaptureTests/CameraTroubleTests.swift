import Glibc
import TestSupport
import Testing

@testable import Capture
import V4L2Handles

@Suite("Cameras that do not start")
struct CameraTroubleTests {
  private func sentence(_ call: String, _ code: Int32) -> String {
    CaptureError(
      V4L2Error(call: call, code: code), path: "/dev/video9999", name: "/dev/video9999 (Eye)"
    ).description
  }

  @Test(
    "the error of a camera says what is wrong and what to do",
    arguments: [
      ("open", ENOENT, "kfrec devices"), ("open", EACCES, "group video"),
      ("VIDIOC_S_FMT", EBUSY, "in use by another program"),
      ("VIDIOC_STREAMON", ENOSPC, "USB bus"), ("VIDIOC_QUERY_DV_TIMINGS", ENOLINK, "no signal"),
      ("VIDIOC_QUERY_DV_TIMINGS", ERANGE, "cannot follow the signal"),
      ("VIDIOC_REQBUFS", ENODEV, "unplugged"), ("VIDIOC_QUERYCAP", ENOTTY, "not a camera"),
      ("VIDIOC_REQBUFS", EINVAL, "Invalid argument (VIDIOC_REQBUFS)"),
    ])
  func sentences(_ call: String, _ code: Int32, _ part: String) {
    #expect(sentence(call, code).contains(part), "\(sentence(call, code))")
    #expect(sentence(call, code).contains("/dev/video9999"))
  }

  @Test("the process that uses the device is named")
  func holders() throws {
    // Any device will do; the open pipe on standard input keeps the child alive.
    let child = try ChildProcess(
      "sh", ["-c", "exec 3</dev/full; echo ready; read line"], input: .silence)
    #expect(child.waitForOutput { $0.contains("ready") })
    let holders = DeviceHolder.all(of: "/dev/full")
    #expect(holders.contains { $0.process == child.id && $0.name == "sh" }, "\(holders)")
  }

  @Test("other devices are not listed as cameras")
  func otherDevices() {
    #expect(CameraDescription(path: "/dev/null") == nil)
    #expect(CameraDescription(path: "/dev/video9999") == nil)
  }
}

@Suite("A camera's controls")
struct CameraControlTests {
  private func control(
    _ name: String, _ kind: CameraControl.Kind = .number, _ range: ClosedRange<Int32> = 0...255
  ) -> CameraControl {
    CameraControl(
      id: 1, name: CameraControl.typed(name), kind: kind, minimum: range.lowerBound,
      maximum: range.upperBound, step: 1, usual: 0, value: nil, isReadOnly: false,
      isInactive: false)
  }

  private var all: [CameraControl] {
    [control("Brightness"), control("Exposure Time, Absolute"), control("Exposure, Auto")]
  }

  @Test("a control is found by its name, or by a part that is unique")
  func names() throws {
    #expect(
      try CameraControl.named("brightness", among: all, of: "Eye").name == "brightness")
    #expect(
      try CameraControl.named("exposure_time", among: all, of: "Eye").name
        == "exposure_time_absolute")
    let several = #expect(throws: CaptureError.self) {
      try CameraControl.named("exposure", among: all, of: "Eye")
    }
    #expect(several?.description.contains("exposure_time_absolute, exposure_auto") == true)
    let none = #expect(throws: CaptureError.self) {
      try CameraControl.named("focus", among: all, of: "Eye")
    }
    #expect(none?.isUsageError == true && none?.description.contains("brightness") == true)
  }

  @Test("a control takes a number in its range, a word of its menu, on or off")
  func values() throws {
    #expect(try control("a").number(of: "255") == 255)
    #expect(throws: CaptureError.self) { try control("a").number(of: "256") }
    #expect(throws: CaptureError.self) { try control("a").number(of: "x") }
    #expect(try control("a", .number, -5...5).number(of: "-5") == -5)
    #expect(try control("a", .flag).number(of: "on") == 1)
    #expect(try control("a", .flag).number(of: "0") == 0)
    let menu = control("a", .menu([1: "Manual Mode", 3: "Automatic"]))
    #expect(try menu.number(of: "automatic") == 3)
    #expect(try menu.number(of: "1") == 1)
    let refusal = #expect(throws: CaptureError.self) { try menu.number(of: "2") }
    #expect(refusal?.description.contains("1 (Manual Mode), 3 (Automatic)") == true)
  }
}
