import EffectLab
import Frames
import Glibc
import ShaderEffects
import TestSupport

/// Pictures as files that need no decoder: these tests link none.
///
/// A file is the width and the height as text, a line end, and then red, green, blue and alpha of each
/// pixel, row after row.
enum PlainPicture {
  /// Writes a picture.
  static func write(_ picture: RGBAPicture, to path: String) throws {
    guard let file = fopen(path, "wb") else { throw TestSupportError("cannot write \(path)") }
    defer { fclose(file) }
    let bytes = Array("\(picture.width) \(picture.height)\n".utf8) + picture.bytes
    fwrite(bytes, 1, bytes.count, file)
  }

  /// Reads such a picture, or a table (`.cube`): what an `EffectLibrary` asks for.
  @Sendable static func load(_ path: String) throws -> EffectImage {
    let stamp = FileStamp(path: path)
    if path.hasSuffix(".cube") {
      return EffectImage(try CubeTable(path: path), name: path, stamp: stamp)
    }
    let bytes = try readFile(path)
    guard let end = bytes.firstIndex(of: 10) else { throw TestSupportError("\(path) is none") }
    let sizes = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").compactMap {
      Int($0)
    }
    var place = end + 1
    let picture = RGBAPicture(width: sizes[0], height: sizes[1]) { _, _ in
      defer { place += 4 }
      return (bytes[place], bytes[place + 1], bytes[place + 2], bytes[place + 3])
    }
    let frame = Frame(format: picture.format, pixels: try picture.pixelBuffer(), time: .zero)
    return EffectImage(frame, name: path, stamp: stamp)
  }
}
