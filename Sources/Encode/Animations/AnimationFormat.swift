import CFFmpeg
import FFmpegHandles
import Frames

/// An image format whose file holds several images, each with its own time.
enum AnimationFormat: String, Sendable, CaseIterable {
  case gif, apng, webp

  /// The name for messages: "GIF".
  var title: String { self == .webp ? "WebP" : rawValue.uppercased() }

  /// The usual extension with its dot, which is the only one.
  var ending: String { "." + rawValue }

  var summary: String {
    switch self {
    case .gif: "an endless GIF with one palette of all frames"
    case .apng: "an endless animated PNG"
    case .webp: "an endless animated WebP"
    }
  }

  /// Name of its pixels for messages; outputs with the same name can share frames.
  var pixels: String {
    switch self {
    // As PNG has them.
    case .apng: "RGB"
    case .gif: "RGB with alpha"
    case .webp: "4:2:0 by BT.601"
    }
  }

  var encoder: String { self == .webp ? "libwebp_anim" : rawValue }

  /// Options of the encoder that are used unless others are given.
  ///
  /// The best of PNG's filters for each row: of a film at 320x180 an APNG has 3.2 MB instead of 4.5 without
  /// filters, of drawn pictures 235 KB instead of 207.
  var encoderOptions: [EncoderOption] { self == .apng ? [EncoderOption("pred", "mixed")] : [] }

  /// Sets how often the animation is shown (0: without end) in a muxer's own options.
  func setPlays(_ plays: Int, in muxer: UnsafeMutableRawPointer?) throws(FFmpegError) {
    switch self {
    // A GIF says how often it is repeated, and nothing if it is shown once.
    case .gif:
      try check(
        av_opt_set_int(muxer, "loop", plays == 0 ? 0 : plays == 1 ? -1 : Int64(plays - 1), 0),
        "av_opt_set_int", title)
    case .apng: try check(av_opt_set_int(muxer, "plays", Int64(plays), 0), "av_opt_set_int", title)
    case .webp: break
    }
  }

  /// Sets for how many seconds the last image is shown, in a muxer's own options.
  func setLastDuration(
    _ duration: Rational, in muxer: UnsafeMutableRawPointer?
  ) throws(FFmpegError) {
    switch self {
    case .gif:
      let ticks = min(max(duration.ticks(timeBase: Rational(1, 100)), 0), 65_535)
      try check(av_opt_set_int(muxer, "final_delay", ticks, 0), "av_opt_set_int", title)
    case .apng:
      var delay = AVRational()
      av_reduce(&delay.num, &delay.den, duration.numerator, duration.denominator, 65_535)
      try check(av_opt_set_q(muxer, "final_delay", delay, 0), "av_opt_set_q", title)
    case .webp: break
    }
  }

  /// Returns a time base in which the times of frames are stored.
  ///
  /// APNG stores fractions of two 16-bit numbers: the source's own time base if it fits, otherwise one
  /// in which all usual frame rates are exact.
  func timeBase(source: Rational) -> Rational {
    switch self {
    case .gif: Rational(1, 100)
    case .webp: Rational(1, 1000)
    case .apng: Rational(1, source.denominator <= 65_535 ? max(source.denominator, 1) : 60_000)
    }
  }

  /// Counts the images in a finished file, from the file itself.
  func count(in file: Int32, size: Int64) -> Int {
    switch self {
    case .gif: GIFBlocks.images(of: file, size: size)
    case .apng: pngImages(of: file, size: size)
    // What was not changed since the image before makes it longer, so an animation may have fewer images.
    case .webp: size > 0 ? 1 : 0
    }
  }

  /// Counts the chunks that begin an image (PNG 3rd edition, 5.3 and 11.3.6); a PNG without such a chunk is one
  /// image.
  private func pngImages(of file: Int32, size: Int64) -> Int {
    var (position, images, hasData, isEnded): (Int64, Int, Bool, Bool) = (8, 0, false, false)
    while position + 12 <= size, let head = MovieBox.bytes(of: file, at: position, count: 8) {
      switch String(decoding: head[4...], as: UTF8.self) {
      case "fcTL": images += 1
      case "IDAT": hasData = true
      case "IEND": isEnded = true
      default: break
      }
      position += 12 + Int64(head.bigEndian32(0))
    }
    return isEnded ? max(images, hasData ? 1 : 0) : 0
  }
}

/// The blocks of a GIF file (GIF89a, 18 to 26).
private struct GIFBlocks {
  private let file: Int32
  private let size: Int64
  private var position: Int64 = 0
  /// A part of the file, and where it begins.
  private var window: [UInt8] = []
  private var start: Int64 = 0

  private init(_ file: Int32, size: Int64) { (self.file, self.size) = (file, size) }

  /// Counts the images; 0 if the file does not end as a GIF does.
  static func images(of file: Int32, size: Int64) -> Int {
    var blocks = GIFBlocks(file, size: size)
    var images = 0
    blocks.position = 10
    blocks.skipColors(3)
    while blocks.position < size, let kind = blocks.next() {
      switch kind {
      // An image: its place and size, colours of its own, the size of its codes, and the codes.
      case 0x2C:
        images += 1
        blocks.position += 8
        blocks.skipColors(1)
        blocks.skipParts()
      case 0x21:
        blocks.position += 1
        blocks.skipParts()
      case 0x3B: return blocks.position == size ? images : 0
      default: return 0
      }
    }
    return 0
  }

  private mutating func next() -> UInt8? {
    guard position < size else { return nil }
    if position < start || position >= start + Int64(window.count) {
      start = position
      window =
        MovieBox.bytes(of: file, at: position, count: Int(min(size - position, 1 << 16))) ?? []
    }
    guard position - start < Int64(window.count) else { return nil }
    defer { position += 1 }
    return window[Int(position - start)]
  }

  /// Skips flags, `rest - 1` more bytes, and the table of colours that the flags announce.
  private mutating func skipColors(_ rest: Int64) {
    guard let flags = next() else { return }
    position += rest - 1
    if flags & 0x80 != 0 { position += 3 << Int64((flags & 7) + 1) }
    if rest == 1 { position += 1 }
  }

  /// Skips parts of up to 255 bytes, the last of which is empty.
  private mutating func skipParts() {
    while let count = next(), count > 0 { position += Int64(count) }
  }
}
