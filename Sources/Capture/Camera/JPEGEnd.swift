/// Whether a camera's JPEGs are whole: libavcodec makes a gray rest of what is missing, without a word.
struct JPEGEnd {
  /// There are cameras that leave the mark out, of which every picture would look cut off.
  private var isMarked = false

  /// Behind the mark cameras leave zeros, or what was in the buffer before.
  private static let tail = 4096

  /// False if the picture lacks the mark of its end though others had it.
  mutating func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var end = bytes.count
    while end > 0, bytes[end - 1] == 0 { end -= 1 }
    // Within the picture 0xff is always followed by 0 or the number of a mark: 0xd9 is the end's.
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
