import Frames
import Glibc
import TestSupport
import Testing

@testable import GPU
@testable import Render

/// Tests of what decides whether a picture is read where another device has it, with invented GPUs.
@Suite("Pictures in another device's memory")
struct SharingTests {
  private static let tiled: UInt64 = 0x0100_0000_0000_0002

  /// A GPU that reads pictures row by row, and in another order that has two parts a plane.
  private static var able: SharingFacts {
    var facts = SharingFacts()
    facts.extensions = [
      SharingFacts.descriptors, SharingFacts.buffers, SharingFacts.modifiers,
      SharingFacts.foreignQueues,
    ]
    facts.orders = [.r8: [tiled: 1], .rg8: [tiled: 2]]
    facts.results = .any
    return facts
  }

  private static let format = FrameFormat(
    width: 30, height: 20, pixelFormat: .nv12,
    color: ColorDescription(matrix: .bt709, range: .limited, primaries: 1, transfer: 1))

  private static func picture(
    modifier: UInt64 = SharedPicture.rowByRow,
    parts: [[SharedPicture.Part]] = [
      [SharedPicture.Part(offset: 0, stride: 64)], [SharedPicture.Part(offset: 1280, stride: 64)],
    ], byteCount: Int = 1920
  ) -> SharedPicture {
    SharedPicture(
      planes: parts.map {
        SharedPicture.Plane(descriptor: -1, byteCount: byteCount, modifier: modifier, parts: $0)
      }
    ) {}
  }

  @Test("a GPU with all that is needed reads them")
  func able() {
    #expect(Self.able.refusal == nil)
    #expect(Self.able.refusal(of: Self.picture(), Self.format) == nil)
    let parts = [[0], [1280, 1900]].map { $0.map { SharedPicture.Part(offset: $0, stride: 64) } }
    let tiled = Self.picture(modifier: Self.tiled, parts: parts)
    #expect(Self.able.refusal(of: tiled, Self.format) == nil)
    #expect(
      Self.able.used == [
        "VK_KHR_external_memory_fd", "VK_EXT_external_memory_dma_buf",
        "VK_EXT_queue_family_foreign", "VK_EXT_image_drm_format_modifier",
      ])
  }

  @Test("what is missing is named, and nothing of it is switched on")
  func unable() {
    var facts = Self.able
    facts.extensions.remove(SharingFacts.buffers)
    let reason = "the GPU's driver lacks VK_EXT_external_memory_dma_buf"
    #expect(facts.refusal == reason && facts.used.isEmpty)
    #expect(facts.refusal(of: Self.picture(), Self.format) == reason)
    facts = Self.able
    facts.isProcessor = true
    #expect(facts.refusal == "effects run on the processor")
  }

  @Test("results stay where they are if the driver opens buffers to others")
  func results() {
    var facts = Self.able
    #expect(facts.refusalOfResults == nil)
    facts.results = .refused
    #expect(facts.refusalOfResults == "the GPU's driver does not open its buffers to others")
    #expect(facts.refusal == nil)
    facts.isProcessor = true
    #expect(facts.refusalOfResults == "effects run on the processor")
    facts = Self.able
    facts.extensions.remove(SharingFacts.descriptors)
    #expect(facts.refusalOfResults == "the GPU's driver lacks VK_KHR_external_memory_fd")
  }

  @Test("an order that the GPU does not read is named")
  func orders() {
    var facts = Self.able
    let tiled = Self.picture(modifier: Self.tiled)
    #expect(
      facts.refusal(of: tiled, Self.format)
        == "the decoder describes 1 of the 2 parts of its order 0x100000000000002")
    facts.orders[.rg8] = [:]
    #expect(
      facts.refusal(of: tiled, Self.format)
        == "the GPU cannot read texels in the decoder's order 0x100000000000002")
    facts.extensions.remove(SharingFacts.modifiers)
    #expect(
      facts.refusal(of: tiled, Self.format)
        == "the GPU's driver lacks VK_EXT_image_drm_format_modifier, and the picture's order is "
        + "0x100000000000002")
    #expect(facts.refusal(of: Self.picture(), Self.format) == nil)
  }

  @Test(
    "numbers that lead out of the memory are refused",
    arguments: [
      (29, 0, 1920), (64, 1281, 1920), (64, 1284, 1889), (-64, 0, 1920), (1 << 40, 0, 1920),
      (Int.max - 1, 0, Int.max),
    ])
  func numbers(stride: Int, offset: Int, byteCount: Int) {
    let picture = Self.picture(
      parts: [
        [SharedPicture.Part(offset: 0, stride: 64)],
        [SharedPicture.Part(offset: offset, stride: stride)],
      ], byteCount: byteCount)
    #expect(
      Self.able.refusal(of: picture, Self.format)?.contains("do not fit its memory") == true)
  }

  @Test("the number of planes and their size are looked at")
  func planes() {
    let one = Self.picture(parts: [[SharedPicture.Part(offset: 0, stride: 64)]])
    #expect(
      Self.able.refusal(of: one, Self.format)
        == "the decoder's picture has 1 planes instead of 2")
    var facts = Self.able
    facts.maxImageDimension = 16
    #expect(
      facts.refusal(of: Self.picture(), Self.format) == "the picture is larger than 16 pixels")
  }

  @Test("pictures stay with a device until one fails, and only some at once")
  func limit() {
    let sharing = PictureSharing()
    #expect((0..<PictureSharing.limit).allSatisfy { _ in sharing.take() })
    #expect(!sharing.take())
    sharing.giveBack()
    #expect(sharing.take() && !sharing.take())
    sharing.stop(because: "the first")
    sharing.stop(because: "the second")
    sharing.giveBack()
    #expect(sharing.reason == "the first" && !sharing.take())
  }
}

