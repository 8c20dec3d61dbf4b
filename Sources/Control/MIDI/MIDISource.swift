import ALSAHandles

/// What moves on a MIDI device: a knob, a key, a wheel.
package struct MIDISource: Hashable, Sendable {
  /// The kinds of sources; raw values are the words of map files.
  enum Kind: String, CaseIterable, Sendable {
    /// A controller with 7 bits.
    case controller = "cc"
    /// Two controllers, 32 numbers apart, for 14 bits.
    case fineController = "cc14"
    /// A parameter without a registered number, with 14 bits.
    case nrpn
    case note
    case bend
    case program
    case pressure

    /// The largest number of a source of this kind; nil if a channel has only one.
    var largestNumber: Int? {
      switch self {
      case .controller, .note: 127
      case .fineController: 31
      case .nrpn: 16383
      case .bend, .program, .pressure: nil
      }
    }
  }

  let kind: Kind
  /// 1 to 16; 0 for any.
  let channel: Int
  /// The number of the controller or key; 0 for kinds without a number.
  let number: Int

  var onAnyChannel: MIDISource { MIDISource(kind: kind, channel: 0, number: number) }

  /// As map files write it: `cc 1/21`, `note */36`, `bend 1`.
  package var text: String {
    let place = channel == 0 ? "*" : "\(channel)"
    return kind.largestNumber == nil
      ? "\(kind.rawValue) \(place)" : "\(kind.rawValue) \(place)/\(number)"
  }

  init(kind: Kind, channel: Int, number: Int = 0) {
    (self.kind, self.channel, self.number) = (kind, channel, number)
  }

  /// Reads the two words of a source.
  init(_ kindWord: String, _ placeWord: String) throws(ControlError) {
    guard let kind = Kind(rawValue: kindWord) else {
      let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError("'\(kindWord)' is none of \(kinds)")
    }
    let parts = placeWord.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let channel = parts[0] == "*" ? 0 : Int(parts[0]).flatMap { (1...16).contains($0) ? $0 : nil }
    guard let channel, parts.count == (kind.largestNumber == nil ? 1 : 2) else {
      throw ControlError("write \(kind.example), with a channel from 1 to 16 or * for any")
    }
    guard let largest = kind.largestNumber else {
      self.init(kind: kind, channel: channel)
      return
    }
    guard let number = Int(parts[1]), (0...largest).contains(number) else {
      throw ControlError("the number of \(kind.rawValue) is 0 to \(largest)")
    }
    self.init(kind: kind, channel: channel, number: number)
  }
}

extension MIDISource.Kind {
  fileprivate var example: String {
    largestNumber == nil ? "'\(rawValue) 1'" : "'\(rawValue) 1/21'"
  }
}

/// A movement of a source.
package struct MIDIMove: Sendable, Equatable {
  let source: MIDISource
  /// From 0 to 1; a key's velocity, 0 when it is released.
  let value: Double
  /// The number of a program.
  var program: Int?
  /// Whether it is a part of the value that other controllers have selected, and no knob of its own.
  var isPart = false
}

/// Makes movements of messages; keeps the first halves of values that come in two messages.
struct MIDIMoves {
  private struct Channel {
    var coarse = [Int](repeating: 0, count: 32)
    /// The parameter that controllers 98 to 101 have selected, and data messages change.
    var selection: Selection?
  }

  /// A parameter by the halves of its number.
  private struct Selection {
    var isRegistered: Bool
    var high = 0
    var low = 0
  }

  private var channels = [Channel](repeating: Channel(), count: 17)

  /// Returns the movements that a message means: a controller may be one of 7 bits and a half of one of 14.
  mutating func take(_ message: MIDIMessage) -> [MIDIMove] {
    switch message {
    case .controller(let channel, let number, let value):
      var moved = move(.controller, channel, number, Double(value) / 127)
      moved.isPart = isPart(channel, number)
      return [moved] + fine(channel, number, value)
    case .note(let channel, let key, let velocity):
      return [move(.note, channel, key, Double(velocity) / 127)]
    case .pitchBend(let channel, let value):
      // The middle is exactly one half.
      return [
        move(.bend, channel, 0, 0.5 + Double(value) / (value < 0 ? 16384 : 16382))
      ]
    case .program(let channel, let number):
      var moved = move(.program, channel, 0, Double(number) / 127)
      moved.program = number
      return [moved]
    case .pressure(let channel, let value):
      return [move(.pressure, channel, 0, Double(value) / 127)]
    }
  }

  private func move(
    _ kind: MIDISource.Kind, _ channel: Int, _ number: Int, _ value: Double
  ) -> MIDIMove {
    MIDIMove(source: MIDISource(kind: kind, channel: channel, number: number), value: value)
  }

  /// Whether a controller selects a parameter, or is a half of the value of the selected one.
  private func isPart(_ channel: Int, _ number: Int) -> Bool {
    (98...101).contains(number)
      || [6, 38].contains(number) && channels[channel].selection != nil
  }

  /// MIDI 1.0: controllers from 32 on are the low halves of those from 0 on; 99 and 98 select an NRPN, 101 and 100
  /// a registered parameter, and 6 with 38 are the value of either.
  private mutating func fine(_ channel: Int, _ number: Int, _ value: Int) -> [MIDIMove] {
    var state = channels[channel]
    defer { channels[channel] = state }
    switch number {
    case 98...101:
      let isRegistered = number >= 100
      // The other half stays if it was of the same kind.
      let known = state.selection.flatMap { $0.isRegistered == isRegistered ? $0 : nil }
      var selection = known ?? Selection(isRegistered: isRegistered)
      if number % 2 == 1 { selection.high = value } else { selection.low = value }
      // Registered parameter 127/127 is none.
      let isNone = isRegistered && (selection.high, selection.low) == (127, 127)
      state.selection = isNone ? nil : selection
    case 0..<64:
      let index = number % 32
      // A new high half makes the low one 0.
      if number < 32 { state.coarse[index] = value }
      let whole = state.coarse[index] * 128 + (number < 32 ? 0 : value)
      let share = Double(whole) / 16383
      var moves = [move(.fineController, channel, index, share)]
      if index == 6, let selected = state.selection, !selected.isRegistered {
        moves.append(move(.nrpn, channel, selected.high * 128 + selected.low, share))
      }
      return moves
    default: break
    }
    return []
  }
}
