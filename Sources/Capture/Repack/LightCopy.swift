import CFFmpeg
import FFmpegHandles
import Frames

/// Converts images of floating-point numbers, where 1 is white, to 16 bits.
///
/// Values beyond black or white become black or white. Linear light is encoded with sRGB's curve (IEC
/// 61966-2-1); all other numbers are kept. Used by one thread.
struct LightCopy {
  /// The meaning of a source's numbers.
  struct Meaning: Hashable {
    /// Whether the numbers are linear light, and not encoded for a screen.
    var isLinear = false
    /// Whether the colours are already multiplied by alpha.
    var isMultiplied = false
  }

  let target: PixelFormat
  private let source: AVPixFmtDescriptor
  private let width: Int
  private let height: Int
  private let meaning: Meaning
  private var line: [Float]
  private var alphas: [Float]

  /// sRGB's curve at each number from 0 to 1 whose lower 16 bits are 0.
  ///
  /// Between two of these numbers, a 128th of an octave apart, the curve is almost straight: the error
  /// is under a tenth of a 16-bit code.
  private static let curve: [Float] = (0...(Float(1).bitPattern >> 16)).map { high in
    let light = Float(bitPattern: high << 16)
    guard light > 0.0031308 else { return 12.92 * light }
    return 1.055 * powf(light, 1 / 2.4) - 0.055
  }

  /// Prepares for images of a format and size; nil if the format has no planes of 32-bit floats.
  init?(source: AVPixelFormat, width: Int, height: Int, meaning: Meaning) {
    guard let descriptor = av_pix_fmt_desc_get(source)?.pointee,
      descriptor.flags & UInt64(AV_PIX_FMT_FLAG_FLOAT) != 0, descriptor.comp.0.depth == 32
    else { return nil }
    switch descriptor.nb_components {
    case 1: target = .gray16le
    case 3: target = .gbrp16le
    case 4: target = .gbrap16le
    default: return nil
    }
    self.source = descriptor
    self.width = width
    self.height = height
    self.meaning = meaning
    line = [Float](repeating: 0, count: width)
    alphas = [Float](repeating: 1, count: width)
  }

  /// Converts an image.
  mutating func copy(
    _ picture: UnsafePointer<AVFrame>, into pixels: inout WritablePixels<HeapMemory>
  ) {
    let layout = target.layout
    for y in 0..<height {
      if let alpha = layout.alpha {
        read(picture, part: 3, row: y)
        swap(&line, &alphas)
        store(alphas, to: &pixels, plane: alpha.plane, row: y)
      }
      for (part, component) in layout.components.enumerated() {
        read(picture, part: part, row: y)
        if layout.alpha != nil, meaning.isMultiplied { divideByAlpha() }
        if meaning.isLinear {
          for x in 0..<width { line[x] = LightCopy.coded(line[x]) }
        }
        store(line, to: &pixels, plane: component.plane, row: y)
      }
    }
  }

  private mutating func read(_ picture: UnsafePointer<AVFrame>, part: Int, row: Int) {
    let component = withUnsafeBytes(of: source.comp) {
      $0.bindMemory(to: AVComponentDescriptor.self)[part]
    }
    let (plane, stride) = withUnsafePointer(to: picture.pointee) { frame in
      (
        withUnsafeBytes(of: frame.pointee.data) {
          $0.bindMemory(to: UnsafeRawPointer?.self)[Int(component.plane)]
        },
        withUnsafeBytes(of: frame.pointee.linesize) {
          Int($0.bindMemory(to: Int32.self)[Int(component.plane)])
        }
      )
    }
    guard let plane else { return }
    let start = plane + row * stride + Int(component.offset)
    let isBig = source.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0
    for x in 0..<width {
      let bits = start.loadUnaligned(fromByteOffset: x * Int(component.step), as: UInt32.self)
      line[x] = Float(bitPattern: isBig ? UInt32(bigEndian: bits) : UInt32(littleEndian: bits))
    }
  }

  /// Divides the colours by alpha; colours with alpha 0 add light, and stay.
  private mutating func divideByAlpha() {
    for x in 0..<width where alphas[x] > 0 && alphas[x] < 1 { line[x] /= alphas[x] }
  }

  private func store(
    _ line: [Float], to pixels: inout WritablePixels<HeapMemory>, plane: Int, row: Int
  ) {
    let start = row * pixels.stride(ofPlane: plane)
    pixels.withBytes(ofPlane: plane) { bytes in
      for x in 0..<width {
        // A value that is not a number becomes black.
        let value = line[x] > 0 ? min(line[x], 1) : 0
        bytes.storeBytes(
          of: UInt16((value * 65535).rounded()).littleEndian, toByteOffset: start + x * 2,
          as: UInt16.self)
      }
    }
  }

  /// Encodes light from black to white with sRGB's curve.
  private static func coded(_ light: Float) -> Float {
    guard light > 0 else { return 0 }
    guard light < 1 else { return 1 }
    let (high, low) = (Int(light.bitPattern >> 16), Float(light.bitPattern & 0xFFFF))
    return curve[high] + (curve[high + 1] - curve[high]) * low / 65536
  }
}
