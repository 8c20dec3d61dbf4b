import Encode
import Frames
import Synchronization
import Testing

@testable import Recorder

@Suite("Several outputs", .timeLimit(.minutes(2)))
struct SeveralOutputsTests {
  private func times(_ count: Int) -> [Rational] { (0..<count).map { Rational(Int64($0), 30) } }

  private final class Warnings: Sendable {
    private let sentences = Mutex<[String]>([])
    var all: [String] { sentences.withLock { $0 } }
    func note(_ event: RecordingEvent) {
      if case .notice(let notice) = event { sentences.withLock { $0.append(notice.message) } }
    }
  }

  @Test("get the same frames, not copies of them")
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

  @Test("a camera that takes nothing holds up no file, which is whole before it goes on")
  func stalledCompanion() throws {
    let gate = Gate()
    let file = FakeOutput("file") { if $0 == nil { gate.open() } }
    let camera = FakeOutput("camera") { _ in gate.wait() }
    let end = try run(
      FakeSource(frames: 60), to: [file.opened(), camera.opened(isBestEffort: true)])
    #expect(file.times == times(60))
    #expect(end.incomplete == nil && end.progress.dropped == 0)
    // The one that it waited with, and the newest.
    #expect(camera.times.count <= 3 && camera.times.last == times(60).last)
    #expect(end.outputs[1].dropped == 60 - camera.times.count)
  }

  @Test("a camera that fails is told of at once, and the file goes on")
  func failingCompanion() throws {
    let warnings = Warnings()
    let told = Gate()
    let source = FakeSource(frames: 50) { number in if number == 49 { told.wait() } }
    let (file, camera) = (FakeOutput("file"), FakeOutput("camera", failsAt: 1))
    let end = try run(source, to: [file.opened(), camera.opened(isBestEffort: true)]) { event in
      warnings.note(event)
      if case .notice = event { told.open() }
    }
    let sentence = "camera failed; the recording goes on without it"
    #expect(warnings.all == [sentence])
    #expect(file.times == times(50) && file.isFinished)
    #expect(
      end.incomplete?.message == sentence
        && end.outputs.map(\.incomplete?.message) == [nil, sentence])
    #expect(end.outputs[0].report?.frames == 50)
  }

  @Test("a file that fails ends a recording that only a camera watches besides")
  func failingFile() throws {
    let (file, camera) = (FakeOutput("file", failsAt: 5), FakeOutput("camera"))
    // Endless but for the failure.
    let end = try run(
      FakeSource(frames: .max), to: [file.opened(), camera.opened(isBestEffort: true)])
    #expect(file.times == times(5) && file.isFinished)
    #expect(end.incomplete?.message == "file failed; what was encoded until then is in file")
    #expect(camera.isFinished)
  }

  @Test("a file that fails before its first frame leaves nothing, watched or not")
  func nothingMade() throws {
    let (file, camera) = (FakeOutput("file", failsAt: 0), FakeOutput("camera"))
    #expect(throws: FakeOutput.Failure.self) {
      try run(FakeSource(frames: .max), to: [file.opened(), camera.opened(isBestEffort: true)])
    }
    #expect(file.isAbandoned && camera.isAbandoned && !camera.isFinished)
  }

  @Test("a file that fails does not take another one with it", arguments: [0, 5])
  func oneOfTwo(_ place: Int) throws {
    let warnings = Warnings()
    let (bad, good) = (FakeOutput("bad", failsAt: place), FakeOutput("good"))
    let end = try run(FakeSource(frames: 50), to: [bad.opened(), good.opened()]) {
      warnings.note($0)
    }
    #expect(good.times == times(50) && good.isFinished)
    #expect(bad.isAbandoned == (place == 0) && bad.isFinished == (place != 0))
    #expect(warnings.all == ["bad failed; the recording goes on without it"])
    #expect(end.incomplete?.message == warnings.all.first)
    #expect(end.outputs.map { $0.report?.frames } == [place == 0 ? nil : 5, 50])
    // The numbers are those of the one that went on.
    #expect(end.progress.framesOut == 50)
  }

  @Test("both failing end the recording, and each keeps what it has")
  func bothFail() throws {
    let told = Gate()
    let first = FakeOutput("a", failsAt: 3)
    let second = FakeOutput("b", failsAt: 6) { if $0 == 6 { told.wait() } }
    let end = try run(FakeSource(frames: .max), to: [first.opened(), second.opened()]) { event in
      if case .notice = event { told.open() }
    }
    #expect(end.outputs.map { $0.report?.frames } == [3, 6])
    #expect(end.incomplete?.message == "b failed; what was encoded until then is in b")
  }

  @Test("what fails and cannot be completed says where it is, beside one that goes on and alone")
  func unfinished() throws {
    let kept = "bad failed; kept as bad.part: it failed"
    let warnings = Warnings()
    let (good, bad) = (FakeOutput("good"), FakeOutput("bad", failsAt: 5, canFinish: false))
    let end = try run(FakeSource(frames: 50), to: [bad.opened(), good.opened()]) {
      warnings.note($0)
    }
    #expect(warnings.all == ["bad failed; the recording goes on without it"])
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

  @Test("behind a live source one that stands still costs the other nothing, and itself the oldest")
  func live() throws {
    let count = 80
    let (allTaken, written) = (Gate(), BoundedQueue<Int>(capacity: 1))
    // Each frame comes when the one before is written, so that nothing is dropped on the way.
    let source = FakeSource(frames: count, isLive: true) { number in
      if number > 0 { _ = written.receive() }
    }
    let good = FakeOutput("good") { number in
      guard let number else { return }
      if number == count - 1 { allTaken.open() }
      written.send(number)
    }
    let slow = FakeOutput("slow") { _ in allTaken.wait() }
    let end = try run(source, to: [slow.opened(), good.opened()])
    #expect(good.times == times(count))
    // Half a second of frames waits, it was busy with one, and the last may come when it has gone on.
    #expect(slow.times.count <= 17 && slow.times.last == times(count).last)
    #expect(end.outputs.map(\.dropped) == [count - slow.times.count, 0])
    #expect(end.incomplete == nil)
  }

  @Test("have the same frames at a constant rate")
  func constantRate() throws {
    let outputs = [FakeOutput("a"), FakeOutput("b")]
    let end = try run(
      FakeSource(frames: 10), to: outputs.map { $0.opened() }, constantRate: Rational(60))
    #expect(outputs[0].times.count == 20 && outputs[0].times == outputs[1].times)
    #expect(end.progress.duplicated == 10 && end.progress.framesOut == 20)
  }
}
