import CFFmpeg
import FFmpegHandles
import Frames
import Glibc
import TestSupport
import Testing

@testable import Encode

/// A picture whose samples follow from their places, with both parts of chroma in one plane or apart.
private struct Sample {
  let format: FrameFormat
  let index: Int

  private static func code(_ part: Int, _ x: Int, _ y: Int, _ index: Int) -> UInt16 {
    UInt16(16 + (x * [3, 7, 5][part] + y * 11 + index * 13) % 219)
  }

  /// The planes one after the other, with rows of `stride` bytes.
  func bytes(stride: Int) -> (bytes: [UInt8], offsets: [Int]) {
    let layout = format.pixelFormat.layout
    var bytes: [UInt8] = []
    var offsets: [Int] = []
    for (place, plane) in layout.planes.enumerated() {
      offsets.append(bytes.count)
      let parts = (0..<3).filter { layout.components[$0].plane == place }
      for y in 0..<plane.height(format.height) {
        var row: [UInt8] = []
        for x in 0..<plane.width(format.width) {
          for part in parts {
            let code = Self.code(part, x, y, index) << (layout.depth > 8 ? 2 + layout.shift : 0)
            row.append(UInt8(code & 255))
            if layout.depth > 8 { row.append(UInt8(code >> 8)) }
          }
        }
        bytes += row + [UInt8](repeating: 0xA5, count: stride - row.count)
      }
    }
    return (bytes + [UInt8](repeating: 0, count: 4096 - bytes.count % 4096), offsets)
  }

  /// Pixels in the processor's memory, which another device has too if it is given.
  func pixels(stride: Int = 256, shared: SharedPicture? = nil) -> PixelBuffer {
    let (bytes, offsets) = bytes(stride: stride)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 64)
    block.copyBytes(from: bytes)
    let kept = Kept(block: block)
    return PixelBuffer(
      planes: offsets.map {
        PixelBuffer.Plane(
          baseAddress: block.baseAddress! + $0, stride: stride, byteCount: bytes.count - $0)
      }, shared: shared
    ) { kept.block.deallocate() }
  }

  /// The same in a block that others open.
  func shared(stride: Int = 256) throws -> SharedPicture {
    let (bytes, offsets) = bytes(stride: stride)
    let block = try SharedBlock(bytes)
    return SharedPicture(
      planes: offsets.map {
        SharedPicture.Plane(
          descriptor: block.descriptor, byteCount: block.byteCount,
          modifier: SharedPicture.rowByRow,
          parts: [SharedPicture.Part(offset: $0, stride: stride)])
      }
    ) { withExtendedLifetime(block) {} }
  }

  /// A frame of FFmpeg's without pixels.
  func frame() throws -> AVFrameHandle {
    let frame = try AVFrameHandle()
    (frame.pointer.pointee.width, frame.pointer.pointee.height) = (
      Int32(format.width), Int32(format.height)
    )
    frame.pointer.pointee.format = format.pixelFormat.avPixelFormat.rawValue
    frame.pointer.pointee.pts = Int64(index)
    return frame
  }

  private struct Kept: @unchecked Sendable {
    // @unchecked: nobody writes to it.
    let block: UnsafeMutableRawBufferPointer
  }
}

/// The samples that came back from the surfaces of a device.
private func expectSamples(
  of sent: UnsafeMutablePointer<AVFrame>, _ sample: Sample
) throws {
  let back = try AVFrameHandle()
  try check(av_hwframe_transfer_data(back.pointer, sent, 0), "av_hwframe_transfer_data", "")
  let (bytes, offsets) = sample.bytes(stride: 256)
  let planes = [
    (back.pointer.pointee.data.0, back.pointer.pointee.linesize.0),
    (back.pointer.pointee.data.1, back.pointer.pointee.linesize.1),
  ]
  for (index, plane) in sample.format.pixelFormat.layout.planes.enumerated() {
    let row = plane.width(sample.format.width) * plane.bytesPerTexel
    let data = try #require(planes[index].0)
    for y in 0..<plane.height(sample.format.height) {
      let start = offsets[index] + y * 256
      let found = UnsafeBufferPointer(start: data + y * Int(planes[index].1), count: row)
      #expect(found.elementsEqual(bytes[start..<start + row]), "plane \(index), row \(y)")
    }
  }
}

@Suite("Frames that encoders open where another device has them")
struct SharedFrameTests {
  fileprivate static func sample(_ format: PixelFormat, _ index: Int = 0) -> Sample {
    Sample(
      format: FrameFormat(width: 62, height: 34, pixelFormat: format, color: .hd), index: index)
  }

