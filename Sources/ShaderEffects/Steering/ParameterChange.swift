public import Frames

/// A new value for a parameter of an effect, checked.
public struct ParameterChange: Sendable, Equatable {
  /// The effect's index in the chain, from 0.
  public var effect: Int
  /// The parameter's name, or `mix`.
  public var parameter: String
  /// The components of the value; 1 for an event that fires, 0 for one that does not.
  public var value: [Double]
  /// How long a straight line leads to the value, in seconds of effect time; 0 for a step.
  public var glide = Rational.zero

  public init(effect: Int, parameter: String, value: [Double], glide: Rational = .zero) {
    self.effect = effect
    self.parameter = parameter
    self.value = value
    self.glide = glide
  }
}

/// A value as it is given from outside, before it is checked.
public enum GivenValue: Sendable, Equatable {
  /// As on the command line: `0.5`, `0.5/0.25`, `ff8000`, `on`; empty for an event that fires.
  case text(String)
  /// One number for each component; an event fires if there is none, or the first is above 0.
  case numbers([Double])
}

/// Which effect of the chain a change is for.
public enum EffectPlace: Sendable, Equatable {
  /// The effect at this position, as typed: 1 for the first one.
  case number(Int)
  /// The effect with this tag, wherever it is in the chain now.
  case tag(Int)
  /// The first effect of this name.
  case name(String)
  /// The first effect that has the parameter.
  case firstWithParameter
}
