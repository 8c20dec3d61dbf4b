import Terminal
import Testing

@testable import kfrec

@Suite("The progress of a batch") struct BatchProgressTests {
  @Test("nothing is estimated before something is known")
  func start() {
    var estimate = BatchEstimate(sizes: [100, 100], now: 0)
    estimate.begin("a", bytes: 100, now: 0)
    #expect(estimate.remaining(now: 5) == nil)
    #expect(estimate.fraction(now: 5) == 0)
  }

  @Test("inputs of very different sizes count by their cost, not by their number")
  func sizes() {
    // Nine small ones and one that is a hundred times as large, at 1 s for 100 bytes.
    var estimate = BatchEstimate(sizes: Array(repeating: 100, count: 9) + [10_000], now: 0)
    for second in 0..<9 {
      estimate.begin("\(second)", bytes: 100, now: Double(second))
      estimate.end("\(second)", bytes: 100, isMade: true, now: Double(second + 1))
    }
    #expect(estimate.remaining(now: 9) == 100)
    #expect(estimate.fraction(now: 9) < 0.1)
    estimate.begin("large", bytes: 10_000, now: 9)
    estimate.progress("large", fraction: 0.5)
    #expect(estimate.remaining(now: 59) == 50)
  }

  @Test("a fixed cost of each item is told apart from the cost of its bytes")
  func fixedCost() throws {
    // 2 s each, and 1 s for 100 bytes.
    var estimate = BatchEstimate(sizes: [100, 300, 1000], now: 0)
    estimate.begin("a", bytes: 100, now: 0)
    estimate.end("a", bytes: 100, isMade: true, now: 3)
    estimate.begin("b", bytes: 300, now: 3)
    estimate.end("b", bytes: 300, isMade: true, now: 8)
    let left = try #require(estimate.remaining(now: 8))
    #expect(abs(left - 12) < 1e-6)
  }

  @Test("two recordings at the same time halve the time, but not that of the last one")
  func parallel() throws {
    var estimate = BatchEstimate(sizes: Array(repeating: 100, count: 6), now: 0)
    for name in ["a", "b"] { estimate.begin(name, bytes: 100, now: 0) }
    for name in ["a", "b"] { estimate.end(name, bytes: 100, isMade: true, now: 10) }
    #expect(estimate.remaining(now: 10) == 20)
    for name in ["c", "d"] { estimate.begin(name, bytes: 100, now: 10) }
    for name in ["c", "d"] { estimate.end(name, bytes: 100, isMade: true, now: 20) }
    estimate.begin("e", bytes: 100, now: 20)
    estimate.begin("f", bytes: 100, now: 20)
    estimate.end("f", bytes: 100, isMade: false, now: 20)
    estimate.progress("e", fraction: 0.5)
    #expect(estimate.remaining(now: 25) == 5)
  }

  @Test("an item that is tried again counts once, and the part that is done never goes back")
  func again() {
    var estimate = BatchEstimate(sizes: [100, 100], now: 0)
    estimate.begin("a", bytes: 100, now: 0)
    estimate.progress("a", fraction: 0.9)
    let before = estimate.fraction(now: 9)
    #expect(before > 0.4)
    estimate.begin("a", bytes: 100, now: 10)
    #expect(estimate.fraction(now: 10) >= before)
    estimate.end("a", bytes: 100, isMade: true, now: 20)
    estimate.end("b", bytes: 100, isMade: false, now: 20)
    #expect(estimate.fraction(now: 20) == 1 && estimate.remaining(now: 20) == 0)
  }

  @Test("a line never reaches the last column, whatever the width of its characters")
  func cut() {
    #expect(TerminalText.cut("abcdef", to: 4) == "abcd")
    #expect(TerminalText.cut("\u{65e5}\u{672c}x", to: 4) == "\u{65e5}\u{672c}")
    #expect(TerminalText.cut("\u{65e5}\u{672c}", to: 3) == "\u{65e5}")
  }

  @Test("several lines are written over those before, and removed without a trace")
  func lines() {
    var lines = TerminalLines(hasSeveral: true)
    let size = (columns: 20, rows: 3)
    #expect(lines.show(["a", "b"], size: size) == "\ra\u{1b}[K\nb\u{1b}[K")
    #expect(lines.show(["c"], size: size) == "\r\u{1b}[1Ac\u{1b}[K\u{1b}[J")
    #expect(lines.clear() == "\r\u{1b}[J" && lines.clear() == "")
    // The line for all is the last one, and stays.
    #expect(lines.show(["a", "b", "c", "d"], size: size) == "\rc\u{1b}[K\nd\u{1b}[K")
    var plain = TerminalLines(hasSeveral: false)
    #expect(plain.show(["a", "long"], size: size) == "\rlong")
    #expect(plain.show(["b"], size: size) == "\rb   ")
    #expect(plain.clear() == "\r \r")
  }
}
