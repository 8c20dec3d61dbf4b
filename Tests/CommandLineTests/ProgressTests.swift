import Capture
import Encode
import Frames
@testable import Recorder
import Testing

@testable import kfrec

@Suite struct ProgressTests {
  private func progress(
    frames: Int, time: Rational, elapsed: Double, dropped: Int = 0
  ) -> RecordingProgress {
    RecordingProgress(
      framesIn: frames + dropped, framesOut: frames, dropped: dropped, duplicated: 0, time: time,
      elapsed: elapsed)
  }

  @Test("the line shows percent, frames, rate, speed and time left")
  func line() {
    let line = ProgressLine(
      progress: progress(frames: 250, time: Rational(10), elapsed: 5), frameCount: 1000,
      duration: Rational(40))
    #expect(line.text(columns: 80) == " 25%  250/1000 frames  50.0 fps  2.00x  0:15 left")
  }

  @Test("without a length the line shows frames and time instead of percent and time left")
  func unknownLength() {
    let line = ProgressLine(progress: progress(frames: 90, time: Rational(3), elapsed: 2))
    #expect(line.text(columns: 80) == "90 frames  0:03.0  45.0 fps  1.50x")
  }

  @Test("with only a duration the percentage is computed from the time")
  func durationOnly() {
    var line = ProgressLine(progress: progress(frames: 90, time: Rational(3), elapsed: 2))
    line.duration = Rational(4)
    #expect(line.text(columns: 80) == " 75%  90 frames  45.0 fps  1.50x  0:01 left")
  }

  @Test(
    "the line is narrower than the terminal, and the most important parts stay", arguments: 0...90)
  func width(_ columns: Int) {
    let line = ProgressLine(
      progress: progress(frames: 250, time: Rational(10), elapsed: 5, dropped: 3),
      frameCount: 1000)
    let text = line.text(columns: columns)
    #expect(text.count < max(columns, 1))
    if columns > 5 { #expect(text.hasPrefix(" 25%")) }
    if columns > 70 { #expect(text.hasSuffix("3 dropped")) }
  }

  @Test("nothing is divided by zero before the first frame, and 100% is the most")
  func edges() {
    let start = ProgressLine(
      progress: progress(frames: 0, time: .zero, elapsed: 0), frameCount: 10)
    #expect(start.text(columns: 80) == "  0%  0/10 frames")
    let over = ProgressLine(
      progress: progress(frames: 12, time: .one, elapsed: 1), frameCount: 10)
    #expect(over.fraction == 1)
    #expect(over.text(columns: 80).hasPrefix("100%"))
    let none = ProgressLine(progress: progress(frames: 0, time: .zero, elapsed: 1), frameCount: 0)
    #expect(none.fraction == nil)
  }

  @Test("the summary counts frames in, out, dropped and duplicated")
  func summary() {
    let end = RecordingResult(
      progress: progress(frames: 132, time: Rational(132, 25), elapsed: 2),
      outputs: [
        OutputResult(
          name: "out.mov",
          report: SinkReport(
            output: "out.mov", frames: 132, bytes: 4_123_456, duration: Rational(132, 25))),
        OutputResult(name: "lost.mov"),
        OutputResult(
          name: "/dev/video9",
          report: SinkReport(
            output: "/dev/video9", frames: 130, bytes: nil, duration: Rational(132, 25)),
          dropped: 2),
      ], predictedTimes: 0, incomplete: nil)
    #expect(
      ProgressLine.summary(end) == [
        "out.mov: 132 frames in, 132 out, 0 dropped, 0 duplicated, 0:05.28, 66.0 fps, 4.1 MB",
        "/dev/video9: 130 frames, 2 dropped, 0:05.28",
      ])
  }

  @Test("the line names several outputs, with the frames that each missed")
  func outputs() {
    var now = progress(frames: 12, time: .one, elapsed: 1)
    now.outputs = [OutputProgress(name: "out.mov", frames: 12, dropped: 0)]
    #expect(!ProgressLine(progress: now).text(columns: 120).contains("out.mov"))
    now.outputs.append(OutputProgress(name: "/dev/video9", frames: 9, dropped: 3))
    let text = ProgressLine(progress: now).text(columns: 120)
    #expect(text.hasSuffix("  out.mov: 12  /dev/video9: 9 (3 dropped)"), "\(text)")
  }

  @Test("clocks carry over to the next unit, and sizes change theirs with the digits")
  func units() {
    #expect(clock(59.96, decimals: 1) == "1:00.0")
    #expect(clock(3599.6) == "1:00:00")
    #expect(clock(3725) == "1:02:05")
    #expect(clock(.infinity).isEmpty == false)
    #expect(byteText(999) == "999 B")
    #expect(byteText(999_949) == "999.9 kB")
    #expect(byteText(999_999) == "1.0 MB")
    #expect(byteText(0) == "0 B")
  }

  @Test("JSON strings are escaped, and numbers that JSON lacks are null")
  func json() {
    let value = JSONValue.object([
      ("a\"b", .string("\u{1}\\\n\té\u{7f}😀")), ("n", .number(.nan)), ("x", .number(0.5)),
      ("l", .array([.null, .bool(true), .int(-3)])),
    ])
    #expect(
      value.text
        == "{\"a\\\"b\":\"\\u0001\\\\\\n\\té\\u007f😀\",\"n\":null,\"x\":0.5,\"l\":[null,true,-3]}")
  }

