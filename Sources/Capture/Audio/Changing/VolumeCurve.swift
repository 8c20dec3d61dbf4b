public import Frames

/// A volume over the time of a recording: straight lines between points, and constant before the first and after the last.
public struct VolumeCurve: Sendable, Equatable {
  /// A factor at a time.
  public struct Point: Sendable, Equatable {
    /// In seconds from the first frame.
    public let time: Rational
    public let factor: Double

    public init(time: Rational, factor: Double) { (self.time, self.factor) = (time, factor) }
  }

  /// In the order of their times; never empty.
  public let points: [Point]

  /// Makes a curve of points; nil if their times do not increase, or if there is none.
  public init?(_ points: [Point]) {
    guard !points.isEmpty, zip(points, points.dropFirst()).allSatisfy({ $0.time < $1.time }) else {
      return nil
    }
    self.points = points
  }

  /// The factor, if it never changes.
  public var constant: Double? {
    points.allSatisfy { $0.factor == points[0].factor } ? points[0].factor : nil
  }

  /// The filter of FFmpeg that multiplies each sample by its factor, from `start` seconds behind the first frame on.
  func filter(from start: Rational) -> String {
    var factor = "\(points[points.count - 1].factor)"
    for (point, next) in zip(points, points.dropFirst()).reversed() {
      let (from, to) = ((point.time - start).doubleValue, (next.time - start).doubleValue)
      let slope = (next.factor - point.factor) / (to - from)
      factor = "if(lt(t,\(to)),\(point.factor)+(\(slope))*max(t-(\(from)),0),\(factor))"
    }
    return "aeval=exprs='val(ch)*(\(factor))':channel_layout=same"
  }
}
