package import Frames
package import V4L2Handles

/// The frame rates of a camera in one format and size, in frames a second.
package enum CameraRates: Hashable, Sendable {
  /// The camera does not tell.
  case unknown
  case some([Rational])
  /// Any between the two.
  case range(ClosedRange<Rational>)

  /// The one that is nearest to a wanted rate, by ratio; nil where the camera does not tell.
  func nearest(to wanted: Rational) -> Rational? {
    switch self {
    case .unknown: nil
    case .range(let range): min(max(wanted, range.lowerBound), range.upperBound)
    case .some(let rates):
      rates.min { CameraRates.distance($0, wanted) < CameraRates.distance($1, wanted) }
    }
  }

  /// The highest up to a limit, else the lowest; nil where the camera does not tell.
  func best(upTo limit: Rational) -> Rational? {
    switch self {
    case .unknown: nil
    case .range(let range): min(max(limit, range.lowerBound), range.upperBound)
    case .some(let rates): rates.filter { $0 <= limit }.max() ?? rates.min()
    }
  }

  /// How far two rates are apart: 0 when they are equal, 1 when one is twice the other.
  static func distance(_ a: Rational, _ b: Rational) -> Double {
    guard a > .zero, b > .zero else { return .infinity }
    return (a > b ? a / b : b / a).doubleValue - 1
  }
}

/// The sizes that a camera offers in one format: one size, or all in a range.
package struct CameraSizes: Hashable, Sendable {
  package var width: ClosedRange<Int>
  package var height: ClosedRange<Int>
  /// From one width or height of the range to the next.
  package var step = (width: 1, height: 1)
  /// At the largest size.
  package var rates: CameraRates

  /// One size.
  package init(width: Int, height: Int, rates: CameraRates) {
    self.init(width: width...width, height: height...height, rates: rates)
  }

  package init(
    width: ClosedRange<Int>, height: ClosedRange<Int>, step: (width: Int, height: Int) = (1, 1),
    rates: CameraRates
  ) {
    self.width = width
    self.height = height
    self.step = (max(step.width, 1), max(step.height, 1))
    self.rates = rates
  }

  package var isOne: Bool { width.count == 1 && height.count == 1 }

  /// The offered size that is nearest to a wanted one.
  func nearest(to wanted: (width: Int, height: Int)) -> (width: Int, height: Int) {
    func snap(_ value: Int, _ range: ClosedRange<Int>, _ step: Int) -> Int {
      let inside = min(max(value, range.lowerBound), range.upperBound)
      let steps = (inside - range.lowerBound + step / 2) / step
      return min(
        range.lowerBound + steps * step,
        range.lowerBound + (range.upperBound - range.lowerBound) / step * step)
    }
    return (snap(wanted.width, width, step.width), snap(wanted.height, height, step.height))
  }

  package static func == (a: CameraSizes, b: CameraSizes) -> Bool {
    a.width == b.width && a.height == b.height && a.step == b.step && a.rates == b.rates
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(width)
    hasher.combine(height)
    hasher.combine(rates)
  }
}

/// A format that a camera offers, and in which sizes.
package struct CameraOffer: Sendable {
  package let code: FourCC
  /// In the driver's words.
  package let name: String
  /// Empty where the camera does not tell: then it has the one that it is set to.
  package var sizes: [CameraSizes]

  package init(code: FourCC, name: String, sizes: [CameraSizes]) {
    self.code = code
    self.name = name
    self.sizes = sizes
  }

  /// kfrec can read it.
  package var isReadable: Bool { CameraFormat.of(code) != nil }
  package var isColor: Bool { CameraFormat.of(code)?.isColor ?? false }
}
