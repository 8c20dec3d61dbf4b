public import Frames

/// A parameter's value over effect time: a constant, keyframes with interpolation between them, or formulas.
///
/// Before the first keyframe its value holds; after the last keyframe, the last value holds.
public struct ParameterTrack: Sendable, Equatable {
  /// A value, with as many components as its kind has, and the time from which it holds.
  public struct Keyframe: Sendable, Equatable {
    public let time: Rational
    public let value: [Double]
  }

  /// How one value changes into the next; each component separately.
  public enum Interpolation: String, Sendable, CaseIterable {
    case linear
    /// Slow at both ends: the weight w becomes w*w*(3-2w).
    case smooth
    /// The value holds until the next keyframe's time.
    case step
  }

  /// The keyframes in the order of their times, which all differ; never empty.
  ///
  /// A constant has one keyframe, whose time has no meaning.
  public let keyframes: [Keyframe]
  public let interpolation: Interpolation
  /// One formula for each component, which give the value instead of the keyframes; empty if the keyframes do.
  let formulas: [ParameterFormula]

  /// Makes a constant.
  public init(_ value: [Double]) {
    keyframes = [Keyframe(time: .zero, value: value)]
    interpolation = .step
    formulas = []
  }

  /// Makes a value of formulas; its one keyframe is the value where they give no number.
  init(formulas: [ParameterFormula], fallback: [Double]) {
    keyframes = [Keyframe(time: .zero, value: fallback)]
    interpolation = .step
    self.formulas = formulas
  }

  /// Makes a value that changes; `keyframes` has rising times and at least one element.
  init(_ keyframes: [Keyframe], _ interpolation: Interpolation) {
    precondition(!keyframes.isEmpty, "a track needs a keyframe")
    self.keyframes = keyframes
    self.interpolation = interpolation
    formulas = []
  }

  /// Returns one component of the value for a frame; allocates nothing.
  func part(_ part: Int, at clock: EffectClock) -> Double {
    formulas.isEmpty ? self.part(part, at: clock.time) : formulas[part].value(at: clock)
  }

  /// Returns one component of the value at a time, by the keyframes; allocates nothing.
  public func part(_ part: Int, at time: Rational) -> Double {
    let next = next(after: time)
    guard next > 0 else { return keyframes[0].value[part] }
    let (from, start) = (keyframes[next - 1].value[part], keyframes[next - 1].time)
    guard next < keyframes.count, interpolation != .step else { return from }
    let to = keyframes[next].value[part]
    var weight = ((time - start) / (keyframes[next].time - start)).doubleValue
    if interpolation == .smooth { weight = weight * weight * (3 - 2 * weight) }
    // Rounding must not move the result past a keyframe's value, which may be the end of its range.
    return min(max(from + (to - from) * weight, min(from, to)), max(from, to))
  }

  /// Returns whether an event fires in a frame; allocates nothing.
  ///
  /// `before` is the time of the previous frame, nil in the first one. A formula fires in every frame in which
  /// it is not 0.
  func fires(at clock: EffectClock, after before: Rational?) -> Bool {
    formulas.isEmpty ? fires(at: clock.time, after: before) : part(0, at: clock) > 0
  }

  /// Returns whether an event fires in the frame of a time: in the first frame at or after each
  /// keyframe.
  ///
  /// `before` is the time of the previous frame, nil in the first one. Allocates nothing.
  func fires(at time: Rational, after before: Rational?) -> Bool {
    let first = before.map(next(after:)) ?? 0
    return keyframes[first..<max(next(after: time), first)].contains { $0.value[0] > 0 }
  }

  /// Returns the index of the first keyframe after a time; the number of keyframes if there is none.
  private func next(after time: Rational) -> Int {
    var (low, high) = (0, keyframes.count)
    while low < high {
      let middle = (low + high) / 2
      if keyframes[middle].time > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns whether every value equals this one.
  public func isAlways(_ value: [Double]) -> Bool {
    formulas.isEmpty && keyframes.allSatisfy { $0.value == value }
  }

  /// Returns whether the first component is, or may become, more than 0 between a time and the next
  /// keyframe; after the last keyframe, whether its value is more than 0.
  func isPositive(around time: Rational) -> Bool {
    guard formulas.isEmpty else { return true }
    let next = next(after: time)
    let before = keyframes[max(next - 1, 0)].value[0] > 0
    guard next > 0, next < keyframes.count, interpolation != .step else { return before }
    return before || keyframes[next].value[0] > 0
  }
}

extension ParameterTrack {
  /// Returns the track that holds this one's value until a time, and then leads to another value.
  ///
  /// What this track would have done later is forgotten, so a track that changes again and again stays as
  /// short as one that changes once. The straight line to the new value takes `glide` seconds; 0 for a step.
  public func changing(to value: [Double], at clock: EffectClock, glide: Rational)
    -> ParameterTrack
  {
    let time = clock.time
    let old = keyframes[0].value.indices.map { part($0, at: clock) }
    guard glide > .zero else {
      // The value before the step needs a time before it, and any will do.
      return ParameterTrack(
        [Keyframe(time: time - .one, value: old), Keyframe(time: time, value: value)], .step)
    }
    return ParameterTrack(
      [Keyframe(time: time, value: old), Keyframe(time: time + glide, value: value)], .linear)
  }

  /// Returns the track of an event that also fires at an effect time; what it has fired before is forgotten.
  public func firing(at time: Rational) -> ParameterTrack {
    ParameterTrack(
      [Keyframe(time: time, value: [1])] + keyframes.filter { $0.time > time }, .step)
  }
}

/// Lets a number literal stand for a constant of one component.
extension ParameterTrack: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  public init(floatLiteral value: Double) { self.init([value]) }
  public init(integerLiteral value: Int) { self.init([Double(value)]) }
}
