/// Checks that a camera's JPEG images are complete: libavcodec shows missing parts as gray, without an error.
struct JPEGEnd {
  /// Whether any image had an end marker; some cameras omit it, and all their images would seem cut off.
  private var isMarked = false

  /// Number of bytes to search: after the marker cameras leave zeros, or old contents of the buffer.
  private static let tail = 4096

  /// Returns false if the image lacks the end marker though earlier images had it.
  mutating func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var end = bytes.count
    while end > 0, bytes[end - 1] == 0 { end -= 1 }
    // Inside an image 0xff is always followed by 0 or the number of a marker; 0xd9 is the end marker.
    var place = end - 1
    while place > 0, place > end - JPEGEnd.tail {
      if bytes[place] == 0xd9, bytes[place - 1] == 0xff {
        isMarked = true
        return true
      }
      place -= 1
    }
    return !isMarked
  }
}
