import Frames
import Glibc
import Synchronization
import Testing

@testable import Encode

/// Tests that encoders do not change the scheduling of this process.
@Suite struct ThreadPriorityTests {
  @Test("SVT-AV1, which raises its priority under root, is set back, whether it opens or not")
  func ordinary() {
    let folder = TestFolder()
    for preset in ["10", "99"] {
      var settings = EncodeSettings()
      (settings.codec, settings.preset) = ("libsvtav1", preset)
      let format = FrameFormat(
        width: 128, height: 96, pixelFormat: .yuv420p, color: ColorDescription.hd)
      let sink = try? Output(folder.file("\(preset).mkv"), settings: settings).open(
        SinkRequest(format: format, frameRate: 25, timeBase: Rational(1, 25)))
      #expect((sink != nil) == (preset == "10"))
      #expect(ThreadPriority.threads.count > (sink == nil ? 0 : 1))
      #expect(isSetBack())
      #expect(sched_getscheduler(0) == SCHED_OTHER)
    }
  }

  /// Whether all threads of this process have their ordinary priority, those of encoders too.
  ///
  /// Other tests of this process open SVT-AV1 meanwhile: what one of their threads has for a moment does not count.
  private func isSetBack() -> Bool {
    var raised = Set(ThreadPriority.threads)
    for _ in 0..<1000 {
      raised = raised.filter { sched_getscheduler($0) == SCHED_FIFO }
      if raised.isEmpty { return true }
      usleep(10_000)
    }
    return false
  }

  @Test(
    "a priority that is raised for a while is set back, also for threads started meanwhile",
    .enabled(if: geteuid() == 0))
  func raised() throws {
    let done = BoundedQueue<Int>(capacity: 1)
    var thread: WorkerThread?
    try ThreadPriority.kept {
      var parameters = sched_param(sched_priority: 1)
      #expect(sched_setscheduler(0, SCHED_FIFO, &parameters) == 0)
      thread = try WorkerThread(name: "raised") { _ = done.receive() }
    }
    #expect(isSetBack())
    #expect(sched_getscheduler(0) == SCHED_OTHER)
    done.send(1)
    thread.take()?.join()
  }

  @Test("threads that start threads meanwhile are all set back", .enabled(if: geteuid() == 0))
  func chain() throws {
    let done = Atomic<Bool>(false)
    // Each starts the next one, which inherits the priority, and lives as long as that.
    @Sendable func start(_ count: Int) throws -> WorkerThread {
      try WorkerThread(name: "chain") {
        if count > 0, let next = try? start(count - 1) { next.join() }
        while !done.load(ordering: .relaxed) { usleep(1000) }
      }
    }
    var first: WorkerThread?
    try ThreadPriority.kept {
      var parameters = sched_param(sched_priority: 1)
      #expect(sched_setscheduler(0, SCHED_FIFO, &parameters) == 0)
      first = try start(300)
    }
    #expect(isSetBack())
    done.store(true, ordering: .relaxed)
    first.take()?.join()
  }
}
