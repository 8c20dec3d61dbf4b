import CFFmpeg
import FFmpegHandles
import Frames
import Glibc
import Testing

@testable import Encode

/// Tests of what can be known without hardware: the search, its reasons, and how frames are brought to surfaces.
@Suite("Encoders on hardware")
struct HardwareTests {
  let folder = TestFolder()

  private static let format = FrameFormat(
    width: 176, height: 144, pixelFormat: .yuv420p, color: .hd)
  private static var request: SinkRequest {
    SinkRequest(format: format, frameRate: 25, timeBase: Rational(1, 25))
  }

  private func decision(
    _ hardware: HardwarePreference, codec: String? = nil,
    change: (inout EncodeSettings) -> Void = { _ in }
  ) throws(EncodeError) -> EncoderDecision {
    var settings = EncodeSettings()
    (settings.hardware, settings.codec) = (hardware, codec)
    change(&settings)
    return try EncoderChoice(settings: settings, container: .mkv).decide(
      settings: settings, request: Self.request, timeBase: Rational(1, 25), container: .mkv,
      output: "out.mkv")
  }

  @Test(
    "every encoder on hardware works, or gives a reason that helps and does not blame the frames")
  func reasons() {
    let listings = listHardwareEncoders()
    #expect(Set(listings.map(\.family)).isSuperset(of: [.nvidia, .qsv, .vaapi, .v4l2m2m]))
    for listing in listings {
      guard let refusal = listing.refusal else { continue }
      for word in ["--", "FFmpeg gives no reason", "not valid", "behind it failed", "\n"] {
        #expect(!refusal.contains(word), "\(listing.name): \(refusal)")
      }
      if listing.family == .nvidia, dlopen("libcuda.so.1", RTLD_LAZY) == nil {
        #expect(refusal == "there is no NVIDIA driver (libcuda.so.1)")
      }
    }
  }

  @Test(
    "without hardware auto takes the processor, and says so once with a reason for each encoder")
  func automatic() throws {
    let found = try decision(.automatic)
    if HardwareEncoder(found.plan.codec) != nil {
      #expect(found.fallback?.name == "libx264" && found.notices.isEmpty)
    } else {
      #expect(found.plan.name == "libx264" && found.fallback == nil)
      #expect(found.notices.map(\.id) == [.outputHardware])
      for suffix in ["nvenc", "qsv", "vaapi", "v4l2m2m"] {
        #expect(found.refusals.count { $0.hasPrefix("h264_\(suffix): ") } == 1, "\(found.refusals)")
      }
    }
    #expect(try decision(.off).notices.isEmpty)
  }

  @Test("a family tries its own encoder alone, and one without the codec says so")
  func family() throws {
    let one = try decision(.family(.vaapi), codec: "hevc")
    #expect(one.refusals.allSatisfy { $0.hasPrefix("hevc_vaapi: ") }, "\(one.refusals)")
    let none = try decision(.family(.nvidia), codec: "vp9")
    #expect(none.plan.name == "libvpx-vp9")
    #expect(none.refusals == ["this FFmpeg has no such encoder for vp9"])
    let named = try decision(.automatic, codec: "libx264")
    #expect(named.plan.name == "libx264" && named.refusals == ["libx264 was named with --codec"])
  }

  @Test("settings that an encoder on hardware does not take are its reason")
  func settings() throws {
    let found = try decision(.family(.v4l2m2m)) { $0.crf = 20 }
    #expect(found.refusals == ["h264_v4l2m2m has no --crf: use --bitrate"])
    let options = try decision(.family(.vaapi)) { $0.options = [EncoderOption("psy", "0")] }
    #expect(options.refusals.first?.contains("h264_vaapi has no option \"psy\"") == true)
  }

  @Test("on ends before the recording if no hardware encodes, with each reason")
  func required() throws {
    guard HardwareEncoder(try decision(.automatic).plan.codec) == nil else { return }
    let error = #expect(throws: EncodeError.self) { try decision(.required) }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("out.mkv cannot be encoded by hardware (h264_nvenc: "), "\(text)")
    #expect(text.contains("; h264_vaapi: ") && text.contains("--hw auto"), "\(text)")
    #expect(error?.isUsageError == false)
  }

  @Test("a quality becomes what each family calls it, and the processor's plan stays as it is")
  func quality() throws {
    func plan(_ name: String, crf: Double? = nil, bitrate: Int? = nil) throws -> EncoderPlan {
      var settings = EncodeSettings()
      (settings.codec, settings.crf, settings.bitrate) = (name, crf, bitrate)
      return try EncoderChoice(settings: settings, container: .mkv).plan(
        settings: settings, request: Self.request, timeBase: Rational(1, 25))
    }
    let nvidia = try plan("h264_nvenc", crf: 20)
    #expect(nvidia.options == [EncoderOption("rc", "vbr"), EncoderOption("cq", "20.0")])
    #expect(nvidia.bitrate == 0 && nvidia.bFrames == 0)
    let vaapi = try plan("h264_vaapi", crf: 20)
    #expect(vaapi.options == [EncoderOption("rc_mode", "CQP")] && vaapi.quality == 20)
    #expect(try plan("hevc_qsv").quality == 27)
    #expect(try plan("h264_vaapi", bitrate: 3_000_000).quality == nil)
    #expect(try plan("h264_v4l2m2m").bitrate == 500_000)
    #expect(try plan("libx264").quality == nil)
  }

