import Frames
package import ShaderEffects
import Synchronization

/// What the knobs and keys of MIDI devices change; learns new ones.
///
/// Any thread may use it.
package final class MIDIHands: Sendable {
  private struct State {
    var map: MIDIMap
    /// The parameter to which the next source that moves is bound.
    var learning: MIDITarget?
    /// A controller that has just been learned: if its low half follows at once, it has 14 bits.
    var learned: MIDISource?
    /// Where sources were last, from 0 to 1.
    var places: [MIDISource: Double] = [:]
  }

  private let state: Mutex<State>

  package init(_ map: MIDIMap) { state = Mutex(State(map: map)) }

  /// Binds the next source that moves to a parameter; a second call for the same one gives that up.
  ///
  /// - Returns: What to show.
  package func learn(_ target: MIDITarget) -> String {
    state.withLock { state in
      state.learning = state.learning == target ? nil : target
      return state.learning == nil
        ? "nothing is learned" : "move a knob or press a key for \(target.text)"
    }
  }

  /// Returns what a parameter is bound to, to show it beside the parameter; empty if it is to nothing.
  package func label(of target: MIDITarget, in rows: [ListedParameter]) -> String {
    state.withLock { state in
      if state.learning == target { return "move a knob" }
      return state.map.bindings.filter { binding in
        guard let found = binding.target.find(in: rows) else { return false }
        return MIDITarget(found.row, part: found.part) == target
      }.map(\.source.text).joined(separator: ", ")
    }
  }

  /// Checks that a chain has what the lines of the map name.
  ///
  /// A name of an effect that is not in the chain is no mistake: a map may be for several chains.
  ///
  /// - Parameter chain: The names of the effects, and of the parameters of each.
  /// - Throws: The first line that names a place or a parameter that the chain does not have.
  package func check(
    _ chain: [(name: String, parameters: [String])]
  ) throws(MIDIError) {
    let map = state.withLock { $0.map }
    for binding in map.bindings {
      let target = binding.target
      let effects = chain.enumerated().filter { place, effect in
        target.number.map { $0 == place + 1 } ?? (effect.name == target.effect)
      }
      if let number = target.number, effects.isEmpty {
        throw MIDIError(
          "\(map.place(of: binding)): there is no effect \(number), but \(chain.count) in the chain",
          isUsageError: true)
      }
      for (_, effect) in effects where !effect.parameters.contains(target.parameter) {
        throw MIDIError(
          "\(map.place(of: binding)): the effect '\(effect.name)' has no parameter '\(target.parameter)'; it has "
            + effect.parameters.joined(separator: ", "), isUsageError: true)
      }
    }
  }

  /// Does what movements ask for.
  ///
  /// - Parameters:
  ///   - moves: The movements, in their order.
  ///   - door: Where changes are given.
  ///   - glide: The glide of the changes, in seconds.
  ///   - notify: Called with what is learned.
  func act(
    _ moves: [MIDIMove], door: ParameterDoor, glide: Rational, notify: (Notice) -> Void
  ) {
    var rows: [ListedParameter]?
    for move in moves {
      let (bindings, previous, notices) = state.withLock { state in
        let notices = Self.learn(move, &state)
        let bindings = state.map.bindings.filter {
          $0.source == move.source || $0.source == move.source.onAnyChannel
        }
        let previous = state.places[move.source] ?? 0
        state.places[move.source] = move.value
        return (bindings, previous, notices)
      }
      for notice in notices { notify(notice) }
      for binding in bindings {
        let listed = rows ?? ListedParameter.all(of: door.effects)
        rows = listed
        guard let (row, part) = binding.target.find(in: listed),
          let value = binding.value(
            of: row.parameter, part: part, after: move, previous: previous)
        else { continue }
        // The chain may have changed since it was listed; the next movement is for the new one.
        try? door.give(
          .numbers(value), to: row.parameter.name, of: .number(row.effect), glide: glide)
        // A later movement may need the new value.
        rows = nil
      }
    }
  }

  /// Binds the source of a movement if one is to be learned; returns what to say.
  private static func learn(_ move: MIDIMove, _ state: inout State) -> [Notice] {
    let source = move.source
    if let learned = state.learned {
      // Both kinds of movement come from one message: the fine one does not count until the low half comes.
      let isOwn = source.number == learned.number && source.channel == learned.channel
      if source.kind == .fineController, isOwn { return [] }
      state.learned = nil
      if source.kind == .controller, source.channel == learned.channel,
        source.number == learned.number + 32,
        let binding = state.map.bindings.first(where: { $0.source == learned })
      {
        state.map.forget(learned)
        return keep(
          MIDIBinding(
            source: MIDISource(
              kind: .fineController, channel: learned.channel, number: learned.number),
            target: binding.target), &state)
      }
    }
    guard let target = state.learning, isLearnable(move) else { return [] }
    state.learning = nil
    if source.kind == .controller, source.number < 32 { state.learned = source }
    return keep(MIDIBinding(source: source, target: target), &state)
  }

  private static func keep(_ binding: MIDIBinding, _ state: inout State) -> [Notice] {
    let problem = state.map.learn(binding)
    return [Notice(.midiLearned, "MIDI", "MIDI: \(binding.text)")]
      + (problem.map { [Notice(.controlLine, "MIDI", $0)] } ?? [])
  }

  /// A key that is released is none that somebody chose, and halves of other values are no knobs.
  private static func isLearnable(_ move: MIDIMove) -> Bool {
    switch move.source.kind {
    case .note: move.value > 0
    case .controller: ![6, 38, 98, 99, 100, 101].contains(move.source.number)
    case .fineController: false
    default: true
    }
  }
}
