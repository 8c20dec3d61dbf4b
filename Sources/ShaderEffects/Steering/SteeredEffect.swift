/// An effect of a running recording with the parameters that can change, for those who show or change them.
public struct SteeredEffect: Sendable, Equatable {
  /// A parameter with what it takes, and its value.
  public struct Parameter: Sendable, Equatable {
    public let name: String
    /// Other names that are accepted.
    public let aliases: [String]
    /// The text that people read instead of the name.
    public let label: String
    /// What the parameter does, or its label.
    public let description: String
    /// `float`, `bool`, `long`, `point2D`, `color` or `event`.
    public let type: String
    /// The smallest and largest value of each component; nil for no limit.
    public let minimum: [Double]?
    public let maximum: [Double]?
    /// The entries of a menu; empty if there is none.
    public let choices: [MenuChoice]
    /// The components of the value that was given last, or else of the value at the start.
    ///
    /// A glide may still lead to it. An event has 0.
    public let value: [Double]
    /// The value that the effect's file gives.
    public let usual: [Double]
  }

  public let name: String
  /// The tag of the effect's `EffectSpec`.
  public let tag: Int
  /// What the effect does; may be empty.
  public let description: String
  /// Whether points are counted from the bottom of the picture, and not from its top.
  public let countsFromBottom: Bool
  /// The parameters in the order of the file, and then `mix`.
  public let parameters: [Parameter]

  init(_ effect: SteerableEffect, values: [[Double]]) {
    (name, tag, description) = (effect.name, effect.tag, effect.description)
    countsFromBottom = effect.countsFromBottom
    parameters = zip(effect.inputs, values).filter { effect.has($0.0.name) }.map { input, value in
      Parameter(
        name: input.name, aliases: input.aliases, label: input.label,
        description: input.description.isEmpty ? input.label : input.description,
        type: input.kind.rawValue, minimum: input.minimum,
        maximum: input.maximum, choices: input.choices,
        value: input.kind == .event ? [0] : value, usual: input.defaultValue)
    }
  }
}