  @Test("every object of the JSON progress has a type and is on one line")
  func objects() {
    let now = progress(frames: 1, time: .one, elapsed: 1)
    let end = RecordingResult(
      progress: now, outputs: [], predictedTimes: 0,
      incomplete: Notice(.sourceLost, "lost\nit"))
    let ready = RecordingReady(
      input: "a\nb", outputs: ["c"], gpu: "d", effects: ["e"], plan: ["f"], width: 1, height: 2,
      frameRate: Rational(30000, 1001), frameCount: nil, duration: nil)
    let objects: [(JSONValue, String)] = [
      (.ready(ready), "ready"), (.progress(ProgressLine(progress: now)), "progress"),
      (.notice(Notice(.sourceHDR, "w\n")), "warning"),
      (.notice(Notice(.sourceLost, "s")), "source-lost"),
      (.error("e", exitCode: .failed), "error"), (.end(end, exitCode: .incomplete), "end"),
    ]
    for (object, type) in objects {
      #expect(object.text.hasPrefix("{\"type\":\"\(type)\","))
      #expect(!object.text.contains("\n"))
    }
    #expect(
      JSONValue.ready(ready).text.contains(
        #""frameRate":29.97002997002997,"frameRateExact":"30000/1001""#))
    #expect(JSONValue.end(end, exitCode: .incomplete).text.contains("\"exitCode\":3"))
  }

  @Test("a camera's rates are numbers, with the exact fractions beside them")
  func cameraRates() {
    let rate = Rational(30000, 1001)
    #expect(
      CameraDetails.object(
        CameraSizes(width: 640, height: 480, rates: .some([rate, Rational(30)]))
      ).text
        == #"{"width":640,"height":480,"rates":[29.97002997002997,30.0],"#
        + #""ratesExact":["30000/1001","30"]}"#)
    let range = CameraSizes(width: 2...4, height: 2...4, rates: .range(Rational(1)...rate))
    #expect(
      CameraDetails.object(range).text.hasSuffix(
        #""rateRange":[1.0,29.97002997002997],"rateRangeExact":["1","30000/1001"]}"#))
  }

  @Test("control characters in a name are shown and not sent to the terminal")
  func visibleText() {
    #expect(visible("a\u{1b}[31m\r\nb\té") == "a\\x1b[31m\\x0d\nb\té")
  }
}
