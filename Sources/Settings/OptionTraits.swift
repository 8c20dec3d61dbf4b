/// The commands of kfrec; the first word selects one, and without one kfrec records.
package enum Command: String, CaseIterable, Sendable {
  case record = ""
  case preview
  case play
  case batch
  case effects
  case devices
  case check
  case golden
  case completions
  case man
  case complete
  case help
}

/// The groups of the help, in its order.
package enum OptionCategory: String, CaseIterable {
  case input = "Input"
  case camera = "Camera"
  case effects = "Effects"
  case control = "Control"
  case output = "Output"
  case play = "Player"
  case batch = "Batch"
  case farm = "Farm"
  case encoding = "Encoding"
  case messages = "Messages"
}

/// What presets, batches and farms do with an option; the rows say it, and nothing else lists their names.
package struct OptionTraits: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// It decides what a recording makes: a batch makes an output again if it changed, and a line of a list may have it for
  /// its input.
  package static let recording = OptionTraits(rawValue: 1)
  /// A line of a list cannot have it, although it decides what a recording makes.
  package static let wholeBatch = OptionTraits(rawValue: 2)
  /// It is one of the chain of effects, which `-e FILE.kfpreset` takes.
  package static let chain = OptionTraits(rawValue: 4)
  /// It says how a run goes on this machine, and not what it makes: a task of a plan may have it.
  package static let machine = OptionTraits(rawValue: 8)
  /// It is for one run: the plan of a farm does not keep it.
  package static let once = OptionTraits(rawValue: 16)
  /// Only the person who runs kfrec may say it, and no preset has it: what effects may read, what is replaced, what is
  /// started.
  package static let person = OptionTraits(rawValue: 32)
  /// It says what is read or written: `--save-preset` leaves it out, and a preset may have it.
  package static let unsaved = OptionTraits(rawValue: 64)
  /// It is about changes of parameters while kfrec records, or about a page or a file of such changes.
  package static let live = OptionTraits(rawValue: 128)
}

extension OptionRow {
  /// Whether a preset file may have it.
  package var mayBeInPreset: Bool { commands.contains(.record) && !traits.contains(.person) }

  /// Whether `--save-preset` keeps it.
  package var isSavedInPreset: Bool {
    mayBeInPreset && category != .messages && !traits.contains(.unsaved)
  }

  /// Whether the plan of a farm keeps it.
  package var isInPlan: Bool {
    category != .messages && category != .farm && !traits.contains(.once)
  }

  /// Whether an input of a list can have the option for itself: it says what is made, not where.
  package var isOfSingleInputs: Bool {
    traits.contains(.recording) && !traits.contains(.wholeBatch)
  }

  /// Whether outputs made with another value are made again by a batch, which compares the files of the chain itself.
  package var decidesResult: Bool {
    traits.contains(.recording) && traits.isDisjoint(with: [.chain, .machine, .person])
  }
}
