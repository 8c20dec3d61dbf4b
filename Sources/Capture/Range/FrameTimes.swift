public import Frames

/// The times of a source's frames by their numbers, known without decoding them.
///
/// Used by one thread at a time.
public protocol FrameTimes: AnyObject {
  /// Number of frames.
  var count: Int { get }

  /// Whether the numbers are those of the decoded frames; if not, only the times are.
  var hasCertainNumbers: Bool { get }

  /// Returns the time of a frame in the source's own time, in seconds; nil if it cannot be told exactly.
  func time(of number: Int) throws(CaptureError) -> Rational?

  /// Returns the number of the keyframe that is nearest to a frame; nil if there is none but the first.
  func keyFrame(nearest number: Int) throws(CaptureError) -> Int?
}

/// The times of numbered images: each is decoded alone.
final class ImageTimes: FrameTimes {
  let count: Int
  let hasCertainNumbers = true
  private let rate: Rational

  init(count: Int, rate: Rational) { (self.count, self.rate) = (count, rate) }

  func time(of number: Int) -> Rational? {
    number < count ? Rational(Int64(number)) / rate : nil
  }

  func keyFrame(nearest number: Int) -> Int? { min(number, count - 1) }
}
