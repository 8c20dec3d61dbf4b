public import Frames
package import V4L2Handles

/// The frame rates of a camera in one format and size, in frames per second.
public enum CameraRates: Hashable, Sendable {
  /// The camera does not say.
  case unknown
  case some([Rational])
  /// Any rate between the two.
  case range(ClosedRange<Rational>)

  /// Returns the rate nearest to a wanted rate, by ratio; nil if the camera does not say.
  func nearest(to wanted: Rational) -> Rational? {
    switch self {
    case .unknown: nil
    case .range(let range): min(max(wanted, range.lowerBound), range.upperBound)
    case .some(let rates):
      rates.min { CameraRates.distance($0, wanted) < CameraRates.distance($1, wanted) }
    }
  }

  /// Returns the highest rate up to a limit, else the lowest; nil if the camera does not say.
  func best(upTo limit: Rational) -> Rational? {
    switch self {
    case .unknown: nil
    case .range(let range): min(max(limit, range.lowerBound), range.upperBound)
    case .some(let rates): rates.filter { $0 <= limit }.max() ?? rates.min()
    }
  }

  /// Returns the distance between two rates: 0 if they are equal, 1 if one is twice the other.
  static func distance(_ a: Rational, _ b: Rational) -> Double {
    guard a > .zero, b > .zero else { return .infinity }
    return (a > b ? a / b : b / a).doubleValue - 1
  }
}

/// The sizes in pixels that a camera offers in one format: one size, or all in a range.
public struct CameraSizes: Hashable, Sendable {
  public var width: ClosedRange<Int>
  public var height: ClosedRange<Int>
  /// Steps between the widths and heights of the range, in pixels.
  public var step = (width: 1, height: 1)
  /// The frame rates at the largest size.
  public var rates: CameraRates

  /// Makes a single size.
  public init(width: Int, height: Int, rates: CameraRates) {
    self.init(width: width...width, height: height...height, rates: rates)
  }

  public init(
    width: ClosedRange<Int>, height: ClosedRange<Int>, step: (width: Int, height: Int) = (1, 1),
    rates: CameraRates
  ) {
    self.width = width
    self.height = height
    self.step = (max(step.width, 1), max(step.height, 1))
    self.rates = rates
  }

  public var isOne: Bool { width.count == 1 && height.count == 1 }

  /// Returns the offered size nearest to a wanted size.
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

  public static func == (a: CameraSizes, b: CameraSizes) -> Bool {
    a.width == b.width && a.height == b.height && a.step == b.step && a.rates == b.rates
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(width)
    hasher.combine(height)
    hasher.combine(rates)
  }
}

/// A format that a camera offers, with its sizes.
public struct CameraOffer: Sendable {
  package let code: FourCC
  /// The driver's name for the format.
  public let name: String
  /// The sizes; empty if the camera does not list them, and has only its current one.
  public var sizes: [CameraSizes]

  package init(code: FourCC, name: String, sizes: [CameraSizes]) {
    self.code = code
    self.name = name
    self.sizes = sizes
  }

  /// Whether kfrec can read the format.
  public var isReadable: Bool { CameraFormat.of(code) != nil }
  public var isColor: Bool { CameraFormat.of(code)?.isColor ?? false }
}
