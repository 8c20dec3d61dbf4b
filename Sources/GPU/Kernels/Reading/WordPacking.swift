import Frames

/// Packs 8-bit YCbCr planes with subsampled chroma into one 32-bit word per pixel: luma, and chroma
/// interpolated to full size, so that a kernel needs a single read.
///
/// On the software driver a read costs a gather, whatever its width. The planes need nine reads for a
/// pixel of 4:2:0; this copy, which is needed anyway, takes half a millisecond of one core at
/// 1280x720. Used by one thread.
final class WordPacking {
  /// Chroma is stored in this many parts per code.
  static let chromaScale = 16

  private let format: FrameFormat
  /// Kept, because asking a format for it allocates, and each row needs it.
  private let layout: PixelLayout
  private let across: [Tap]
  private let down: [Tap]
  /// One row of luma, and one row of each chroma, blended from the two rows around it, with one more
  /// sample on either side and room for a SIMD load beyond the end.
  private let luma: UnsafeMutableBufferPointer<UInt8>
  private let blue: UnsafeMutableBufferPointer<UInt16>
  private let red: UnsafeMutableBufferPointer<UInt16>

  /// The weights of a pixel's chroma on one axis: `low` parts of sample `first`, counted from the
  /// pixel's own sample, and `high` parts of the next one.
  private struct Tap {
    let first: Int
    let low: UInt16
    let high: UInt16

    /// The taps of the pixels that share a sample, in `parts` per sample; nil if the weights are not whole
    /// numbers of parts.
    ///
    /// Sample i of the axis has luma position i * factor + position * (factor - 1).
    static func all(factor: Int, position: Double, parts: Int) -> [Tap]? {
      var taps: [Tap] = []
      for offset in 0..<factor {
        let place = (Double(offset) - position * Double(factor - 1)) / Double(factor)
        let first = place.rounded(.down)
        let high = (place - first) * Double(parts)
        guard high == high.rounded() else { return nil }
        taps.append(
          Tap(first: Int(first), low: UInt16(Double(parts) - high), high: UInt16(high)))
      }
      return taps
    }
  }

  /// Returns nil for formats whose codes do not fit (deeper than 8 bits, with alpha, or with chroma between
  /// sixteenths), and for formats without subsampled chroma, which lose nothing without packing.
  init?(format: FrameFormat) {
    let layout = format.pixelFormat.layout
    let (factorX, factorY) = layout.chromaSubsampling
    guard layout.model == .yCbCr, layout.depth == 8, layout.alpha == nil,
      factorX > 1 || factorY > 1
    else { return nil }
    let siting = format.color.chromaSiting.position
    for shift in 0...4 {
      let parts = 1 << shift
      guard let down = Tap.all(factor: factorY, position: siting.y, parts: parts) else { continue }
      guard
        let across = Tap.all(
          factor: factorX, position: siting.x, parts: WordPacking.chromaScale / parts)
      else { return nil }
      (self.format, self.layout) = (format, layout)
      (self.across, self.down) = (across, down)
      let samples = (format.width + factorX - 1) / factorX + 2 + WordPacking.lanes
      luma = .allocate(capacity: samples * factorX)
      blue = .allocate(capacity: samples)
      red = .allocate(capacity: samples)
      luma.initialize(repeating: 0)
      blue.initialize(repeating: 0)
      red.initialize(repeating: 0)
      return
    }
    return nil
  }

  deinit {
    luma.deallocate()
    blue.deallocate()
    red.deallocate()
  }

  private static let lanes = 8

  /// The number of words from one row to the next: whole blocks of a kernel that writes planes; the last word of a row is
  /// repeated beyond its end.
  static func stride(width: Int) -> Int { (width + 7) / 8 * 8 }
  /// The number of bytes of a frame's words.
  static func byteCount(of format: FrameFormat) -> Int {
    stride(width: format.width) * format.height * 4
  }

  /// Fills `words`, one for each stored pixel, row after row.
  func fill(_ words: UnsafeMutableRawBufferPointer, from pixels: PixelBuffer) {
    precondition(words.count >= Self.byteCount(of: format))
    guard let target = words.baseAddress?.assumingMemoryBound(to: UInt32.self) else { return }
    let parts = layout.components
    pixels.bytes(ofPlane: parts[0].plane).withUnsafeBytes { luma in
      pixels.bytes(ofPlane: parts[1].plane).withUnsafeBytes { blue in
        pixels.bytes(ofPlane: parts[2].plane).withUnsafeBytes { red in
          guard let luma = Plane(luma, stride: pixels.planes[parts[0].plane].stride),
            let blue = Plane(blue, stride: pixels.planes[parts[1].plane].stride),
            let red = Plane(red, stride: pixels.planes[parts[2].plane].stride)
          else { return }
          fill(target, from: (luma, blue, red))
        }
      }
    }
  }

  /// A plane's bytes, valid as long as they are borrowed.
  private struct Plane {
    let bytes: UnsafePointer<UInt8>
    let stride: Int