/// Whether the tests run with a driver that opens DMA-BUFs (`make sharing-test`).
private let isShared = getenv("KFREC_SHARING_TESTS") != nil

extension OnDevice.OfTheirOwn {
  /// Tests with a driver that opens the memory of others.
  @Suite("A driver that opens the memory of others", .enabled(if: isShared))
  struct SharedMemoryTests {
    init() throws { _ = try OnDevice.device() }

    private static let fused = FusionPolicy(storage: .images, packsWords: false, fuses: true)

    /// Renders a picture that lies in a block of memory; `fetched` is called if the processor copies it.
    private static func render(
      _ picture: CodePicture, color: ColorDescription, offset: Int, stride: Int,
      byteCount: Int? = nil, on sharing: Device, fetched: @escaping @Sendable () -> Void
    ) throws -> CodePicture {
      let compiler = try OnDevice.compiler()
      let format = FrameFormat(
        width: picture.width, height: picture.height, pixelFormat: picture.pixelFormat,
        color: color)
      let output = FrameFormat(
        width: picture.width, height: picture.height, pixelFormat: .yuv420p, color: color)
      let pipeline = try RenderPipeline(
        device: sharing, compiler: compiler, source: format,
        geometry: FrameGeometry(source: format), effects: [], sink: output, policy: fused)
      let plain = picture.pixels()
      var bytes = [UInt8](repeating: 0x5A, count: offset)
      var parts: [SharedPicture.Part] = []
      for (index, plane) in format.pixelFormat.layout.planes.enumerated() {
        parts.append(SharedPicture.Part(offset: bytes.count, stride: stride))
        let row = plane.width(format.width) * plane.bytesPerTexel
        let span = plain.bytes(ofPlane: index)
        for y in 0..<plane.height(format.height) {
          for x in 0..<row {
            bytes.append(
              span.unsafeLoad(fromByteOffset: y * plain.planes[index].stride + x, as: UInt8.self))
          }
          bytes += [UInt8](repeating: 0xA5, count: stride - row)
        }
      }
      bytes += [UInt8](repeating: 0, count: 4096 - bytes.count % 4096)
      let block = try SharedBlock(bytes)
      let shared = SharedPicture(
        planes: parts.map {
          SharedPicture.Plane(
            descriptor: block.descriptor, byteCount: byteCount ?? block.byteCount,
            modifier: SharedPicture.rowByRow, parts: [$0])
        }
      ) { withExtendedLifetime(block) {} }
      let pixels = PixelBuffer(shared: shared) {
        fetched()
        return plain
      }
      let frame = Frame(format: format, pixels: pixels, time: .zero)
      let result = try #require(try pipeline.render([(frame, .start)]).first).pixels
      return CodePicture(result, .yuv420p, width: output.width, height: output.height)
    }

    private static let color = ColorDescription(
      matrix: .bt709, range: .limited, primaries: 1, transfer: 1)

    private static func picture(_ format: PixelFormat) -> CodePicture {
      CodePicture(format, width: 62, height: 34) { part, x, y in
        let code = 16 + (x * [3, 7, 5][part] + y * 11) % 219
        return format == .p010le ? code << 2 : code
      }
    }

    @Test("frames are read where another device has them", arguments: [PixelFormat.nv12, .p010le])
    func read(format: PixelFormat) throws {
      let device = try OnDevice.device()
      let (picture, color) = (Self.picture(format), Self.color)
      try #require(device.physical.sharing.used.count >= 2, "\(device.driver) has no DMA-BUFs")
      // As on a GPU: llvmpipe runs effects on the processor.
      let sharing = try Device(sharing: PictureSharing())
      let plain = try OnDevice.run(picture, color, to: .yuv420p, policy: Self.fused)
      let shared = try Self.render(
        picture, color: color, offset: 256, stride: 192, on: sharing
      ) { Issue.record("the processor copied the frame") }
      #expect(shared == plain)
      #expect(sharing.sharing.reason == nil && ValidationMessages.total == 0)
    }