  @Test("10 bits go to encoders of 10 bits, and others refuse them by name")
  func deep() throws {
    var settings = EncodeSettings()
    (settings.codec, settings.pixelFormat) = ("hevc_vaapi", .yuv420p10le)
    #expect(try EncoderChoice(settings: settings, container: .mkv).pixelFormat == .yuv420p10le)
    settings.codec = "h264_vaapi"
    #expect(throws: EncodeError.self) { try EncoderChoice(settings: settings, container: .mkv) }
  }

  @Test(
    "the other layout has the same samples",
    arguments: [
      (PixelFormat.yuv420p, AV_PIX_FMT_NV12), (.yuv420p10le, AV_PIX_FMT_P010LE),
    ])
  func layouts(format: PixelFormat, layout: AVPixelFormat) throws {
    let size = FrameFormat(width: 50, height: 38, pixelFormat: format, color: .hd)
    let feed = try EncoderFeed(size, layout: layout, device: nil)
    let shift = format == .yuv420p ? 0 : 6
    for index in 0..<3 {
      let frame = try Self.frame(size, index)
      let sent = try feed.copied(frame.pointer)
      #expect(sent.pointee.format == layout.rawValue && sent.pointee.pts == Int64(index))
      let (width, height) = (50, 38)
      for y in 0..<height {
        for x in 0..<width {
          let luma = Self.sample(sent, 0, x, y, isDeep: shift > 0) >> shift
          #expect(luma == Self.value(0, x, y, index, isDeep: shift > 0))
        }
      }
      for y in 0..<height / 2 {
        for x in 0..<width / 2 {
          for plane in 1...2 {
            let chroma = Self.sample(sent, 1, 2 * x + plane - 1, y, isDeep: shift > 0) >> shift
            #expect(chroma == Self.value(plane, x, y, index, isDeep: shift > 0))
          }
        }
      }
    }
  }

  @Test("frames come back from the surfaces of a device as they went there")
  func surfaces() throws {
    // The software driver of Vulkan is a device too, whose surfaces FFmpeg fills in the same way.
    let size = FrameFormat(width: 64, height: 48, pixelFormat: .yuv420p, color: .hd)
    let feed = try EncoderFeed(
      size, layout: AV_PIX_FMT_NV12, device: AV_HWDEVICE_TYPE_VULKAN)
    #expect(feed.format == AV_PIX_FMT_VULKAN)
    for index in 0..<5 {
      let frame = try Self.frame(size, index)
      let sent = try feed.copied(frame.pointer)
      #expect(sent.pointee.hw_frames_ctx != nil && sent.pointee.pts == Int64(index))
      let back = try AVFrameHandle()
      try check(av_hwframe_transfer_data(back.pointer, sent, 0), "av_hwframe_transfer_data", "")
      #expect(back.pointer.pointee.format == AV_PIX_FMT_NV12.rawValue)
      for y in 0..<48 {
        for x in 0..<64 {
          #expect(
            Self.sample(back.pointer, 0, x, y, isDeep: false)
              == Self.value(0, x, y, index, isDeep: false))
        }
      }
      for y in 0..<24 {
        for x in 0..<64 {
          let value = Self.value(1 + x % 2, x / 2, y, index, isDeep: false)
          #expect(Self.sample(back.pointer, 1, x, y, isDeep: false) == value)
        }
      }
    }
  }

  private static func value(_ plane: Int, _ x: Int, _ y: Int, _ index: Int, isDeep: Bool) -> Int {
    (x * 7 + y * 13 + plane * 31 + index * 5) % (isDeep ? 1024 : 256)
  }

  private static func sample(
    _ frame: UnsafeMutablePointer<AVFrame>, _ plane: Int, _ x: Int, _ y: Int, isDeep: Bool
  ) -> Int {
    let (data, stride) =
      plane == 0
      ? (frame.pointee.data.0, frame.pointee.linesize.0)
      : (frame.pointee.data.1, frame.pointee.linesize.1)
    let row = UnsafeRawPointer(data!) + y * Int(stride)
    return isDeep
      ? Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
      : Int(row.load(fromByteOffset: x, as: UInt8.self))
  }

  /// Makes a frame of planes, as kfrec's are.
  private static func frame(_ format: FrameFormat, _ index: Int) throws -> AVFrameHandle {
    let frame = try AVFrameHandle()
    let isDeep = format.pixelFormat != .yuv420p
    let picture = frame.pointer
    (picture.pointee.width, picture.pointee.height) = (Int32(format.width), Int32(format.height))
    picture.pointee.format = format.pixelFormat.avPixelFormat.rawValue
    picture.pointee.pts = Int64(index)
    try check(av_frame_get_buffer(picture, 0), "av_frame_get_buffer", "")
    let planes = [
      (picture.pointee.data.0!, picture.pointee.linesize.0),
      (picture.pointee.data.1!, picture.pointee.linesize.1),
      (picture.pointee.data.2!, picture.pointee.linesize.2),
    ]
    for (plane, place) in planes.enumerated() {
      let half = plane == 0 ? 1 : 2
      for y in 0..<format.height / half {
        let row = UnsafeMutableRawPointer(place.0) + y * Int(place.1)
        for x in 0..<format.width / half {
          let value = value(plane, x, y, index, isDeep: isDeep)
          if isDeep {
            row.storeBytes(of: UInt16(value), toByteOffset: 2 * x, as: UInt16.self)
          } else {
            row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
          }
        }
      }
    }
    return frame
  }
}