  @Test(
    "a picture is described as VA-API's drivers describe theirs",
    arguments: [(PixelFormat.nv12, "R8  RG88"), (.p010le, "R16 RG32")])
  func description(format: PixelFormat, names: String) throws {
    let sample = Self.sample(format)
    let picture = try sample.shared()
    let shared = try #require(
      SharedFrame(picture, of: sample.pixels(shared: picture), format))
    let frame = shared.description.pointee
    #expect(frame.nb_objects == 1 && frame.nb_layers == 2)
    #expect(frame.objects.0.fd == picture.planes[0].descriptor)
    #expect(frame.objects.0.size == picture.planes[0].byteCount)
    #expect(frame.objects.0.format_modifier == 0)
    let layers = [frame.layers.0, frame.layers.1]
    let found = layers.map { layer in
      String(decoding: (0..<4).map { UInt8(layer.format >> (8 * $0) & 255) }, as: UTF8.self)
    }
    #expect(found.joined() == names)
    #expect(layers.map(\.nb_planes) == [1, 1])
    #expect(layers.map(\.planes.0.object_index) == [0, 0])
    #expect(layers.map(\.planes.0.offset) == [0, 256 * 34])
    #expect(layers.map(\.planes.0.pitch) == [256, 256])
  }

  @Test("memory that such a description cannot say is not described")
  func undescribed() throws {
    let sample = Self.sample(.nv12)
    let planes = try sample.shared().planes
    func described(_ format: PixelFormat = .nv12, _ change: (inout [SharedPicture.Plane]) -> Void)
      -> Bool
    {
      var changed = planes
      change(&changed)
      let picture = SharedPicture(planes: changed) {}
      return SharedFrame(picture, of: sample.pixels(shared: picture), format) != nil
    }
    #expect(described { _ in })
    #expect(!described(.yuv420p) { _ in })
    #expect(!described { $0[1].descriptor += 1 })
    #expect(!described { $0[1].modifier = 1 })
    #expect(!described { $0[1].parts.append($0[1].parts[0]) })
    #expect(!described { $0.removeLast() })
  }

  @Test("a picture stays where it is for as long as the encoder has it")
  func lifetime() throws {
    let sample = Self.sample(.nv12)
    let frame = try AVFrameHandle()
    weak var pixels: PixelBuffer?
    do {
      let picture = try sample.shared()
      let held = sample.pixels(shared: picture)
      pixels = held
      try #require(SharedFrame(picture, of: held, .nv12)).become(
        frame.pointer, width: 62, height: 34)
    }
    #expect(pixels != nil && frame.pointer.pointee.format == AV_PIX_FMT_DRM_PRIME.rawValue)
    frame.clear()
    #expect(pixels == nil)
  }

  @Test("frames that the encoder's device does not open are copied, with one reason")
  func copied() throws {
    // FFmpeg opens no DMA-BUFs with the software driver of Debian 12.
    guard getenv("KFREC_SHARING_TESTS") == nil else { return }
    let sharing = PictureSharing()
    let format = Self.sample(.nv12).format
    let feed = try EncoderFeed(
      format, layout: AV_PIX_FMT_NV12, device: AV_HWDEVICE_TYPE_VULKAN, sharing: sharing)
    for index in 0..<3 {
      let sample = Self.sample(.nv12, index)
      let frame = try sample.frame()
      let sent = try feed.prepared(frame, of: sample.pixels(shared: try sample.shared()))
      #expect(sent.pointee.hw_frames_ctx != nil && sent.pointee.pts == Int64(index))
      try expectSamples(of: sent, sample)
    }
    #expect(
      sharing.reason?.hasPrefix("the encoder does not open them (") == true,
      "\(sharing.reason ?? "none")")
  }

  @Test(
    "encoders on the processor take frames that were made for hardware, and make the same of them",
    arguments: ["libx264", "libx265", "mpeg4", "ffv1"])
  func processor(codec: String) throws {
    func packets(_ format: PixelFormat) throws -> [[UInt8]] {
      var settings = EncodeSettings()
      (settings.codec, settings.pixelFormat) = (codec, format.planar ?? format)
      let request = SinkRequest(
        format: Self.sample(format).format, frameRate: 25, timeBase: Rational(1, 25))
      var plan = try EncoderChoice(settings: settings, container: .mkv).plan(
        settings: settings, request: request, timeBase: Rational(1, 25))
      plan.threads = 1
      var encoder = try VideoEncoder(plan, globalHeader: true)
      var packets: [[UInt8]] = []
      func receive() throws {
        while let packet = try encoder.receive() {
          packets.append(
            Array(
              UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))))
        }
      }
      for index in 0..<5 {
        let sample = Self.sample(format, index)
        try encoder.send(
          Frame(format: sample.format, pixels: sample.pixels(), time: Rational(Int64(index), 25)),
          ticks: Int64(index))
        try receive()
      }
      try encoder.drain()
      try receive()
      return packets
    }
    let apart = try packets(.yuv420p)
    #expect(apart.count == 5)
    #expect(try packets(.nv12) == apart)
    if codec == "libx265" { #expect(try packets(.p010le) == packets(.yuv420p10le)) }
  }

  @Test("frames are made for hardware where the first that seems present takes them so")
  func preference() throws {
    func wants(
      _ hardware: HardwarePreference, codec: String? = nil, present: Set<HardwareFamily>,
      change: (inout EncodeSettings) -> Void = { _ in }
    ) throws -> Bool {
      var settings = EncodeSettings()
      (settings.hardware, settings.codec) = (hardware, codec)
      change(&settings)
      return try EncoderChoice(settings: settings, container: .mkv).wantsSemiPlanar(settings) {
        present.contains($0)
      }
    }
    #expect(try wants(.automatic, present: [.vaapi]))
    #expect(try wants(.required, codec: "hevc", present: [.qsv, .vaapi]))
    #expect(try !wants(.automatic, present: [.nvidia, .vaapi]))
    #expect(try !wants(.automatic, present: []))
    #expect(try !wants(.off, present: [.vaapi]))
    #expect(try !wants(.automatic, present: [.v4l2m2m]))
    #expect(try !wants(.family(.nvidia), present: [.vaapi]))
    #expect(try !wants(.automatic, codec: "libx264", present: [.vaapi]))
    #expect(try !wants(.automatic, codec: "ffv1", present: [.vaapi]))
    #expect(try wants(.off, codec: "h264_vaapi", present: [.vaapi]))
    #expect(try !wants(.automatic, present: [.vaapi]) { $0.isPart = true })
  }

  @Test(
    "every encoder on hardware takes frames that were made for another one",
    arguments: ["h264_nvenc", "h264_qsv", "h264_vaapi", "h264_v4l2m2m"])
  func others(codec: String) throws {
    var settings = EncodeSettings()
    (settings.codec, settings.pixelFormat) = (codec, .nv12)
    #expect(try EncoderChoice(settings: settings, container: .mkv).pixelFormat == .nv12)
    let found = try #require(avcodec_find_encoder_by_name(codec))
    let encoder = try #require(HardwareEncoder(found))
    #expect(
      encoder.layout(of: .nv12)
        == (codec == "h264_v4l2m2m" ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_NV12))
  }
}