    @Test(
      "results are written to memory that others open, again and again",
      arguments: [PixelFormat.nv12, .p010le])
    func results(format: PixelFormat) throws {
      let picture = CodePicture(.yuv420p, width: 62, height: 34) { part, x, y in
        16 + (x * [3, 7, 5][part] + y * 11) % 219
      }
      let plain = try OnDevice.run(picture, Self.color, to: format, policy: Self.fused)
      // This driver makes DMA-BUFs with /dev/udmabuf only, which few machines have.
      let device = try Device(results: PictureSharing(), givesDMABufs: false)
      let source = FrameFormat(
        width: 62, height: 34, pixelFormat: .yuv420p, color: Self.color)
      let output = FrameFormat(width: 62, height: 34, pixelFormat: format, color: Self.color)
      let pipeline = try RenderPipeline(
        device: device, compiler: OnDevice.compiler(), source: source,
        geometry: FrameGeometry(source: source), effects: [], sink: output, policy: Self.fused,
        sharesResults: true)
      // More frames than are in flight, so that buffers come back and are given again.
      for _ in 0..<5 {
        let frame = Frame(format: source, pixels: picture.pixels(), time: .zero)
        let pixels = try #require(try pipeline.render([(frame, .start)]).first).pixels
        #expect(CodePicture(pixels, format, width: 62, height: 34) == plain)
        let shared = try #require(pixels.shared)
        #expect(shared.planes.map(\.parts[0].offset) == [0, 64 * 256])
        #expect(shared.planes.allSatisfy { $0.modifier == SharedPicture.rowByRow })
        #expect(try Self.read(shared, format) == plain)
      }
      #expect(device.results.reason == nil && ValidationMessages.total == 0)
    }

    /// The picture as somebody else sees it, by its descriptor; this driver has a page of its own before the memory.
    private static func read(_ shared: SharedPicture, _ format: PixelFormat) throws -> CodePicture {
      let place = shared.planes[0]
      let size = Int(lseek(place.descriptor, 0, SEEK_END))
      let memory = mmap(nil, size, PROT_READ, MAP_SHARED, place.descriptor, 0)
      let bytes = try #require(memory == MAP_FAILED ? nil : memory)
      let pixels = PixelBuffer(
        planes: shared.planes.map {
          PixelBuffer.Plane(
            baseAddress: bytes + 4096 + $0.parts[0].offset, stride: $0.parts[0].stride,
            byteCount: size - 4096 - $0.parts[0].offset)
        }
      ) {}
      defer { munmap(bytes, size) }
      return CodePicture(pixels, format, width: 62, height: 34)
    }

    @Test("results are written to plain memory from when others do not open them")
    func refusedResults() throws {
      let device = try Device(results: PictureSharing(), givesDMABufs: false)
      let source = FrameFormat(
        width: 62, height: 34, pixelFormat: .yuv420p, color: Self.color)
      var output = source
      output.pixelFormat = .nv12
      let pipeline = try RenderPipeline(
        device: device, compiler: OnDevice.compiler(), source: source,
        geometry: FrameGeometry(source: source), effects: [], sink: output, policy: Self.fused,
        sharesResults: true)
      device.results.stop(because: "the encoder does not open them")
      let picture = CodePicture(.yuv420p, width: 62, height: 34) { _, x, y in x + y }
      let frame = Frame(format: source, pixels: picture.pixels(), time: .zero)
      let pixels = try #require(try pipeline.render([(frame, .start)]).first).pixels
      #expect(pixels.shared == nil)
      let plain = try OnDevice.run(picture, Self.color, to: .nv12, policy: Self.fused)
      #expect(CodePicture(pixels, .nv12, width: 62, height: 34) == plain)
    }

    @Test("frames that the driver does not open are copied, and so are all later ones")
    func copied() throws {
      let (picture, color) = (Self.picture(.nv12), Self.color)
      let device = try Device(sharing: PictureSharing())
      let plain = try OnDevice.run(picture, color, to: .yuv420p, policy: Self.fused)
      // Rows that end behind the block.
      let shared = try Self.render(
        picture, color: color, offset: 0, stride: 128, byteCount: 4096, on: device
      ) {}
      #expect(shared == plain)
      #expect(device.sharing.reason?.contains("do not fit its memory") == true)
    }
  }
}
