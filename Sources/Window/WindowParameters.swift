/// A parameter that keys of a window change, as it is written over the picture.
package struct WindowParameter: Sendable, Equatable {
  let name: String
  let value: String
  let range: String
  /// The MIDI knob that changes it; empty for none.
  let knob: String

  package init(name: String, value: String, range: String, knob: String = "") {
    (self.name, self.value, self.range, self.knob) = (name, value, range, knob)
  }
}

/// The parameters that a window can change; the thread of the window uses it.
package protocol WindowParameters: Sendable {
  /// All parameters, always in the same order.
  var rows: [WindowParameter] { get }

  /// Moves a parameter by this many small steps.
  func move(_ row: Int, by steps: Int)

  /// Gives a parameter its usual value.
  func reset(_ row: Int)

  /// Binds the next MIDI knob that is moved to a parameter; returns what to show.
  func learn(_ row: Int) -> String
}

/// The list of parameters over the picture, and which of them is chosen.
struct ParameterList {
  private let parameters: (any WindowParameters)?
  private var chosen: Int?

  /// Rows that are shown above and below the chosen one.
  private static let neighbours = 4

  init(_ parameters: (any WindowParameters)?) { self.parameters = parameters }

  /// Whether the list lies over the picture.
  var isShown: Bool { chosen != nil }

  /// Hides the list, or shows it again.
  mutating func toggle() { chosen = chosen == nil ? 0 : nil }

  /// Chooses the row that lies this many rows further on; the first one if the list was hidden.
  mutating func choose(_ offset: Int) {
    guard let parameters else { return }
    let count = parameters.rows.count
    guard count > 0 else { return }
    chosen = chosen.map { ($0 + offset + count) % count } ?? 0
  }

  func move(by steps: Int) { if let chosen { parameters?.move(chosen, by: steps) } }
  func reset() { if let chosen { parameters?.reset(chosen) } }

  /// Binds the next MIDI knob to the chosen parameter; returns what to show.
  func learn() -> String {
    guard let chosen, let parameters else { return "choose a parameter first: tab" }
    return parameters.learn(chosen)
  }

  /// The lines to show; the chosen one begins with a mark.
  var lines: [String] {
    guard let chosen, let rows = parameters?.rows, rows.indices.contains(chosen) else { return [] }
    let first = max(min(chosen - Self.neighbours, rows.count - 2 * Self.neighbours - 1), 0)
    let shown = Array(rows.indices)[first...].prefix(2 * Self.neighbours + 1)
    func width(_ text: (WindowParameter) -> String) -> Int {
      rows.map { text($0).count }.max() ?? 0
    }
    let (names, values, ranges) = (width(\.name), width(\.value), width(\.range))
    return shown.map { index in
      let row = rows[index]
      return (index == chosen ? "> " : "  ") + padded(row.name, names) + "  "
        + padded(row.value, values) + "  "
        + (row.knob.isEmpty ? row.range : padded(row.range, ranges) + "  [\(row.knob)]")
    }
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }
}