/// With a driver that opens the memory of others (`make sharing-test`).
@Suite(
  "An encoder's device that opens the memory of others",
  .enabled(if: getenv("KFREC_SHARING_TESTS") != nil))
struct SharedMemoryTests {
  @Test(
    "frames are read where another device has them, and nothing is copied",
    arguments: [PixelFormat.nv12, .p010le])
  func opened(format: PixelFormat) throws {
    // FFmpeg 7 opens them on a Vulkan device only with VK_EXT_image_drm_format_modifier, which this driver lacks: then they
    // are copied, and the reason is told.
    let isOpened = avutil_version() >> 16 < 59
    let sharing = PictureSharing()
    let sample = SharedFrameTests.sample(format)
    let feed = try EncoderFeed(
      sample.format, layout: format.avPixelFormat, device: AV_HWDEVICE_TYPE_VULKAN,
      sharing: sharing)
    for index in 0..<5 {
      let sample = SharedFrameTests.sample(format, index)
      let pixels = PixelBuffer(shared: try sample.shared()) {
        if isOpened { Issue.record("the processor copied the frame") }
        return sample.pixels()
      }
      let frame = try sample.frame()
      let sent = try feed.prepared(frame, of: pixels)
      if isOpened { #expect(sent.pointee.format == AV_PIX_FMT_VULKAN.rawValue) }
      #expect(sent.pointee.pts == Int64(index))
      try expectSamples(of: sent, sample)
      feed.release()
    }
    let refusal = "the encoder does not open them (this FFmpeg cannot do that)"
    #expect(sharing.reason == (isOpened ? nil : refusal))
  }
}
