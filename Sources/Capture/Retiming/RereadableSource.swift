import Frames

/// A source whose frames can be read again, stretch by stretch.
protocol RereadableSource: MediaSource {
  /// Why frames cannot be read again, as the end of a sentence that begins with the source's name; nil if they can.
  var rereadRefusal: String? { get }

  /// Continues elsewhere: the next frames are those near a time and after it, in order, before an end.
  ///
  /// Frames come from a place at or before the source's own time from which they can be decoded, or from a later place if the
  /// container is wrong about it. At the beginning of the part or before it, every frame of the part comes.
  func reread(from time: Rational, before end: Rational?) throws(CaptureError)
}

/// The frames of a part from its end to its beginning, group by group: each group is decoded forwards.
///
/// A group begins at a place from which the source can decode. Of a group that needs too much memory the last frames
/// are kept, and the others are decoded again.
struct BackwardFrames {
  private let source: any RereadableSource
  private let first: Rational
  /// Frames of the group that are still to be given, in the source's order.
  private var group: [Frame] = []
  /// The source's own time before which the other frames lie; nil for the end of the part.
  private var end: Rational?
  /// A time near the end of the part, where the search for its last frames begins.
  private let endHint: Rational

  /// Most bytes of a group.
  static let mostBytes = 256 << 20
  /// Seconds of frames that are decoded at once if every frame can be decoded alone.
  private static let step = Rational(1, 2)

  /// Takes a source that nobody else reads meanwhile; the part ends about at `endHint`, in the source's own time.
  init(_ source: any RereadableSource, first: Rational, endHint: Rational) {
    (self.source, self.first, self.endHint) = (source, first, endHint)
  }

  /// Returns the frame before the last one that was returned, with its own time; nil at the beginning of the part.
  mutating func next(unless isInterrupted: () -> Bool) throws(CaptureError) -> Frame? {
    if group.isEmpty, end.map({ $0 > first }) ?? true {
      try fill(unless: isInterrupted)
      if isInterrupted() { group = [] }
    }
    return group.popLast()
  }

  private mutating func fill(unless isInterrupted: () -> Bool) throws(CaptureError) {
    var back = Self.step
    while !isInterrupted() {
      let place = (end ?? endHint) - back
      try source.reread(from: place, before: end)
      try read()
      // A single frame without the one before it comes again from a place further back.
      if group.count == 1, place > first, isIncomplete(group[0]) { group = [] }
      if let first = group.first {
        end = first.time
        return
      }
      guard place > first else {
        end = first
        return
      }
      // Containers without an exact index may go to a later place than they should.
      back = back * Rational(4)
    }
  }

  private mutating func read() throws(CaptureError) {
    var byteCount = 0
    while let sample = try source.next() {
      guard case .frame(let frame) = sample else { continue }
      group.append(frame)
      byteCount += frame.pixels.byteCount
      while byteCount > Self.mostBytes, group.count > 1 {
        byteCount -= group.removeFirst().pixels.byteCount
      }
    }
    // Where decoding began, the frame before was not decoded: these frames come again with the group before.
    while group.count > 1, isIncomplete(group[0]) { group.removeFirst() }
  }

  /// Whether a frame would have the one before it if decoding had begun earlier.
  private func isIncomplete(_ frame: Frame) -> Bool { frame.time > first && frame.lacksPrevious }
}

extension Frame {
  /// Whether it is deinterlaced without the frame before it.
  fileprivate var lacksPrevious: Bool { fields.map { $0.previous == nil } ?? false }
}

extension PixelBuffer {
  fileprivate var byteCount: Int { planes.reduce(0) { $0 + $1.byteCount } }
}
