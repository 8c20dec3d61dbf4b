import Frames

/// The ends of a kernel that never runs: how it reads and how it writes.
///
/// A chain reads its source in several ways, and the names of each must go together with those of every effect.
public struct KernelTrial {
  public let reader: PixelLoad
  public let writer: PixelStore
  /// How images are stored.
  public let storage: TextureStorage

  /// Reads and writes a texture, as an effect between others does.
  public static func texture(width: Int, height: Int) -> KernelTrial {
    let picture = TextureDescriptor(width: width, height: height, storage: .images)
    return KernelTrial(reader: picture.reader, writer: picture.writer, storage: .images)
  }

  /// Reads a source's planes, and writes those of an output.
  static func source(_ format: FrameFormat, storage: TextureStorage) -> KernelTrial {
    let layout = BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height)
    let planes = PlaneReader(
      format: format, storage: storage, buffer: layout,
      planes: format.pixelFormat.layout.planes.map { _ in .nothing },
      toneMap: ToneMap(format.color))
    return KernelTrial(reader: planes.reader, writer: writer(format), storage: storage)
  }

  /// Reads a source's words, one for each pixel, which only sources of 8 bits with less chroma than luma have.
  static func words(_ format: FrameFormat) -> KernelTrial {
    let ring = WordReader.Ring(layers: 3, earlierFrames: 1, layer: .nothing)
    let words = WordReader(
      format: format, words: .nothing, fours: .nothing, toneMap: ToneMap(format.color), ring: ring)
    return KernelTrial(reader: words.reader, writer: writer(format), storage: .buffers)
  }

  private static func writer(_ format: FrameFormat) -> PixelStore {
    var format = format
    // Outputs have planes of their own.
    format.pixelFormat = format.pixelFormat.layout.model == .yCbCr ? .yuv420p : .rgba
    return PlanePacker(
      format: format, geometry: FrameGeometry(source: format), dithers: true, isSoftware: true
    ).writer
  }

  /// The ways of reading that together have all names that a source's frames bring into a kernel.
  public static func sources(width: Int, height: Int) -> [KernelTrial] {
    let color = ColorDescription(matrix: .bt709, range: .limited, primaries: 9, transfer: 16)
    func format(_ pixels: PixelFormat) -> FrameFormat {
      FrameFormat(width: width, height: height, pixelFormat: pixels, color: color)
    }
    // A kernel that writes planes holds an effect some twenty times, and is not made of a long one.
    return [source(format(.yuva420p), storage: .images), words(format(.yuv420p))].map { ends in
      let picture = TextureDescriptor(width: width, height: height, storage: ends.storage)
      return KernelTrial(reader: ends.reader, writer: picture.writer, storage: ends.storage)
    }
  }
}
