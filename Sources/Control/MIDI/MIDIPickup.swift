import Frames
package import ShaderEffects
import Synchronization

/// Applies MIDI knobs and keys to the parameters that they are bound to, and learns new bindings.
///
/// Any thread may use it.
package final class MIDIPickup: Sendable {
  private struct State {
    var map: MIDIMap
    /// The parameter to which the next source that moves is bound.
    var learning: MIDITarget?
    /// A controller that has just been learned, and when: if its low half follows at once, it has 14 bits.
    var learned: (source: MIDISource, time: MonotonicTime)?
    /// Where sources were last, from 0 to 1.
    var places: [MIDISource: Double] = [:]
  }

  private let state: Mutex<State>

  /// A low half that comes later is another knob, in seconds.
  private static let halfTime = 0.1

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

  /// Checks that a chain, of whose parameters it gets the name with aliases and the type, has what the lines of the map name.
  ///
  /// A name of an effect that is not in the chain is no mistake: a map may be for several chains.
  ///
  /// - Throws: The first line that names a place, a parameter or a component that the chain does not have.
  package func check(
    _ chain: [(name: String, parameters: [(names: [String], type: String)])]
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
      for (_, effect) in effects {
        guard let found = effect.parameters.first(where: { $0.names.contains(target.parameter) })
        else {
          throw MIDIError(
            "\(map.place(of: binding)): the effect '\(effect.name)' has no parameter '\(target.parameter)'; it has "
              + effect.parameters.map { $0.names[0] }.joined(separator: ", "), isUsageError: true)
        }
        let names = Self.parts(ofType: found.type).map { target.parameter + $0 }
        guard !names.contains(target.name) else { continue }
        throw MIDIError(
          "\(map.place(of: binding)): the effect '\(effect.name)' has no parameter '\(target.name)'; write "
            + names.joined(separator: " or "), isUsageError: true)
      }
    }
  }

  /// What follows the name of a parameter of a type, for each component.
  private static func parts(ofType type: String) -> [String] {
    switch type {
    case "point2D": [".x", ".y"]
    case "color": [".r", ".g", ".b", ".a"]
    default: [""]
    }
  }

  /// Applies the movements of one reading; `glide` is in seconds, and `notify` gets what is learned.
  func act(
    _ moves: [MIDIMove], at time: MonotonicTime, inbox: ParameterInbox, glide: Rational,
    notify: (Notice) -> Void
  ) {
    let (steps, learned, map) = state.withLock { state in
      let learned = moves.compactMap { Self.learn($0, at: time, &state) }
      let steps = Self.steps(moves, from: &state.places).map { step in
        let source = step.move.source
        let bindings = state.map.bindings.filter {
          $0.source == source || $0.source == source.onAnyChannel
        }
        return (step, bindings)
      }
      return (steps, learned, state.map)
    }
    for binding in learned { notify(Notice(.midiLearned, "MIDI", "MIDI: \(binding.text)")) }
    var rows: [ListedParameter]?
    for (step, bindings) in steps {
      for binding in bindings {
        let listed = rows ?? ListedParameter.all(of: inbox.effects)
        rows = listed
        guard let (row, part) = binding.target.find(in: listed),
          step.isNewest || row.parameter.type == "event",
          let value = binding.value(
            of: row.parameter, part: part, after: step.move, previous: step.previous)
        else { continue }
        // The chain may have changed since it was listed; the next movement is for the new one.
        _ = try? inbox.give(
          .numbers(value), to: row.parameter.name, of: .number(row.effect), glide: glide)
        // A later movement may need the new value.
        rows = nil
      }
    }
    // Outside the lock, because a disk may be slow and pictures show the labels.
    guard !learned.isEmpty, let problem = map.save() else { return }
    notify(Notice(.controlLine, "MIDI", problem))
  }

  /// A movement that may change something.
  private struct Step {
    let move: MIDIMove
    /// Where the source was before, from 0 to 1.
    let previous: Double
    /// False for one that only events see, because a later one of the same knob follows.
    var isNewest = true

    /// Whether a knob passes its middle, upwards.
    var isRise: Bool { move.program == nil && move.value >= 0.5 && previous < 0.5 }
  }

  /// Returns all movements of keys, and of each knob the newest one and one that fires an event: of a flood
  /// nobody needs more.
  private static func steps(
    _ moves: [MIDIMove], from places: inout [MIDISource: Double]
  ) -> [Step] {
    let steps = moves.map { move in
      let previous = places.updateValue(move.value, forKey: move.source) ?? 0
      return Step(move: move, previous: previous)
    }
    var (seen, fired): (Set<MIDISource>, Set<MIDISource>) = ([], [])
    return steps.reversed().compactMap { step in
      let source = step.move.source
      if source.kind == .note { return step }
      let isNewest = seen.insert(source).inserted
      let isFirstRise = step.isRise && fired.insert(source).inserted
      guard isNewest || isFirstRise else { return nil }
      var step = step
      step.isNewest = isNewest
      return step
    }.reversed()
  }

  /// Binds the source of a movement if one is to be learned; returns the new line.
  private static func learn(
    _ move: MIDIMove, at time: MonotonicTime, _ state: inout State
  ) -> MIDIBinding? {
    let source = move.source
    if let (learned, since) = state.learned {
      let isSoon = time.seconds(since: since) <= halfTime
      // Both kinds of movement come from one message: the fine one does not count until the low half comes.
      let isOwn = source.number == learned.number && source.channel == learned.channel
      if isSoon, source.kind == .fineController, isOwn { return nil }
      state.learned = nil
      if isSoon, source.kind == .controller, source.channel == learned.channel,
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
    guard let target = state.learning, isLearnable(move) else { return nil }
    state.learning = nil
    if source.kind == .controller, source.number < 32 { state.learned = (source, time) }
    return keep(MIDIBinding(source: source, target: target), &state)
  }

  private static func keep(_ binding: MIDIBinding, _ state: inout State) -> MIDIBinding {
    state.map.learn(binding)
    return binding
  }

  /// A key that is released is none that somebody chose, and halves of other values are no knobs.
  private static func isLearnable(_ move: MIDIMove) -> Bool {
    switch move.source.kind {
    case .note: move.value > 0
    case .controller: !move.isPart
    case .fineController: false
    default: true
    }
  }
}
