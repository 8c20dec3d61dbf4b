import Frames
import TestSupport
import Testing

@Suite(
  "Camera failures, with the kernel's test driver", .serialized,
  .enabled(if: Machine.isWanted, "no cameras: make test runs these in a machine of its own"))
struct CameraTroubleTests {
  @Test("a camera in use is refused with the name of the process, which is not disturbed")
  func busy() throws {
    let first = try Scene("busy")
    #expect(first.status == 0, "\(first)")
    try first.expectWholeMovie()
    let second = try Scene("busy2")
    #expect(second.status == 1, "\(second)")
    #expect(second.said.contains("is in use by kfrec (process "), "\(second)")
  }

  @Test("a recording stopped by a signal leaves a whole file", arguments: ["TERM", "INT", "HUP"])
  func signals(_ name: String) throws {
    let scene = try Scene("stop-\(name)")
    #expect(scene.status == 0, "\(scene)")
    try scene.expectWholeMovie()
  }

  @Test("a buffer that the driver marks as damaged is left out and counted")
  func damagedBuffer() throws {
    let scene = try Scene("inject_v4l2_buf_flag_error")
    #expect(scene.status == 0, "\(scene)")
    #expect(try scene.end.damaged == 1)
    #expect(try scene.goesOn())
    try scene.expectWholeMovie()
  }

  @Test("a buffer that the driver does not take back is offered again")
  func refusedBuffer() throws {
    let scene = try Scene("inject_vidioc_qbuf_error")
    #expect(scene.status == 0, "\(scene)")
    #expect(try scene.goesOn())
  }

  @Test("a stream that fails is started again, with a warning")
  func failedStream() throws {
    let scene = try Scene("inject_fatal_streaming_error")
    #expect(scene.status == 0, "\(scene)")
    #expect(scene.said.contains("failed and was started again, once"), "\(scene)")
    #expect(try scene.goesOn())
    try scene.expectWholeMovie()
  }

  @Test(
    "a camera that does not start leaves no file, and the next recording succeeds",
    arguments: ["inject_vidioc_reqbufs_error", "inject_vidioc_streamon_error"])
  func failedStart(_ name: String) throws {
    let scene = try Scene(name)
    #expect(scene.status == 1, "\(scene)")
    #expect(scene.said.contains("does not start: Invalid argument (VIDIOC_"), "\(scene)")
    #expect(try !scene.hasMovie())
    #expect(try Scene("after-faults").end.framesOut == 15)
  }

  @Test(
    "a camera that is unplugged, stalls or loses its signal ends the file correctly, exit code 3",
    arguments: [
      ("unplug", "was unplugged"), ("stall", "has given no frame for 2 seconds"),
      ("signal", "the signal at /dev/video0 (vivid) has changed or is gone"),
    ])
  func lost(_ name: String, _ part: String) throws {
    let scene = try Scene(name)
    #expect(scene.status == 3, "\(scene)")
    #expect(scene.said.contains(part), "\(scene)")
    #expect(scene.lines.contains { $0.type == "source-lost" && $0.message?.contains(part) == true })
    #expect(try scene.end.incomplete?.contains(part) == true)
    try scene.expectWholeMovie()
  }

  @Test("a camera that never gives a frame leaves no file")
  func silent() throws {
    let scene = try Scene("stall-at-start")
    #expect(scene.status == 1, "\(scene)")
    #expect(scene.said.contains("has given no frame for 2 seconds"), "\(scene)")
    #expect(try !scene.hasMovie())
    let noSignal = try Scene("no-signal")
    #expect(noSignal.status == 1, "\(noSignal)")
    #expect(noSignal.said.contains("there is no signal at the input"), "\(noSignal)")
  }

  @Test("a camera that comes back while kfrec waits for it continues, and the file is complete")
  func replugged() throws {
    let scene = try Scene("replug")
    #expect(scene.status == 0, "\(scene)")
    #expect(scene.said.contains("was unplugged; waiting up to 30 seconds for it"), "\(scene)")
    #expect(scene.said.contains("is back, and the recording goes on"), "\(scene)")
    #expect(scene.lines.contains { $0.type == "source-lost" })
    #expect(try scene.goesOn())
    try scene.expectWholeMovie()
  }
}
