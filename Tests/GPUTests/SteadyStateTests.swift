import Frames
import Testing

@testable import GPU
@testable import Render

extension OnDevice {
  @Suite("Many frames in a row")
  struct SteadyStateTests {
    @Test("two frames in flight need no more buffers than the first frames, and do not mix")
    func noNewBuffers() throws {
      let (device, compiler) = (try OnDevice.device(), try OnDevice.compiler())
      let color = ColorDescription(matrix: .bt709, range: .limited, primaries: 1, transfer: 1)
      let format = FrameFormat(width: 34, height: 18, pixelFormat: .yuv420p, color: color)
      let geometry = FrameGeometry(source: format)
      let pipeline = try RenderPipeline(
        device: device, compiler: compiler, source: format, geometry: geometry, effects: [],
        sink: format)
      var lumas: [Int] = []
      var addresses: Set<UnsafeRawPointer> = []
      var received = 0

      func receive(_ done: Frame) -> Bool {
        if let address = done.pixels.bytes(ofPlane: 0).withUnsafeBytes({ $0.baseAddress }) {
          addresses.insert(address)
        }
        let result = CodePicture(done.pixels, .yuv420p, width: 34, height: 18)
        #expect(Set(result.parts[0]) == [lumas.removeFirst()])
        received += 1
        return true
      }

      for frame in 0..<30 {
        let luma = 20 + frame * 7
        let picture = CodePicture(.yuv420p, width: 34, height: 18) { part, _, _ in
          part == 0 ? luma : 128
        }
        lumas.append(luma)
        let isWanted = try pipeline.render(
          FrameSet(Frame(format: format, pixels: picture.pixels(), time: .zero)),
          clock: .start, receive: receive)
        #expect(isWanted)
      }
      #expect(try pipeline.finish(receive: receive))
      #expect(received == 30)
      #expect(addresses.count <= 3)
      #expect(ValidationMessages.total == 0)
    }

    @Test("a result outlives the pipeline that made it")
    func outlives() throws {
      var pixels: PixelBuffer?
      do {
        let (device, compiler) = (try OnDevice.device(), try OnDevice.compiler())
        let format = FrameFormat(width: 8, height: 2, pixelFormat: .rgba, color: .sRGB)
        let pipeline = try RenderPipeline(
          device: device, compiler: compiler, source: format,
          geometry: FrameGeometry(source: format), effects: [], sink: format)
        let picture = CodePicture(.rgba, width: 8, height: 2) { part, x, _ in part * 60 + x }
        let frame = Frame(format: format, pixels: picture.pixels(), time: .zero)
        pixels = try pipeline.render([(frame, .start)]).first?.pixels
      }
      let kept = try #require(pixels)
      let result = CodePicture(kept, .rgba, width: 8, height: 2)
      #expect(result.parts[2] == [120, 121, 122, 123, 124, 125, 126, 127] + (120..<128))
      pixels = nil
      #expect(ValidationMessages.total == 0)
    }
  }
}
