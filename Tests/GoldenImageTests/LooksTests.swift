import EffectLab
import Frames
import GPU
import Glibc
import Recorder
import Render
import ShaderEffects
import TestDevice
import TestSupport
import Testing

@testable import kfrec

extension GoldenImages {
  /// Compares the looks of effects at different sizes of the same film.
  @Suite("The look of an effect does not depend on the size of the picture")
  struct LooksTests {
    private static let (folder, library) = (GoldenImages.folder, GoldenImages.library)

    /// The effects with the bounds that their golden files state.
    private static func stated() throws -> [StatedLooks] {
      try library.descriptions().filter { $0.path.hasPrefix(folder + "/") }.compactMap { effect in
        let file = try GoldenFile(path: "\(folder)/\(effect.name).golden.json")
        return file.looks.map { StatedLooks(effect: effect.name, looks: $0) }
      }
    }

    struct StatedLooks: Sendable, CustomStringConvertible {
      let effect: String
      let looks: GoldenFile.Looks
      var description: String { effect }
    }

    @Test("1280x720 looks like 320x180, and 720x1280 like 180x320", arguments: try stated())
    func looks(_ stated: StatedLooks) throws {
      let use = try GoldenImages.spec(stated.effect, stated.looks.parameters)
      for film in try Self.films.get() {
        let large = try Self.render(film.large, use)
        let small = try Self.render(film.small, use)
        let difference = Self.difference(large, small)
        #expect(
          difference <= stated.looks.bound,
          "\(stated.effect) at \(film.large.width)x\(film.large.height): \(difference)")
      }
    }

    @Test("Each effect that comes with kfrec states how far its look may change with the size")
    func allState() throws {
      let names = try Self.library.descriptions().filter { $0.path.hasPrefix(Self.folder + "/") }
        .map(\.name)
      #expect(try Set(names) == Set(Self.stated().map(\.effect)))
    }

    @Test("A blur of pixels instead of parts of the picture would be noticed")
    func control() throws {
      let film = try Self.films.get()[0]
      let wide = try Self.render(film.large, EffectSpec(parsing: "gaussianBlur:radius=0.05"))
      let narrow = try Self.render(film.small, EffectSpec(parsing: "gaussianBlur:radius=0.01"))
      #expect(Self.difference(wide, narrow) > 6)
    }

    /// Frames of one size, RGBA without padding.
    struct Film: Sendable {
      let width: Int
      let height: Int
      let frames: [[UInt8]]
    }

    private static let frameCount = 4
    /// How many pixels of the large size make one of the small size, on each axis.
    private static let factor = 4

    /// The sample wide and upright, each in two sizes.
    private static let films = Result { () throws -> [(large: Film, small: Film)] in
      try [(1280, 720, "null"), (720, 1280, "crop=203:360")].map { width, height, crop in
        let filter = "\(crop),scale=\(width):\(height):flags=lanczos"
        let area = "scale=\(width / factor):\(height / factor):flags=area"
        return (
          try film(width, height, filter),
          try film(width / factor, height / factor, "\(filter),format=rgba,\(area)")
        )
      }
    }

    private static func film(_ width: Int, _ height: Int, _ filter: String) throws -> Film {
      let folder = try TemporaryFolder()
      let path = folder.file("film.rgba")
      _ = try runTool(
        "ffmpeg",
        [
          "-v", "error", "-ss", "3", "-i", "\(repositoryRoot)/samples/big-buck-bunny.mp4",
          "-frames:v", "\(frameCount)", "-vf", filter, "-pix_fmt", "rgba", "-f", "rawvideo", path,
        ])
      let bytes = try readFile(path)
      let size = width * height * 4
      try #require(bytes.count == size * frameCount)
      return Film(
        width: width, height: height,
        frames: (0..<frameCount).map { Array(bytes[($0 * size)..<(($0 + 1) * size)]) })
    }

    /// The last frame after the effect, RGBA without padding.
    private static func render(_ film: Film, _ use: EffectSpec) throws -> Film {
      let (device, compiler) = try TestDevice.opened()
      let format = FrameFormat(
        width: film.width, height: film.height, pixelFormat: .rgba, color: .sRGB)
      let layout = BufferLayout(pixelFormat: .rgba, width: film.width, height: film.height)
      let rowBytes = film.width * 4
      let pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
      let pipeline = try RenderPipeline(
        device: device, compiler: compiler, source: format,
        geometry: FrameGeometry(source: format),
        effects: [try library.compile(use, with: compiler)], sink: format)
      let moments = try film.frames.enumerated().map { index, bytes in
        var pixels = try pool.lease()
        pixels.withBytes(ofPlane: 0) { target in
          bytes.withUnsafeBytes { source in
            for row in 0..<film.height {
              UnsafeMutableRawBufferPointer(rebasing: target[(row * layout.planes[0].stride)...])
                .copyMemory(
                  from: UnsafeRawBufferPointer(
                    rebasing: source[(row * rowBytes)..<((row + 1) * rowBytes)]))
            }
          }
        }
        let time = Rational(3, 2) + Rational(Int64(index), 25)
        let clock = EffectClock(
          time: time, timeDelta: index == 0 ? .zero : Rational(1, 25), frameIndex: index,
          frameRate: Rational(25), creationTime: nil)
        return (frame: Frame(format: format, pixels: pixels.freeze(), time: time), clock: clock)
      }
      let result = try #require(try pipeline.render(moments).last).pixels
      var bytes: [UInt8] = []
      bytes.reserveCapacity(rowBytes * film.height)
      result.bytes(ofPlane: 0).withUnsafeBytes { source in
        for row in 0..<film.height {
          let start = row * result.planes[0].stride
          bytes += source[start..<(start + rowBytes)]
        }
      }
      return Film(width: film.width, height: film.height, frames: [bytes])
    }

    /// The mean absolute difference of the colours over black, in codes, after the large image was reduced to the small
    /// size by the mean of squares.
    private static func difference(_ large: Film, _ small: Film) -> Double {
      let (wide, side) = (large.width, factor)
      var sum = 0.0
      large.frames[0].withUnsafeBytes { large in
        small.frames[0].withUnsafeBytes { few in
          for y in 0..<small.height {
            for x in 0..<small.width {
              for channel in 0..<3 {
                var total = 0
                for row in 0..<side {
                  for column in 0..<side {
                    let at = ((y * side + row) * wide + x * side + column) * 4
                    total += Int(large[at + channel]) * Int(large[at + 3])
                  }
                }
                let at = (y * small.width + x) * 4
                let here = Int(few[at + channel]) * Int(few[at + 3])
                sum += abs(Double(total) / Double(side * side) - Double(here)) / 255
              }
            }
          }
        }
      }
      return sum / Double(small.width * small.height * 3)
    }
  }
}