    init?(_ bytes: UnsafeRawBufferPointer, stride: Int) {
      guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return nil }
      (self.bytes, self.stride) = (base, stride)
    }
  }

  private func fill(
    _ target: UnsafeMutablePointer<UInt32>, from planes: (luma: Plane, blue: Plane, red: Plane)
  ) {
    let stride = Self.stride(width: format.width)
    for row in 0..<format.height {
      blendChroma(row: row, from: planes.blue, planes.red)
      let source = lumaRow(row, from: planes.luma)
      let words = target + row * stride
      if across.count == 2 {
        packPairs(luma: source, into: words)
      } else {
        pack(luma: source, from: 0, into: words)
      }
      for x in format.width..<stride { words[x] = words[format.width - 1] }
    }
  }

  /// The luma values of a row, one after the other.
  private func lumaRow(_ row: Int, from plane: Plane) -> UnsafePointer<UInt8> {
    let first = layout.components[0]
    let start = plane.bytes + row * plane.stride
    guard let second = layout.secondLuma, let base = luma.baseAddress else { return start }
    for pair in 0..<layout.planes[first.plane].width(format.width) {
      luma[2 * pair] = start[4 * pair + first.channel]
      luma[2 * pair + 1] = start[4 * pair + second.channel]
    }
    return UnsafePointer(base)
  }

  /// Interpolates both chroma planes vertically for a row of luma.
  private func blendChroma(row: Int, from bluePlane: Plane, _ redPlane: Plane) {
    let tap = down[row % down.count]
    for (part, memory, target) in [
      (layout.components[1], bluePlane, blue), (layout.components[2], redPlane, red),
    ] {
      let plane = layout.planes[part.plane]
      let (count, last) = (plane.width(format.width), plane.height(format.height) - 1)
      let first = row / down.count + tap.first
      func samples(_ row: Int) -> UnsafePointer<UInt8> {
        memory.bytes + min(max(row, 0), last) * memory.stride + part.channel
      }
      guard let base = target.baseAddress else { return }
      WordPacking.blend(
        samples(first), samples(first + 1), step: plane.bytesPerTexel, tap, count: count,
        into: base + 1)
      target[0] = target[1]
      target[count + 1] = target[count]
    }
  }

  private static func blend(
    _ low: UnsafePointer<UInt8>, _ high: UnsafePointer<UInt8>, step: Int, _ tap: Tap, count: Int,
    into target: UnsafeMutablePointer<UInt16>
  ) {
    var index = 0
    if step == 1 {
      let (lowRow, highRow) = (UnsafeRawPointer(low), UnsafeRawPointer(high))
      let targetRow = UnsafeMutableRawPointer(target)
      while index + lanes <= count {
        let a = lowRow.loadUnaligned(fromByteOffset: index, as: SIMD8<UInt8>.self)
        let b = highRow.loadUnaligned(fromByteOffset: index, as: SIMD8<UInt8>.self)
        let sum =
          SIMD8<UInt16>(truncatingIfNeeded: a) &* tap.low
          &+ SIMD8<UInt16>(truncatingIfNeeded: b) &* tap.high
        targetRow.storeBytes(of: sum, toByteOffset: index * 2, as: SIMD8<UInt16>.self)
        index += lanes
      }
    }
    while index < count {
      target[index] =
        UInt16(low[index * step]) &* tap.low &+ UInt16(high[index * step]) &* tap.high
      index += 1
    }
  }

  /// Packs the pairs of pixels that share a chroma sample, and a last pixel without a partner.
  ///
  /// The loop has plain loads and wrapping sums, which the compiler makes wide: 0.26 milliseconds for 1280x720, and 0.78 with
  /// SIMD types, whose interleaved store it takes apart.
  private func packPairs(luma: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt32>) {
    guard let blue = blue.baseAddress, let red = red.baseAddress else { return }
    let (left, right) = (across[0], across[1])
    let (leftBlue, leftRed) = (blue + 1 + left.first, red + 1 + left.first)
    let (rightBlue, rightRed) = (blue + 1 + right.first, red + 1 + right.first)
    @inline(__always)
    func chroma(_ row: UnsafeMutablePointer<UInt16>, _ pair: Int, _ tap: Tap) -> UInt32 {
      UInt32(truncatingIfNeeded: row[pair] &* tap.low &+ row[pair &+ 1] &* tap.high)
    }
    let pairs = format.width / 2
    for pair in 0..<pairs {
      let lumas = (UInt32(luma[2 &* pair]), UInt32(luma[2 &* pair &+ 1]))
      target[2 &* pair] =
        lumas.0 | chroma(leftBlue, pair, left) &<< 8 | chroma(leftRed, pair, left) &<< 20
      target[2 &* pair &+ 1] =
        lumas.1 | chroma(rightBlue, pair, right) &<< 8 | chroma(rightRed, pair, right) &<< 20
    }
    pack(luma: luma, from: pairs * 2, into: target)
  }

  /// Packs the words of a row from pixel `start` on, the first one of a chroma sample.
  private func pack(
    luma: UnsafePointer<UInt8>, from start: Int, into target: UnsafeMutablePointer<UInt32>
  ) {
    for x in start..<format.width {
      let tap = across[x % across.count]
      let at = x / across.count + 1 + tap.first
      let cb = blue[at] &* tap.low &+ blue[at + 1] &* tap.high
      let cr = red[at] &* tap.low &+ red[at + 1] &* tap.high
      target[x] = UInt32(luma[x]) | UInt32(cb) << 8 | UInt32(cr) << 20
    }
  }
}
