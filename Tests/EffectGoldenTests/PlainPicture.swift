import EffectLab
import Frames
import Glibc
import ShaderEffects
import TestSupport

/// Image files that need no decoder, because these tests link none.
///
/// A file is the width and the height as text, a newline, and then red, green, blue and alpha of each
/// pixel, row by row: one byte each, or two bytes in little-endian order if a third number, 16, follows
/// the height.
enum PlainImage {
  /// Writes an image.
  static func write(_ picture: RGBAImage, to path: String) throws {
    guard let file = fopen(path, "wb") else { throw TestSupportError("cannot write \(path)") }
    defer { fclose(file) }
    let bytes = Array("\(picture.width) \(picture.height)\n".utf8) + picture.bytes
    fwrite(bytes, 1, bytes.count, file)
  }

  /// Reads such an image, or a table (`.cube`), for an `EffectLibrary`.
  @Sendable static func load(_ picture: PictureRequest) throws -> EffectImage {
    let path = picture.words
    let stamp = FileStamp.ofFile(path)
    if path.lowercased().hasSuffix(".cube") {
      return EffectImage(try CubeTable(path: path), name: path, stamp: stamp)
    }
    let bytes = try readFile(path)
    guard let end = bytes.firstIndex(of: 10) else { throw TestSupportError("\(path) is none") }
    let sizes = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").compactMap {
      Int($0)
    }
    if sizes.count == 3 {
      let frame = try deepFrame(bytes[(end + 1)...], width: sizes[0], height: sizes[1])
      return EffectImage(frame, name: path, stamp: stamp)
    }
    var place = end + 1
    let picture = RGBAImage(width: sizes[0], height: sizes[1]) { _, _ in
      defer { place += 4 }
      return (bytes[place], bytes[place + 1], bytes[place + 2], bytes[place + 3])
    }
    let frame = Frame(format: picture.format, pixels: try picture.pixelBuffer(), time: .zero)
    return EffectImage(frame, name: path, stamp: stamp)
  }

  private static func deepFrame(
    _ bytes: ArraySlice<UInt8>, width: Int, height: Int
  ) throws -> Frame {
    let layout = BufferLayout(pixelFormat: .rgba64le, width: width, height: height)
    let pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
    var pixels = try pool.lease()
    pixels.withBytes(ofPlane: 0) { target in
      for (index, byte) in bytes.enumerated() {
        let (row, column) = (index / (width * 8), index % (width * 8))
        target[row * layout.planes[0].stride + column] = byte
      }
    }
    let format = FrameFormat(
      width: width, height: height, pixelFormat: .rgba64le, color: .sRGB)
    return Frame(format: format, pixels: pixels.freeze(), time: .zero)
  }
}
