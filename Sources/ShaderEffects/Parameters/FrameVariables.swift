/// The names that an expression of a header may use, each with its slot in an array of doubles.
struct FrameVariables: Sendable, Equatable {
  static let builtIns = [
    "TIME", "TIMEDELTA", "FRAMEINDEX", "PASSINDEX", "FRAMERATE", "WIDTH", "HEIGHT", "SIDE",
  ]

  /// The built-ins that are known before the first frame.
  ///
  /// SIDE is the shorter side, in pixels.
  static let size = ["WIDTH", "HEIGHT", "SIDE"]

  /// The slots: built-ins, then the components of every input, then the earlier constants.
  private(set) var slots: [String: Int] = [:]
  private(set) var count = 0

  init(
    builtIns: [String] = FrameVariables.builtIns, inputs: [EffectInput], constants: [String]
  ) {
    let parts = inputs.flatMap { input in
      input.kind.componentSuffixes.map { input.name + $0 }
    }
    add(builtIns + parts + constants)
  }

  /// Adds the next names; a name that exists already keeps its slot.
  mutating func add(_ names: [String]) {
    for name in names {
      if slots[name] == nil { slots[name] = count }
      count += 1
    }
  }
}
