package import Frames

/// A parameter's value over effect time: one value for good, or keyframes and what lies between
/// them.
///
/// Before the first keyframe its value holds, after the last one that of the last.
package struct ParameterTrack: Sendable, Equatable {
  /// A value, in as many parts as its kind has, and from when on it holds.
  package struct Keyframe: Sendable, Equatable {
    package let time: Rational
    package let value: [Double]
  }

  /// How a value becomes the next one; each part by itself.
  package enum Interpolation: String, Sendable, CaseIterable {
    case linear
    /// Slow at both ends: the weight w becomes w*w*(3-2w).
    case smooth
    /// It holds until the next one's time.
    case step
  }

  /// In the order of their times, which all differ; never empty.
  ///
  /// Of a value that never changes there is one, whose time says nothing.
  package let keyframes: [Keyframe]
  package let interpolation: Interpolation

  /// One value for good.
  package init(_ value: [Double]) {
    keyframes = [Keyframe(time: .zero, value: value)]
    interpolation = .step
  }

  /// A value that changes; `keyframes` have rising times, and there is at least one.
  init(_ keyframes: [Keyframe], _ interpolation: Interpolation) {
    precondition(!keyframes.isEmpty, "a track needs a keyframe")
    self.keyframes = keyframes
    self.interpolation = interpolation
  }

  /// One part of the value at a time; allocates nothing.
  package func part(_ part: Int, at time: Rational) -> Double {
    let next = next(after: time)
    guard next > 0 else { return keyframes[0].value[part] }
    let (from, start) = (keyframes[next - 1].value[part], keyframes[next - 1].time)
    guard next < keyframes.count, interpolation != .step else { return from }
    let to = keyframes[next].value[part]
    var weight = ((time - start) / (keyframes[next].time - start)).doubleValue
    if interpolation == .smooth { weight = weight * weight * (3 - 2 * weight) }
    // Rounding must not carry it past a value that may be the end of its range.
    return min(max(from + (to - from) * weight, min(from, to)), max(from, to))
  }

  /// Whether an event fires in the frame of a time: in the first one at or after each keyframe.
  ///
  /// `before` is the time of the frame before, nil in the first one. Allocates nothing.
  func fires(at time: Rational, after before: Rational?) -> Bool {
    let first = before.map(next(after:)) ?? 0
    return keyframes[first..<max(next(after: time), first)].contains { $0.value[0] > 0 }
  }

  /// The place of the first keyframe after a time; their number where there is none.
  private func next(after time: Rational) -> Int {
    var (low, high) = (0, keyframes.count)
    while low < high {
      let middle = (low + high) / 2
      if keyframes[middle].time > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Every value it has is this one.
  package func isAlways(_ value: [Double]) -> Bool { keyframes.allSatisfy { $0.value == value } }

  /// Whether its first part is or may become more than 0 before the next keyframe of a time, or is
  /// so after the last.
  func isPositive(around time: Rational) -> Bool {
    let next = next(after: time)
    let before = keyframes[max(next - 1, 0)].value[0] > 0
    guard next > 0, next < keyframes.count, interpolation != .step else { return before }
    return before || keyframes[next].value[0] > 0
  }
}

/// So that a number may stand for a value of one part.
extension ParameterTrack: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  package init(floatLiteral value: Double) { self.init([value]) }
  package init(integerLiteral value: Int) { self.init([Double(value)]) }
}
