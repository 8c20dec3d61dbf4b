import CFFmpeg
import FFmpegHandles
import Frames
import Glibc
import TestSupport
import Testing

@testable import Capture

/// Tests of decoded frames that stay in the memory of hardware, whose part the processor plays with blocks of shared memory.
@Suite("Frames that stay in the memory of hardware")
struct FrameSharingTests {
  @Test(
    "frames that stay in the memory of hardware are those of the processor, also behind a failure")
  func shared() throws {
    let folder = try TemporaryFolder()
    let path = try HardwareFailureTests.file("closed.mov", in: folder)
    let plain = try HardwareFailureTests.Given(path) {
      $0.hardwareStandIn = Self.interleaving { _ in false }
    }
    for place in [Int64(30), 1000] {
      let sharing = PictureSharing()
      let read = try ReadSource(path) { request in
        request.sharing = { sharing }
        request.hardwareStandIn = Self.interleaving {
          if case .packet(place) = $0 { true } else { false }
        }
      }
      let shared = read.frames.filter { $0.pixels.shared != nil }
      #expect(shared.count == PictureSharing.limit, "\(shared.count)")
      #expect(shared.allSatisfy { !$0.pixels.isHere })
      #expect(read.frames.allSatisfy { $0.format.pixelFormat == .nv12 })
      // Read in the block that another device would open.
      for frame in shared { #expect(try frame.sharedBytes() == frame.rawVideo) }
      #expect(read.frames.map(\.planar) == plain.pixels, "\(place)")
      #expect(sharing.reason == nil)
    }
  }

  @Test("a place in the memory of hardware is free again when its frame is released")
  func places() throws {
    let folder = try TemporaryFolder()
    let path = try HardwareFailureTests.file("closed.mov", in: folder)
    let sharing = PictureSharing()
    var request = SourceRequest(input: path)
    request.sharing = { sharing }
    request.hardwareStandIn = Self.interleaving { _ in false }
    let source = try openSource(request)
    var count = 0
    while let sample = try source.next() {
      guard case .frame(let frame) = sample else { continue }
      #expect(frame.pixels.shared != nil, "frame \(count)")
      count += 1
    }
    #expect(count == HardwareFailureTests.frameCount)
  }

  @Test("without memory that can be opened all frames are copied, with planes of their own")
  func unshared() throws {
    let folder = try TemporaryFolder()
    let path = try HardwareFailureTests.file("closed.mov", in: folder)
    let plain = try HardwareFailureTests.Given(path) { _ in }
    let sharing = PictureSharing()
    let copied = try HardwareFailureTests.Given(path) { request in
      request.sharing = { sharing }
      request.hardwareStandIn = HardwareStandIn(
        fails: { _ in 0 }, moved: { interleaved($0) }, mapped: { _ in nil })
    }
    #expect(copied == plain)
    #expect(sharing.reason == "the decoder does not open its memory to others")
    let refused = try HardwareFailureTests.Given(path) { request in
      request.sharing = { PictureSharing(refusal: "there is no GPU") }
      request.hardwareStandIn = Self.interleaving { _ in false }
    }
    #expect(refused == plain)
  }

  @Test("a description of memory with numbers out of range is refused")
  func descriptions() {
    func planes(_ change: (inout AVDRMFrameDescriptor) -> Void) -> [SharedPicture.Plane]? {
      var frame = AVDRMFrameDescriptor()
      frame.nb_objects = 1
      frame.objects.0 = AVDRMObjectDescriptor(fd: 7, size: 6144, format_modifier: 0)
      frame.nb_layers = 2
      for layer in 0..<2 {
        var described = AVDRMLayerDescriptor()
        described.nb_planes = 1
        described.planes.0 = AVDRMPlaneDescriptor(
          object_index: 0, offset: layer * 4096, pitch: 64)
        if layer == 0 { frame.layers.0 = described } else { frame.layers.1 = described }
      }
      change(&frame)
      return SharedPicture.planes(of: frame)
    }
    let expected = [0, 4096].map {
      SharedPicture.Plane(
        descriptor: 7, byteCount: 6144, modifier: 0,
        parts: [SharedPicture.Part(offset: $0, stride: 64)])
    }
    #expect(planes { _ in } == expected)
    // The same as one layer of two planes.
    let together = planes { frame in
      frame.layers.0.planes.1 = frame.layers.1.planes.0
      (frame.nb_layers, frame.layers.0.nb_planes) = (1, 2)
    }
    #expect(together == expected)
    #expect(planes { $0.layers.1.planes.0.object_index = 1 } == nil)
    #expect(planes { $0.layers.1.planes.0.object_index = -1 } == nil)
    #expect(planes { $0.layers.0.planes.0.offset = -4 } == nil)
    #expect(planes { $0.layers.0.planes.0.pitch = 0 } == nil)
    #expect(planes { $0.layers.0.nb_planes = 0 } == nil)
    #expect(planes { $0.nb_layers = 0 } == nil)
    #expect(planes { $0.nb_layers = -1 } == nil)
  }

  /// Gives frames as hardware does, which others can open.
  private static func interleaving(
    _ fails: @escaping @Sendable (HardwareStandIn.Call) -> Bool
  ) -> HardwareStandIn {
    var standIn = HardwareFailureTests.standIn(fails)
    standIn.moved = { interleaved($0) }
    standIn.mapped = { mapped($0) }
    return standIn
  }
}

/// Copies an NV12 frame to a block of memory, and describes it as hardware does.
private func mapped(_ frame: borrowing AVFrameHandle) -> HeldFrame? {
  let source = frame.pointer
  let (width, height) = (Int(source.pointee.width), Int(source.pointee.height))
  var bytes: [UInt8] = []
  for (data, stride, rows) in [
    (source.pointee.data.0, source.pointee.linesize.0, height),
    (source.pointee.data.1, source.pointee.linesize.1, height / 2),
  ] {
    guard let data else { return nil }
    for y in 0..<rows {
      bytes += UnsafeBufferPointer(start: data + y * Int(stride), count: width)
      bytes += [UInt8](repeating: 0, count: 64 - width)
    }
  }
  guard let block = try? SharedBlock(bytes), let made = try? AVFrameHandle() else { return nil }
  let descriptor = UnsafeMutablePointer<AVDRMFrameDescriptor>.allocate(capacity: 1)
  descriptor.initialize(to: AVDRMFrameDescriptor())
  descriptor.pointee.nb_objects = 1
  descriptor.pointee.objects.0 = AVDRMObjectDescriptor(
    fd: block.descriptor, size: block.byteCount, format_modifier: 0)
  descriptor.pointee.nb_layers = 2
  (descriptor.pointee.layers.0.nb_planes, descriptor.pointee.layers.1.nb_planes) = (1, 1)
  descriptor.pointee.layers.0.planes.0 = AVDRMPlaneDescriptor(
    object_index: 0, offset: 0, pitch: 64)
  descriptor.pointee.layers.1.planes.0 = AVDRMPlaneDescriptor(
    object_index: 0, offset: 64 * height, pitch: 64)
  made.pointer.pointee.format = AV_PIX_FMT_DRM_PRIME.rawValue
  let bytePointer = UnsafeMutableRawPointer(descriptor).assumingMemoryBound(to: UInt8.self)
  made.pointer.pointee.data.0 = bytePointer
  made.pointer.pointee.buf.0 = av_buffer_create(
    bytePointer, MemoryLayout<AVDRMFrameDescriptor>.size,
    { block, data in
      data?.deallocate()
      if let block { Unmanaged<SharedBlock>.fromOpaque(block).release() }
    }, Unmanaged.passRetained(block).toOpaque(), 0)
  return HeldFrame(made)
}

extension Frame {
  /// The bytes of the planes, read in the memory of the device.
  fileprivate func sharedBytes() throws -> [UInt8] {
    let shared = try #require(pixels.shared)
    #expect(shared.waitUntilFilled(limit: Rational(1)))
    var bytes: [UInt8] = []
    for (plane, place) in zip(format.pixelFormat.layout.planes, shared.planes) {
      var block = [UInt8](repeating: 0, count: place.byteCount)
      #expect(pread(place.descriptor, &block, block.count, 0) == block.count)
      for y in 0..<plane.height(format.height) {
        let start = place.parts[0].offset + y * place.parts[0].stride
        bytes += block[start..<start + plane.width(format.width) * plane.bytesPerTexel]
      }
    }
    return bytes
  }

  /// The bytes of an NV12 frame in the order of yuv420p.
  fileprivate var planar: [UInt8] {
    let chroma = packed(plane: 1)
    let (blue, red) = (
      stride(from: 0, to: chroma.count, by: 2).map { chroma[$0] },
      stride(from: 1, to: chroma.count, by: 2).map { chroma[$0] }
    )
    return packed(plane: 0) + blue + red
  }
}
