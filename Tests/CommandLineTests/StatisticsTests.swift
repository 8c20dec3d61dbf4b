@testable import Encode
import Frames
@testable import GPU
import Testing

@testable import Recorder
@testable import Render
@testable import kfrec

@Suite("The statistics of a recording")
struct StatisticsTests {
  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  private func statistics(
    gpu: Double?, awaited: Double? = nil, encode: Double, paused: Double = 0, wall: Double = 4
  ) -> RecordingStatistics {
    RecordingStatistics(
      wall: wall,
      stages: [
        .init(name: "read+decode", frames: 20, busy: 0.5, input: paused, room: 3),
        .init(name: "GPU", frames: 20, busy: gpu, awaited: awaited),
        .init(name: "encode", frames: 10, busy: encode, input: 1),
      ], paused: paused, queues: [.init(name: "captured", room: 3, mean: 1.25, largest: 3)],
      threads: [ThreadGroup(name: "a\u{1b}", count: 2, seconds: 1.5)], processor: 6,
      startUp: StartUp(
        start: at(0), end: at(300),
        calls: [TimedCall("vkCreateInstance", begin: at(100), end: at(200))]),
      peakMemory: 2_000_000)
  }

  @Test("kfrec's own start-up time excludes listed calls once, whether parallel or cut off")
  func startUp() {
    let startUp = StartUp(
      start: at(1000), end: at(1400),
      calls: [
        TimedCall("c", begin: at(1350), end: at(1500)),
        TimedCall("a", begin: at(1050), end: at(1200)),
        TimedCall("b", begin: at(1100), end: at(1150)),
        TimedCall("d", begin: at(1180), end: at(1220)),
        TimedCall("late", begin: at(1450), end: at(1460)),
      ])
    #expect(startUp.total == 0.4)
    #expect(startUp.calls.map(\.name) == ["a", "b", "d", "c"])
    #expect(abs(startUp.own - 0.18) < 1e-9)
  }

  @Test("GPU time counts overlapping frames once, and a frame without a time as the mean")
  func gpuTime() {
    var times = RenderTimes()
    #expect(times.busy == nil)
    times.add(GPUSpan(begin: 0, end: 1_000_000_000))
    times.add(GPUSpan(begin: 500_000_000, end: 2_000_000_000))
    times.add(GPUSpan(begin: 1_000_000_000, end: 1_500_000_000))
    #expect(times.busy == 2 && times.frames == 3)
    times.add(nil)
    #expect(times.frames == 4 && times.busy.map { abs($0 - 8 / 3) < 1e-9 } == true)
    var without = RenderTimes()
    without.add(nil)
    #expect(without.frames == 1 && without.busy == nil)
  }

  @Test("the bottleneck is the busiest stage, also a GPU without a clock, or the source's pace")
  func bottleneck() {
    #expect(statistics(gpu: 3, encode: 1).bottleneck == .stage("GPU", 0.75))
    #expect(statistics(gpu: 3, encode: 4.5).bottleneck == .stage("encode", 1))
    #expect(statistics(gpu: nil, awaited: 2, encode: 1).bottleneck == .stage("GPU", 0.5))
    #expect(statistics(gpu: 1, encode: 1.5, paused: 3).bottleneck == .pace(0.75))
    #expect(statistics(gpu: 1, encode: 1, wall: 0).bottleneck == nil)
    let sentence = statistics(gpu: 3, encode: 1).bottleneck?.sentence
    #expect(sentence == "bottleneck: GPU, busy 75% of the time while the others wait")
    #expect(
      statistics(gpu: 1, encode: 0.1).bottleneck?.sentence.contains("no single stage; GPU") == true)
  }

  @Test("shares and times per frame are parts of the whole, and nothing is divided by zero")
  func shares() {
    let some = statistics(gpu: 3, encode: 1)
    #expect(some.stages.map { some.share(of: $0) } == [0.125, 0.75, 0.25])
    #expect(some.stages.map(\.perFrame) == [25, 150, 100] && some.cores == 1.5)
    let none = statistics(gpu: 3, encode: 1, wall: 0)
    #expect(none.cores == nil && none.share(of: none.stages[0]) == nil)
    #expect(RecordingStatistics.Stage(name: "", frames: 0, busy: 1).perFrame == nil)
  }

  private func output(_ name: String, _ latency: Latency) -> OutputResult {
    var result = OutputResult(name: name)
    result.report = SinkReport(
      output: name, frames: 1, bytes: nil, duration: .one, latency: latency)
    return result
  }

  @Test("the table is aligned and names everything, and control characters in names are shown")
  func table() {
    let table = StatisticsTable(
      statistics: statistics(gpu: nil, awaited: 2, encode: 1),
      outputs: [
        output("out.mov", Latency(mean: 0.02, longest: 0.04)),
        output("the window", Latency(mean: 0.05, longest: 0.09, median: 0.03)),
        output("/dev/video9", Latency(mean: 0.07, longest: 0.08)),
      ])
    let lines = table.text.split(separator: "\n").map(String.init)
    #expect(Set(lines.prefix(4).map(\.count)).count == 1, "\(table.text)")
    for words in [
      "no GPU time", "1.50 cores", "300 ms: 200 ms in kfrec itself, vkCreateInstance 100 ms",
      "source to file 20 ms on average, 40 ms at most",
      "source to the window 30 ms for half of the frames, 90 ms at most", "peak memory 2.0 MB",
      "a\\x1b",
    ] { #expect(table.text.contains(words), "\(words)") }
    #expect(!table.text.contains("/dev/video9"))
    #expect(lines.last == "bottleneck: GPU, busy 50% of the time while the others wait")
  }

  @Test("the JSON object has the start-up times in milliseconds under the calls' names")
  func object() {
    let text = JSONValue.statistics(statistics(gpu: nil, encode: 1)).text
    #expect(
      text.contains(
        "\"startUp\":{\"firstFrameMs\":300.0,\"ownMs\":200.0,\"vkCreateInstanceMs\":100.0}"))
    #expect(text.contains("{\"name\":\"GPU\",\"frames\":20,\"busy\":null,\"frameMs\":null,"))
    #expect(!text.contains("\n"))
  }
}
