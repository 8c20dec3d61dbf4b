import CFFmpeg
import FFmpegHandles
import Frames

/// Holds back each interlaced frame until the one after it was decoded, and gives it both neighbours.
///
/// Progressive frames pass at once, and nothing of them is kept. Frames before and after the wanted part are neighbours
/// too, so a part has the same pictures as the whole. Used by one thread.
struct FieldLookAhead {
  private let wanted: Deinterlacing
  /// Seconds of a frame at the nominal rate.
  private let frameDuration: Rational
  /// The interlaced frame before `current`.
  private var previous: Frame?
  /// The interlaced frame that waits for the next one.
  private var current: (frame: Frame, order: FieldOrder)?
  /// Frames that are complete, in order: at most three.
  private var ready: [Frame] = []

  init(_ wanted: Deinterlacing, frameDuration: Rational) {
    (self.wanted, self.frameDuration) = (wanted, frameDuration)
  }

  /// Whether each interlaced frame becomes two.
  var doublesFrames: Bool { wanted.mode == .bob }

  /// Whether a frame waits for the next one.
  var isWaiting: Bool { current != nil }

  /// Returns the field order by which a frame is deinterlaced; nil if it stays as it is, as images do by themselves.
  func order(
    of frame: UnsafePointer<AVFrame>, parameters: UnsafePointer<AVCodecParameters>, isImage: Bool
  ) -> FieldOrder? {
    guard wanted.mode != .off, frame.pointee.height > 1 else { return nil }
    if let order = wanted.order { return order.fieldOrder }
    return isImage ? nil : .woven(in: frame, parameters: parameters)
  }

  /// Returns the field order of frames when they are delivered; nil if they are progressive.
  func remaining(
    of order: FieldOrder?, parameters: UnsafePointer<AVCodecParameters>
  ) -> FieldOrder? {
    if wanted.mode == .off { return wanted.order.map(\.fieldOrder) ?? order }
    // Fields that are frames of their own stay.
    return wanted.order == nil && parameters.pointee.codec_id == AV_CODEC_ID_HEVC ? order : nil
  }

  /// Takes the next frame; a progressive one only while another one waits.
  mutating func take(_ frame: Frame, _ order: FieldOrder?) {
    let before = current?.frame
    complete(before: frame)
    previous = order == nil ? nil : before
    current = order.map { (frame, $0) }
    if order == nil { ready.append(frame) }
  }

  /// Completes the last frame; false if there is none.
  mutating func finish() -> Bool {
    guard isWaiting else { return false }
    complete(before: nil)
    (previous, current) = (nil, nil)
    return true
  }

  /// Forgets all frames, after a seek.
  mutating func restart() { (previous, current, ready) = (nil, nil, []) }

  /// Takes out the next complete frame.
  mutating func next() -> Frame? { ready.isEmpty ? nil : ready.removeFirst() }

  private mutating func complete(before next: Frame?) {
    guard let current else { return }
    let order = current.order
    var frame = current.frame
    func neighbour(_ other: Frame?) -> PixelBuffer? {
      other.flatMap { $0.format == frame.format ? $0.pixels : nil }
    }
    let (earlier, later) = (neighbour(previous), neighbour(next))
    frame.fields = InterlacedFields(previous: earlier, next: later, order: order)
    guard doublesFrames else { return ready.append(frame) }
    let length = length(of: frame, before: next)
    var second = frame
    second.fields = InterlacedFields(
      previous: earlier, next: later, order: order, showsSecond: true)
    second.time = frame.time + length / Rational(2)
    (frame.duration, second.duration) = (length / Rational(2), length / Rational(2))
    ready += [frame, second]
  }

  /// Returns how long a frame is shown: until the next one, unless there is none or a gap.
  private func length(of frame: Frame, before next: Frame?) -> Rational {
    let own = frame.duration ?? frameDuration
    guard let next, case let until = next.time - frame.time, until < frameDuration * Rational(2)
    else { return own }
    return until
  }

  /// Says that a file is deinterlaced.
  func notice(about name: String, _ order: FieldOrder) -> Notice {
    let frames = doublesFrames ? "two progressive ones, one of each field" : "a progressive one"
    let other = doublesFrames ? "auto makes one of each" : "bob makes two, one of each field"
    return Notice(
      .sourceFields, name,
      """
      \(name) is interlaced, \(order.firstField) field first: each frame becomes \(frames) \
      (--deinterlace \(other), --deinterlace off keeps both fields in a frame)
      """)
  }
}
