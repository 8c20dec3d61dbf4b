import Frames
import ShaderEffects
import Testing

@testable import Control

@Suite struct ControlCommandTests {
  private func change(
    _ place: EffectPlace, _ parameter: String, _ value: String, glide: Rational? = nil
  ) -> ControlCommand {
    .change(place: place, parameter: parameter, value: .text(value), glide: glide)
  }

  @Test("Lines give an effect, a parameter, its components, and perhaps a glide")
  func lines() throws {
    for (line, command) in [
      ("effect 1 amount 0.5", change(.number(1), "amount", "0.5")),
      ("  effect\t2  center 0.5 0.25 ", change(.number(2), "center", "0.5/0.25")),
      ("effect vignette mix 0", change(.name("vignette"), "mix", "0")),
      ("effect 1 flash", change(.number(1), "flash", "")),
      (
        "effect 1 amount 0.5 glide 200",
        change(.number(1), "amount", "0.5", glide: Rational(1, 5))
      ),
      ("effect 1 flash glide 0.5", change(.number(1), "flash", "", glide: Rational(1, 2000))),
      ("effect 99999999999999999999 a 1", change(.number(.max), "a", "1")),
      ("amount,0.5", change(.firstWithParameter, "amount", "0.5")),
      ("center, 0.5 ,0.25", change(.firstWithParameter, "center", "0.5/0.25")),
      ("glide 200", .glide(Rational(1, 5))), ("glide 0", .glide(.zero)),
    ] {
      #expect(try ControlCommand.parse(line) == command, "\(line)")
    }
    for line in ["", "   ", "\t", "# effect 1 amount 1"] {
      #expect(try ControlCommand.parse(line) == nil)
    }
  }

  @Test(
    "A line that is no command says how to write one",
    arguments: [
      "effect", "effect 1", "hello", "amount 0.5", ",", ",0.5", "two words,1", "glide",
      "glide 1 2", "{\"a\":1}",
    ])
  func usage(line: String) {
    let error = #expect(throws: ControlError.self) { try ControlCommand.parse(line) }
    #expect(error?.description.hasPrefix("write a line such as 'effect 1 amount 0.5'") == true)
  }

  @Test(
    "A glide is a number of milliseconds, of an hour at most",
    arguments: ["-1", "x", "1:00", "nan", "3600001", "1e3"])
  func glides(word: String) {
    for line in ["glide \(word)", "effect 1 amount 1 glide \(word)"] {
      let error = #expect(throws: ControlError.self) { try ControlCommand.parse(line) }
      #expect(error?.description.contains("milliseconds from 0 to 3600000") == true)
    }
  }

  @Test("Bytes in any pieces give the same lines", arguments: [1, 2, 3, 7, 100])
  func pieces(size: Int) {
    var splitter = LineSplitter(limit: 5)
    var lines: [LineSplitter.Line] = []
    let bytes = Array("a\n\nbcdef\r\n123456\n\r\nxx\nend".utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      splitter.add(bytes[start..<min(start + size, bytes.count)]) { lines.append($0) }
    }
    splitter.end { lines.append($0) }
    // With its "\r", the third line is longer than the limit.
    let expected: [String?] = ["a", "", nil, nil, "", "xx", "end"]
    #expect(
      lines.map { line in
        if case .whole(let bytes) = line { String(decoding: bytes, as: UTF8.self) } else { nil }
      } == expected)
    splitter.end { _ in Issue.record("nothing is left") }
  }

  @Test("Ten mistakes are told at once, then one a second, and the others are counted")
  func counting() {
    let reported = Told()
    var counter = MistakeCounter(subject: "input", unit: ("line", "lines")) {
      reported.add("\($0.subject): \($0.message)")
    }
    for number in 0..<1000 { counter.add("wrong \(number)", now: MonotonicTime(nanoseconds: 0)) }
    #expect(reported.all == (0..<10).map { "input: wrong \($0)" })
    counter.add("late", now: MonotonicTime(nanoseconds: 1_500_000_000))
    counter.add("untold", now: MonotonicTime(nanoseconds: 1_500_000_000))
    counter.finish()
    counter.finish()
    #expect(
      reported.all.dropFirst(10) == [
        "input: late; 990 lines before it could not be understood either",
        "input: 1 line more of input could not be understood",
      ])
  }

  @Test("What a mistake quotes stays on one line, and is cut")
  func quotes() {
    let reported = Told()
    var counter = MistakeCounter(subject: "input", unit: ("line", "lines")) {
      reported.add($0.message)
    }
    counter.add("'a\nkfrec: b\u{1b}' is wrong")
    counter.add(String(repeating: "e\u{301}", count: 10_000))
    #expect(reported.all.first == "'a\u{fffd}kfrec: b\u{fffd}' is wrong")
    #expect(reported.all.last?.unicodeScalars.count == 501 && reported.all.last?.last == "\u{2026}")
  }
}

/// Notices in their order.
private final class Told: @unchecked Sendable {
  // @unchecked: the test calls it on one thread.
  private(set) var all: [String] = []
  func add(_ text: String) { all.append(text) }
}
