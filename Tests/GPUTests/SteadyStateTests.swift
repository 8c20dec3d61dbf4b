import Frames
import Testing

@testable import GPU

extension OnDevice {
  @Suite("Frame after frame")
  struct SteadyStateTests {
    @Test("two frames in flight need no more buffers than the first frames did, and stay apart")
    func noNewBuffers() throws {
      let (device, compiler) = (try OnDevice.device(), try OnDevice.compiler())
      let color = ColorDescription(matrix: .bt709, range: .limited, primaries: 1, transfer: 1)
      let format = FrameFormat(width: 34, height: 18, pixelFormat: .yuv420p, color: color)
      let geometry = PictureGeometry(source: format)
      let upload = try Upload(device: device, compiler: compiler, format: format, slotCount: 2)
      let readback = try Readback(
        device: device, compiler: compiler, format: format, geometry: geometry, slotCount: 2)
      let commands = try (0..<2).map { _ in try Commands(device: device) }
      var inFlight: [(slot: Int, luma: Int, pending: Readback.Pending)] = []
      var addresses: Set<UnsafeMutableRawPointer> = []
      var received = 0

      func complete() throws {
        let oldest = inFlight.removeFirst()
        try commands[oldest.slot].wait()
        let pixels = try readback.pixels(of: oldest.pending)
        addresses.insert(pixels.planes[0].baseAddress)
        let result = CodePicture(pixels, .yuv420p, width: 34, height: 18)
        #expect(Set(result.parts[0]) == [oldest.luma])
        received += 1
      }

      for frame in 0..<30 {
        if inFlight.count == 2 { try complete() }
        let luma = 20 + frame * 7
        let picture = CodePicture(.yuv420p, width: 34, height: 18) { part, _, _ in
          part == 0 ? luma : 128
        }
        let slot = frame % 2
        upload.fill(slot: slot, from: picture.pixels())
        try commands[slot].begin()
        let image = upload.record(slot: slot, into: commands[slot])
        let pending = try readback.record(slot: slot, picture: image, into: commands[slot])
        try commands[slot].submit()
        inFlight.append((slot, luma, pending))
      }
      while !inFlight.isEmpty { try complete() }
      #expect(received == 30)
      #expect(addresses.count <= 3)
      #expect(ValidationMessages.total == 0)
    }

    @Test("a result outlives the line that made it")
    func outlives() throws {
      var pixels: PixelBuffer?
      do {
        let (device, compiler) = (try OnDevice.device(), try OnDevice.compiler())
        let format = FrameFormat(width: 8, height: 2, pixelFormat: .rgba, color: .sRGB)
        let upload = try Upload(device: device, compiler: compiler, format: format, slotCount: 1)
        let readback = try Readback(
          device: device, compiler: compiler, format: format,
          geometry: PictureGeometry(source: format), slotCount: 1)
        let commands = try Commands(device: device)
        upload.fill(
          slot: 0,
          from: CodePicture(.rgba, width: 8, height: 2) { part, x, _ in part * 60 + x }.pixels())
        try commands.begin()
        let image = upload.record(slot: 0, into: commands)
        let pending = try readback.record(slot: 0, picture: image, into: commands)
        try commands.submit()
        try commands.wait()
        pixels = try readback.pixels(of: pending)
      }
      let kept = try #require(pixels)
      let result = CodePicture(kept, .rgba, width: 8, height: 2)
      #expect(result.parts[2] == [120, 121, 122, 123, 124, 125, 126, 127] + (120..<128))
      pixels = nil
      #expect(ValidationMessages.total == 0)
    }
  }
}
