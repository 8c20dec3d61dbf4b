import Frames
import Testing

@testable import Render

/// Tests which effects act on which of several clips.
@Suite("The clips behind image inputs") struct InputBindingsTests {
  /// A chain of five effects in which the second and the fourth are transitions between three clips.
  private var bindings: InputBindings {
    var bindings = InputBindings()
    bindings.transitions = [1, 3]
    return bindings
  }

  private func places(
    _ bindings: InputBindings, _ stretch: FrameSet.Stretch, inactive: Int? = nil
  ) -> [Int] {
    var active = [Bool](repeating: true, count: 5)
    if let inactive { active[inactive] = false }
    return bindings.acting(active, in: stretch).enumerated().filter(\.element).map(\.offset)
  }

  @Test("A chain is read from the left: effects before a transition do not act on later clips")
  func acting() {
    #expect(places(bindings, .clip(0)) == [0, 2, 4])
    #expect(places(bindings, .transition(from: 0)) == [0, 1, 2, 4])
    #expect(places(bindings, .clip(1)) == [2, 4])
    #expect(places(bindings, .transition(from: 1)) == [2, 3, 4])
    #expect(places(bindings, .clip(2)) == [4])
    #expect(places(bindings, .transition(from: 0), inactive: 1) == [0, 2, 4])
    #expect(places(bindings, .clip(0), inactive: 4) == [0, 2])
  }

  @Test("A cut changes nothing, and one transition may serve every pair")
  func cuts() {
    var bindings = InputBindings()
    bindings.transitions = [nil, nil]
    #expect(places(bindings, .clip(2)) == [0, 1, 2, 3, 4])
    #expect(bindings.stretches == [.clip(0), .clip(1), .clip(2)])
    bindings.transitions = [1, nil, 1]
    #expect(
      bindings.stretches
        == [.clip(0), .transition(from: 0), .clip(1), .clip(2), .transition(from: 2), .clip(3)])
    #expect(places(bindings, .clip(1)) == [2, 3, 4])
    #expect(places(bindings, .transition(from: 2)) == [1, 2, 3, 4])
  }
}
