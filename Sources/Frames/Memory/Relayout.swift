/// Puts the samples of frames into another layout that holds the same ones, such as those of NV12 into yuv420p.
///
/// No number changes. Used by one thread at a time.
public struct Relayout: Sendable {
  public let source: FrameFormat
  private let target: PixelFormat
  private let copies: [Copy]
  private let pool: PixelBufferPool<HeapMemory>

  /// The samples of one component in each row, from every `step`th byte of a plane to every `otherStep`th one of another.
  private struct Copy {
    let plane: Int
    let first: Int
    let step: Int
    let other: Int
    let otherFirst: Int
    let otherStep: Int
    let count: Int
    let rows: Int
  }

  /// Prepares for frames of a format; nil unless a copy of their samples into the other layout is the same picture.
  public init?(of source: FrameFormat, as target: PixelFormat) {
    guard source.pixelFormat.holdsSameSamples(as: target) else { return nil }
    (self.source, self.target) = (source, target)
    let (from, to) = (source.pixelFormat.layout, target.layout)
    let (width, height) = (source.width, source.height)
    func copy(
      _ own: PixelLayout.Component, _ other: Int, skipped: Int = 0, each: Int = 1, count: Int? = nil
    ) -> Copy {
      let (plane, place) = (from.planes[own.plane], to.planes[other])
      return Copy(
        plane: own.plane, first: own.channel * plane.bytesPerChannel, step: plane.bytesPerTexel,
        other: other, otherFirst: skipped * place.bytesPerTexel,
        otherStep: each * place.bytesPerTexel, count: count ?? place.width(width),
        rows: place.height(height))
    }
    let chroma = (1...2).map { copy(from.components[$0], to.components[$0].plane) }
    if let second = from.secondLuma {
      copies =
        [
          copy(from.components[0], 0, each: 2, count: (width + 1) / 2),
          copy(second, 0, skipped: 1, each: 2, count: width / 2),
        ] + chroma
    } else {
      copies = [copy(from.components[0], 0)] + chroma
    }
    let layout = BufferLayout(pixelFormat: target, width: width, height: height)
    pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
  }

  /// Returns a frame with the same samples in the other layout.
  public func arranged(_ frame: Frame) throws -> Frame {
    var pixels = try pool.lease()
    let isWide = target.layout.depth > 8
    let shift = UInt16(source.pixelFormat.layout.shift)
    for copy in copies {
      let (stride, otherStride) = (
        frame.pixels.planes[copy.plane].stride, pixels.stride(ofPlane: copy.other)
      )
      frame.pixels.bytes(ofPlane: copy.plane).withUnsafeBytes { source in
        pixels.withBytes(ofPlane: copy.other) { target in
          for y in 0..<copy.rows {
            var (read, write) = (y * stride + copy.first, y * otherStride + copy.otherFirst)
            for _ in 0..<copy.count {
              if isWide {
                let code = source.loadUnaligned(fromByteOffset: read, as: UInt16.self)
                target.storeBytes(of: code >> shift, toByteOffset: write, as: UInt16.self)
              } else {
                target[write] = source[read]
              }
              (read, write) = (read &+ copy.step, write &+ copy.otherStep)
            }
          }
        }
      }
    }
    var arranged = frame
    arranged.format.pixelFormat = target
    arranged.pixels = pixels.freeze()
    return arranged
  }
}

extension PixelFormat {
  /// Whether every sample has a place of its own in a format with a plane for each component, and the other way round.
  public func holdsSameSamples(as other: PixelFormat) -> Bool {
    let (own, other) = (layout, other.layout)
    return own.model == .yCbCr && other.model == .yCbCr && own.depth == other.depth
      && own.chromaSubsampling == other.chromaSubsampling && own.alpha == nil && other.alpha == nil
      && other.planes.count == 3 && own.planes.count < 3
  }
}
