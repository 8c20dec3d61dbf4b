import Frames
import Glibc
import TestSupport
import Testing

@testable import Encode

/// Tests that encoders do not change the scheduling of this process.
@Suite(.serialized) struct ThreadPriorityTests {
  @Test("SVT-AV1, which raises its priority under root, raises no thread, whether it opens or not")
  func ordinary() {
    let folder = TestFolder()
    // Parameters are checked by opening the encoder once more.
    for preset in ["10", "99"] {
      var settings = EncodeSettings()
      settings.options = [EncoderOption("svtav1-params", "keyint=9")]
      (settings.codec, settings.preset) = ("libsvtav1", preset)
      let format = FrameFormat(
        width: 128, height: 96, pixelFormat: .yuv420p, color: ColorDescription.hd)
      let sink = try? Output(folder.file("\(preset).mkv"), settings: settings).open(
        SinkRequest(format: format, frameRate: 25, timeBase: Rational(1, 25)))
      #expect((sink != nil) == (preset == "10"))
      let threads = namesInFolder("/proc/self/task").compactMap { pid_t($0) }
      #expect(threads.count > (sink == nil ? 0 : 1))
      #expect(threads.allSatisfy { sched_getscheduler($0) != SCHED_FIFO })
    }
  }

  @Test("neither a thread nor one that it starts can be raised for a while")
  func refused() throws {
    @Sendable func raise() -> Int32 {
      var parameters = sched_param(sched_priority: 1)
      return sched_setscheduler(0, SCHED_FIFO, &parameters) == 0 ? 0 : errno
    }
    try ThreadPriority.kept {
      #expect(raise() == EPERM)
      try WorkerThread(name: "raised") { #expect(raise() == EPERM) }.join()
    }
    #expect(sched_getscheduler(0) == SCHED_OTHER)
  }

  @Test("root may raise its threads afterwards as before", .enabled(if: geteuid() == 0))
  func givenBack() throws {
    // On a thread of its own, which ends with the priority.
    try WorkerThread(name: "raised") {
      func raise() -> Bool {
        var parameters = sched_param(sched_priority: 1)
        defer {
          var ordinary = sched_param()
          sched_setscheduler(0, SCHED_OTHER, &ordinary)
        }
        return sched_setscheduler(0, SCHED_FIFO, &parameters) == 0
      }
      let before = raise()
      ThreadPriority.kept {}
      #expect(raise() == before)
    }.join()
  }
}
