/// The names that an expression of a header may use, each with its slot in an array of doubles.
struct FrameVariables: Sendable, Equatable {
  static let builtIns = [
    "TIME", "TIMEDELTA", "FRAMEINDEX", "PASSINDEX", "FRAMERATE", "WIDTH", "HEIGHT",
  ]

  /// Those that are known before the first frame.
  static let size = ["WIDTH", "HEIGHT"]

  /// Built-ins, then the parts of every input, then the constants above.
  let slots: [String: Int]
  let count: Int

  init(
    builtIns: [String] = FrameVariables.builtIns, inputs: [EffectInput], constants: [String]
  ) {
    let parts = inputs.flatMap { input in
      input.kind.componentSuffixes.map { input.name + $0 }
    }
    let names = builtIns + parts + constants
    slots = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    count = names.count
  }
}
