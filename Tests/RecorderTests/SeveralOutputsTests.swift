import Encode
import Frames
import Synchronization
import Testing

@testable import Recorder

@Suite("Several outputs", .timeLimit(.minutes(15)))
struct SeveralOutputsTests {
  private func times(_ count: Int) -> [Rational] { (0..<count).map { Rational(Int64($0), 30) } }

  private final class Warnings: Sendable {
    private let sentences = Mutex<[String]>([])
    var all: [String] { sentences.withLock { $0 } }
    func note(_ event: RecordingEvent) {
      if case .notice(let notice) = event { sentences.withLock { $0.append(notice.message) } }
    }
  }

  @Test("all outputs get the same frames, not copies")
  func shared() throws {
    let outputs = ["a", "b", "c"].map { FakeOutput($0) }
    let end = try run(FakeSource(frames: 40), to: outputs.map { $0.opened() })
    for output in outputs {
      #expect(output.times == times(40) && output.isFinished && !output.isAbandoned)
      #expect(output.buffers == outputs[0].buffers)
    }
    #expect(Set(outputs[0].buffers).count == 40)
    #expect(end.incomplete == nil && end.outputs.map(\.name) == ["a", "b", "c"])
    #expect(end.outputs.allSatisfy { $0.report?.frames == 40 && $0.dropped == 0 })
    #expect(end.progress.framesOut == 40 && end.progress.outputs.map(\.frames) == [40, 40, 40])
    let statistics = try #require(end.statistics)
    #expect(
      statistics.stages.map(\.name) == ["read+decode", "encode a", "encode b", "encode c"])
    #expect(
      statistics.queues.map(\.name) == ["captured", "finished a", "finished b", "finished c"])
  }

  @Test("a virtual camera that stalls does not delay a file, which is complete before it continues")
  func stalledCompanion() throws {
    let gate = Gate()
    let file = FakeOutput("file") { if $0 == nil { gate.open() } }
    let camera = FakeOutput("camera") { _ in gate.wait() }
    let end = try run(
      FakeSource(frames: 60), to: [file.opened(), camera.opened(isBestEffort: true)])
    #expect(file.times == times(60))
    #expect(end.incomplete == nil && end.progress.dropped == 0)
    // The frame with which it stalled, and the newest one.
    #expect(camera.times.count <= 3 && camera.times.last == times(60).last)
    #expect(end.outputs[1].dropped == 60 - camera.times.count)
  }

  @Test("a virtual camera that fails is reported at once, and the file continues")
  func failingCompanion() throws {
    let warnings = Warnings()
    let reported = Gate()
    let source = FakeSource(frames: 50) { number in if number == 49 { reported.wait() } }
    let (file, camera) = (FakeOutput("file"), FakeOutput("camera", failsAt: 1))
    let end = try run(source, to: [file.opened(), camera.opened(isBestEffort: true)]) { event in
      warnings.note(event)
      if case .notice = event { reported.open() }
    }
    let sentence = "camera failed; the recording goes on without this output"
    #expect(warnings.all == [sentence])
    #expect(file.times == times(50) && file.isFinished)
    #expect(
      end.incomplete?.message == sentence
        && end.outputs.map(\.incomplete?.message) == [nil, sentence])
    #expect(end.outputs[0].report?.frames == 50)
  }

  @Test("a file that fails ends a recording whose only other output is a virtual camera")
  func failingFile() throws {
    let (file, camera) = (FakeOutput("file", failsAt: 5), FakeOutput("camera"))
    // Endless except for the failure.
    let end = try run(
      FakeSource(frames: .max), to: [file.opened(), camera.opened(isBestEffort: true)])
    #expect(file.times == times(5) && file.isFinished)
    #expect(end.incomplete?.message == "file failed; what was encoded until then is in file")
    #expect(camera.isFinished)
  }

  @Test("a file that fails before its first frame is abandoned, with or without other outputs")
  func nothingMade() throws {
    let (file, camera) = (FakeOutput("file", failsAt: 0), FakeOutput("camera"))
    #expect(throws: FakeOutput.Failure.self) {
      try run(FakeSource(frames: .max), to: [file.opened(), camera.opened(isBestEffort: true)])
    }
    #expect(file.isAbandoned && camera.isAbandoned && !camera.isFinished)
  }

  @Test("a file that fails does not end another one", arguments: [0, 5])
  func oneOfTwo(_ place: Int) throws {
    let warnings = Warnings()
    let (bad, good) = (FakeOutput("bad", failsAt: place), FakeOutput("good"))
    let end = try run(FakeSource(frames: 50), to: [bad.opened(), good.opened()]) {
      warnings.note($0)
    }
    #expect(good.times == times(50) && good.isFinished)
    #expect(bad.isAbandoned == (place == 0) && bad.isFinished == (place != 0))
    #expect(warnings.all == ["bad failed; the recording goes on without this output"])
    #expect(end.incomplete?.message == warnings.all.first)
    #expect(end.outputs.map { $0.report?.frames } == [place == 0 ? nil : 5, 50])
    // The counts are those of the output that continued.
    #expect(end.progress.framesOut == 50)
  }

  @Test("if both outputs fail the recording ends, and each keeps what it has")
  func bothFail() throws {
    let reported = Gate()
    let first = FakeOutput("a", failsAt: 3)
    let second = FakeOutput("b", failsAt: 6) { if $0 == 6 { reported.wait() } }
    let end = try run(FakeSource(frames: .max), to: [first.opened(), second.opened()]) { event in
      if case .notice = event { reported.open() }
    }
    #expect(end.outputs.map { $0.report?.frames } == [3, 6])
    #expect(end.incomplete?.message == "b failed; what was encoded until then is in b")
  }

  @Test("an output that fails and cannot be finished reports its place, alone or beside another")
  func unfinished() throws {
    let kept = "bad failed; kept as bad.part: it failed"
    let warnings = Warnings()
    let (good, bad) = (FakeOutput("good"), FakeOutput("bad", failsAt: 5, canFinish: false))
    let end = try run(FakeSource(frames: 50), to: [bad.opened(), good.opened()]) {
      warnings.note($0)
    }
    #expect(warnings.all == ["bad failed; the recording goes on without this output"])
    #expect(
      end.outputs.map(\.incomplete?.message) == [kept, nil] && end.incomplete?.message == kept)
    let alone = #expect(throws: (any Error).self) {
      try run(
        FakeSource(frames: 50), to: [FakeOutput("bad", failsAt: 5, canFinish: false).opened()])
    }
    #expect(alone.map { "\($0)" } == kept)
    let both = #expect(throws: (any Error).self) {
      try run(
        FakeSource(frames: 50),
        to: ["a", "b"].map { FakeOutput($0, canFinish: false).opened() })
    }
    #expect(
      both.map { "\($0)" }
        == "a failed; kept as a.part: it failed; b failed; kept as b.part: it failed")
  }

  @Test("with a live source a stalled output loses its oldest frames, and the other loses none")
  func live() throws {
    let count = 80
    let (allTaken, written) = (Gate(), BoundedQueue<Int>(capacity: 1))
    // Each frame comes after the one before is written, so no frame is dropped before the outputs.
    let source = FakeSource(frames: count, isLive: true) { number in
      if number > 0 { _ = written.receive() }
    }
    let good = FakeOutput("good") { number in
      guard let number else { return }
      // Before the last frame is read: behind the end of the source the queues wait, and drop nothing.
      if number == count - 2 { allTaken.open() }
      written.send(number)
    }
    let slow = FakeOutput("slow") { _ in allTaken.wait() }
    // The last output gets each frame first: the slow one has it before the good one opens the gate.
    let end = try run(source, to: [good.opened(), slow.opened()])
    #expect(good.times == times(count))
    // Half a second of frames is queued, one is in work, and the last may arrive after it continues.
    #expect(slow.times.count <= 17 && slow.times.last == times(count).last)
    #expect(end.outputs.map(\.dropped) == [0, count - slow.times.count])
    #expect(end.incomplete == nil)
  }

  @Test("all outputs have the same frames at a constant rate")
  func constantRate() throws {
    let outputs = [FakeOutput("a"), FakeOutput("b")]
    let end = try run(
      FakeSource(frames: 10), to: outputs.map { $0.opened() }, constantRate: Rational(60))
    #expect(outputs[0].times.count == 20 && outputs[0].times == outputs[1].times)
    #expect(end.progress.duplicated == 10 && end.progress.framesOut == 20)
  }
}
