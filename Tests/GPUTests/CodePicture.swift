import Frames

/// A frame as integers: the codes of each colour component at that component's size, row by row without
/// padding; independent of the code under test.
struct CodePicture: Equatable {
  let pixelFormat: PixelFormat
  let width: Int
  let height: Int
  /// The components: Y, Cb, Cr or R, G, B or gray; then alpha if the format has it.
  var parts: [[Int]]

  /// Makes each code from its component, column and row (in that component's own texels).
  init(
    _ pixelFormat: PixelFormat, width: Int, height: Int, code: (Int, Int, Int) -> Int
  ) {
    self.pixelFormat = pixelFormat
    self.width = width
    self.height = height
    parts = []
    let count = pixelFormat.layout.components.count + (pixelFormat.layout.alpha == nil ? 0 : 1)
    for part in 0..<count {
      let size = CodePicture.size(ofPart: part, pixelFormat, width, height)
      var codes: [Int] = []
      codes.reserveCapacity(size.width * size.height)
      for y in 0..<size.height {
        for x in 0..<size.width { codes.append(code(part, x, y)) }
      }
      parts.append(codes)
    }
  }

  /// Returns the columns and rows of a component: chroma has its own, all others the frame's.
  static func size(
    ofPart part: Int, _ pixelFormat: PixelFormat, _ width: Int, _ height: Int
  ) -> (width: Int, height: Int) {
    guard pixelFormat.layout.model == .yCbCr, part == 1 || part == 2 else { return (width, height) }
    let (x, y) = pixelFormat.layout.chromaSubsampling
    return ((width + x - 1) / x, (height + y - 1) / y)
  }

  func size(ofPart part: Int) -> (width: Int, height: Int) {
    CodePicture.size(ofPart: part, pixelFormat, width, height)
  }

  /// Returns a code's plane and its offset in bytes, for the given strides of the planes.
  private static func place(
    _ layout: PixelLayout, part: Int, x: Int, y: Int, strides: [Int]
  ) -> (plane: Int, offset: Int) {
    var x = x
    var component = part < layout.components.count ? layout.components[part] : layout.alpha!
    if part == 0, let second = layout.secondLuma {
      if x % 2 == 1 { component = second }
      x /= 2
    }
    let plane = layout.planes[component.plane]
    return (
      component.plane,
      y * strides[component.plane] + x * plane.bytesPerTexel
        + component.channel * plane.bytesPerChannel
    )
  }

  /// Returns the frame as from a decoder, with `padding` junk bytes after each row.
  func pixels(padding: Int = 0) -> PixelBuffer {
    let layout = pixelFormat.layout
    let strides = layout.planes.map { $0.width(width) * $0.bytesPerTexel + padding }
    let blocks = layout.planes.indices.map { index in
      let block = UnsafeMutableRawBufferPointer.allocate(
        byteCount: strides[index] * layout.planes[index].height(height), alignment: 16)
      block.initializeMemory(as: UInt8.self, repeating: 0xA5)
      return SentBlock(bytes: block)
    }
    for part in parts.indices {
      let size = size(ofPart: part)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (plane, offset) = CodePicture.place(layout, part: part, x: x, y: y, strides: strides)
          let word = parts[part][y * size.width + x] << layout.shift
          blocks[plane].bytes[offset] = UInt8(word & 255)
          if layout.planes[plane].bytesPerChannel == 2 {
            blocks[plane].bytes[offset + 1] = UInt8(word >> 8)
          }
        }
      }
    }
    return PixelBuffer(
      planes: blocks.indices.map {
        // As from some decoders, the last row has no padding.
        PixelBuffer.Plane(
          baseAddress: blocks[$0].bytes.baseAddress!, stride: strides[$0],
          byteCount: blocks[$0].bytes.count - padding)
      },
      release: { blocks.forEach { $0.bytes.deallocate() } })
  }

  /// Reads a frame's codes.
  init(_ pixels: PixelBuffer, _ pixelFormat: PixelFormat, width: Int, height: Int) {
    let layout = pixelFormat.layout
    let strides = pixels.planes.map(\.stride)
    let planes = pixels.planes.indices.map { index in
      pixels.bytes(ofPlane: index).withUnsafeBytes { [UInt8]($0) }
    }
    self.init(pixelFormat, width: width, height: height) { part, x, y in
      let (plane, offset) = CodePicture.place(layout, part: part, x: x, y: y, strides: strides)
      guard layout.planes[plane].bytesPerChannel == 2 else { return Int(planes[plane][offset]) }
      return (Int(planes[plane][offset]) | Int(planes[plane][offset + 1]) << 8) >> layout.shift
    }
  }
}

private struct SentBlock: @unchecked Sendable {
  // @unchecked: written only by its creator, before the buffer is shared.
  let bytes: UnsafeMutableRawBufferPointer
}

/// Returns a number that looks random and is the same in every run.
func scrambled(_ a: Int, _ b: Int, _ c: Int) -> Int {
  var value = UInt64(truncatingIfNeeded: a &* 73_856_093 ^ b &* 19_349_663 ^ c &* 83_492_791)
  value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
  value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
  return Int(truncatingIfNeeded: (value ^ value >> 31) >> 1)
}
