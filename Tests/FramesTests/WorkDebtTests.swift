import Testing

@testable import Frames

@Suite("The rest after work")
struct WorkDebtTests {
  @Test("three times the work is rested, at most the longest rest, and short work adds up")
  func rest() {
    var debt = WorkDebt(longest: 0.25)
    #expect(debt.rest(after: 0.01) == 30)
    #expect(debt.rest(after: 10) == 250)
    #expect(debt.rest(after: 0) == nil)
    for _ in 0..<3 { #expect(debt.rest(after: 0.000_1) == nil) }
    #expect(debt.rest(after: 0.000_3) == 1)
    #expect(debt.rest(after: 0.000_1) == nil)
  }
}
