import CFFmpeg
import FFmpegHandles
import Frames
import V4L2Handles

/// A camera's pixel format that kfrec reads, and how its bytes become an image that the GPU accepts.
struct CameraFormat: Sendable {
  let code: FourCC
  let reading: Reading

  enum Reading: Sendable {
    /// The bytes are used as they are.
    ///
    /// `order` gives for each plane of the layout its index in memory; with `isApart` each plane has
    /// its own memory, else the planes follow each other.
    case unchanged(PixelFormat, order: [Int], isApart: Bool)
    /// The same numbers are moved into another layout.
    case repacked(AVPixelFormat)
    /// libavcodec decodes one frame from each buffer.
    case decoded(AVCodecID)
    /// libv4lconvert converts the bytes to RGB.
    case converted
  }

  /// Whether the image has colours; infrared cameras have only gray.
  var isColor: Bool {
    switch reading {
    case .unchanged(let format, _, _): format.layout.model != .gray
    case .repacked, .decoded, .converted: true
    }
  }

  /// Whether the components are red, green and blue.
  var isRGB: Bool {
    switch reading {
    case .unchanged(let format, _, _): format.layout.model == .rgb
    case .repacked, .converted: true
    case .decoded: false
    }
  }

  /// FFmpeg's name for the format, which users may type too; nil if there is none.
  var ffmpegName: String? {
    switch reading {
    case .unchanged(let format, _, _): format.rawValue
    case .repacked(let format): av_get_pix_fmt_name(format).map { String(cString: $0) }
    case .decoded(let codec): String(cString: avcodec_get_name(codec))
    case .converted: nil
    }
  }
}

extension CameraFormat {
  /// All formats, the cheapest first: of two with the same size and frame rate the earlier one is chosen.
  ///
  /// A camera's alpha has no meaning and is ignored. Names such as `AR24` mean 32-bit words in V4L2,
  /// and bytes in FFmpeg.
  static let all: [CameraFormat] =
    [
      // 1.5 bytes per pixel, then 2, then 3.
      unchanged("NV12", .nv12), unchanged("NM12", .nv12, isApart: true),
      unchanged("YU12", .yuv420p), unchanged("YM12", .yuv420p, isApart: true),
      unchanged("NV21", .nv21), unchanged("NM21", .nv21, isApart: true),
      unchanged("YV12", .yuv420p, order: [0, 2, 1]),
      unchanged("YM21", .yuv420p, order: [0, 2, 1], isApart: true),
      unchanged("YUYV", .yuyv422), unchanged("UYVY", .uyvy422), unchanged("YVYU", .yvyu422),
      unchanged("NV16", .nv16), unchanged("NM16", .nv16, isApart: true),
      unchanged("422P", .yuv422p), unchanged("YM16", .yuv422p, isApart: true),
      unchanged("YM61", .yuv422p, order: [0, 2, 1], isApart: true),
      unchanged("NV24", .nv24), unchanged("NV42", .nv42),
      unchanged("YM24", .yuv444p, isApart: true),
      unchanged("YM42", .yuv444p, order: [0, 2, 1], isApart: true),
      unchanged("411P", .yuv411p), unchanged("YUV9", .yuv410p),
      unchanged("YVU9", .yuv410p, order: [0, 2, 1]),
      unchanged("P010", .p010le),
      unchanged("XR24", .bgr0), unchanged("AR24", .bgr0), unchanged("BGR4", .bgr0),
      unchanged("XB24", .rgb0), unchanged("AB24", .rgb0),
      repacked("RGB3", AV_PIX_FMT_RGB24), repacked("BGR3", AV_PIX_FMT_BGR24),
      repacked("BX24", AV_PIX_FMT_0RGB), repacked("BA24", AV_PIX_FMT_0RGB),
      repacked("RGB4", AV_PIX_FMT_0RGB), repacked("RX24", AV_PIX_FMT_0BGR),
      repacked("RA24", AV_PIX_FMT_0BGR),
      repacked("RGBP", AV_PIX_FMT_RGB565LE), repacked("RGBR", AV_PIX_FMT_RGB565BE),
      repacked("RGBO", AV_PIX_FMT_RGB555LE), repacked("XR15", AV_PIX_FMT_RGB555LE),
      CameraFormat(code: FourCC("MJPG"), reading: .decoded(AV_CODEC_ID_MJPEG)),
      CameraFormat(code: FourCC("JPEG"), reading: .decoded(AV_CODEC_ID_MJPEG)),
    ] + mosaics + grays

  /// The unprocessed data of colour sensors.
  private static let mosaics: [CameraFormat] = [
    FourCC("BA81"), FourCC("GBRG"), FourCC("GRBG"), FourCC("RGGB"),
    FourCC("BG10"), FourCC("GB10"), FourCC("BA10"), FourCC("RG10"),
    FourCC("pBAA"), FourCC("pGAA"), FourCC("pgAA"), FourCC("pRAA"),
    FourCC("BYR2"), FourCC("GB16"), FourCC("GR16"), FourCC("RG16"),
    FourCC("NV61"),
  ].map { CameraFormat(code: $0, reading: .converted) }

  private static let grays: [CameraFormat] = [
    unchanged("GREY", .gray), unchanged("Y10 ", .gray10le), unchanged("Y12 ", .gray12le),
    unchanged("Y16 ", .gray16le),
  ]

  private static func unchanged(
    _ code: StaticString, _ format: PixelFormat, order: [Int]? = nil, isApart: Bool = false
  ) -> CameraFormat {
    CameraFormat(
      code: FourCC(code),
      reading: .unchanged(
        format, order: order ?? Array(format.layout.planes.indices), isApart: isApart))
  }

  private static func repacked(_ code: StaticString, _ format: AVPixelFormat) -> CameraFormat {
    CameraFormat(code: FourCC(code), reading: .repacked(format))
  }

  /// Returns the format of a code; nil if kfrec does not read it.
  static func of(_ code: FourCC) -> CameraFormat? { all.first { $0.code == code } }

  /// Returns the position in the order of preference; unreadable formats come last.
  static func rank(of code: FourCC) -> Int {
    all.firstIndex { $0.code == code } ?? all.count
  }

  /// Returns the codes that a typed name may mean: V4L2's own name ("MJPG") or FFmpeg's ("mjpeg").
  static func codes(named name: String) -> [FourCC] {
    all.filter {
      $0.code.description.uppercased() == name.uppercased()
        || $0.ffmpegName == name.lowercased()
    }.map(\.code)
  }
}
