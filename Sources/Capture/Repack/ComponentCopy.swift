import CFFmpeg
import FFmpegHandles
import Frames

/// Copies the components of an image into another layout one by one, for any two layouts.
///
/// A component with fewer bits is shifted up if it is luma or chroma (as limited range scales), and
/// stretched to the full range if it is RGB, gray or alpha. Chroma that must become finer is repeated.
/// This is slower than swscale, which rounds many of these layouts through YCbCr; it is for the rare
/// layouts. Used by one thread.
struct ComponentCopy {
  private let source: UnsafePointer<AVPixFmtDescriptor>
  private let target: PixelLayout
  private let width: Int
  private let height: Int
  private let isInverted: Bool
  private var line: [UInt16]

  /// Prepares for images of a format and size; nil if the format is unknown.
  init?(source: AVPixelFormat, target: PixelFormat, width: Int, height: Int) {
    guard let descriptor = av_pix_fmt_desc_get(source) else { return nil }
    self.source = descriptor
    self.target = target.layout
    self.width = width
    self.height = height
    isInverted = source == AV_PIX_FMT_MONOWHITE
    line = [UInt16](repeating: 0, count: width)
  }

  /// Copies an image.
  mutating func copy(
    _ picture: UnsafePointer<AVFrame>, into pixels: inout WritablePixels<HeapMemory>
  ) {
    let count = Int(source.pointee.nb_components)
    let hasAlpha = source.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    for (index, component) in target.components.enumerated() {
      // Gray with alpha: red, green and blue all get the gray component.
      copy(picture, part: count < 3 ? 0 : index, to: component, of: &pixels)
    }
    guard let alpha = target.alpha else { return }
    if hasAlpha {
      copy(picture, part: count - 1, to: alpha, of: &pixels)
    } else {
      fill(alpha, of: &pixels)
    }
  }

  private mutating func copy(
    _ picture: UnsafePointer<AVFrame>, part: Int, to component: PixelLayout.Component,
    of pixels: inout WritablePixels<HeapMemory>
  ) {
    let isChroma =
      target.model == .yCbCr && (part == 1 || part == 2)
    let shiftX = isChroma ? Int(source.pointee.log2_chroma_w) : 0
    let shiftY = isChroma ? Int(source.pointee.log2_chroma_h) : 0
    let sourceWidth = (width + (1 << shiftX) - 1) >> shiftX
    let plane = target.planes[component.plane]
    let targetWidth = plane.width(width)
    let repeatX = (1 << shiftX) / plane.subsamplingX
    let repeatY = (1 << shiftY) / plane.subsamplingY
    let depth = withUnsafeBytes(of: source.pointee.comp) {
      Int($0.bindMemory(to: AVComponentDescriptor.self)[part].depth)
    }
    let scale = Scale(
      from: depth, to: target.depth, isStretched: target.model != .yCbCr || part == 3,
      isInverted: isInverted)
    let stride = pixels.stride(ofPlane: component.plane)
    var readRow = -1
    for y in 0..<plane.height(height) {
      if y / repeatY != readRow {
        readRow = y / repeatY
        read(picture, part: part, row: readRow, width: sourceWidth)
        scale.apply(to: &line, count: sourceWidth)
      }
      pixels.withBytes(ofPlane: component.plane) { bytes in
        store(
          to: bytes, at: y * stride + component.channel * plane.bytesPerChannel,
          step: plane.bytesPerTexel, isWide: plane.bytesPerChannel == 2, count: targetWidth,
          repeating: repeatX)
      }
    }
  }

  private mutating func read(
    _ picture: UnsafePointer<AVFrame>, part: Int, row: Int, width: Int
  ) {
    line.withUnsafeMutableBytes { line in
      withUnsafeBytes(of: picture.pointee.data) { data in
        withUnsafeBytes(of: picture.pointee.linesize) { strides in
          guard let data = data.bindMemory(to: UnsafePointer<UInt8>?.self).baseAddress,
            let strides = strides.bindMemory(to: Int32.self).baseAddress
          else { return }
          av_read_image_line2(
            line.baseAddress, UnsafeMutablePointer(mutating: data), strides, source, 0, Int32(row),
            Int32(part), Int32(width), 0, 2)
        }
      }
    }
  }

  private func store(
    to bytes: UnsafeMutableRawBufferPointer, at start: Int, step: Int, isWide: Bool, count: Int,
    repeating: Int
  ) {
    line.withUnsafeBufferPointer { line in
      for x in 0..<count {
        let value = repeating == 1 ? line[x] : line[x / repeating]
        if isWide {
          bytes.storeBytes(
            of: value.littleEndian, toByteOffset: start + x * step, as: UInt16.self)
        } else {
          bytes.storeBytes(
            of: UInt8(truncatingIfNeeded: value), toByteOffset: start + x * step, as: UInt8.self)
        }
      }
    }
  }

  /// Makes an image without alpha opaque.
  private mutating func fill(
    _ alpha: PixelLayout.Component, of pixels: inout WritablePixels<HeapMemory>
  ) {
    let plane = target.planes[alpha.plane]
    for x in 0..<width { line[x] = UInt16(target.maximumCode) }
    let stride = pixels.stride(ofPlane: alpha.plane)
    pixels.withBytes(ofPlane: alpha.plane) { bytes in
      for y in 0..<height {
        store(
          to: bytes, at: y * stride + alpha.channel * plane.bytesPerChannel,
          step: plane.bytesPerTexel, isWide: plane.bytesPerChannel == 2, count: width, repeating: 1)
      }
    }
  }
}

/// Converts numbers to more bits.
private struct Scale {
  let from: Int
  let to: Int
  let isStretched: Bool
  let isInverted: Bool

  func apply(to line: inout [UInt16], count: Int) {
    guard from != to || isInverted else { return }
    let (top, newTop) = (UInt32(1) << from - 1, UInt32(1) << to - 1)
    for x in 0..<count {
      let value = isInverted ? top - UInt32(line[x]) : UInt32(line[x])
      line[x] = UInt16(
        truncatingIfNeeded: isStretched ? (value * newTop + top / 2) / top : value << (to - from))
    }
  }
}
