import CFFmpeg
import CLCMS
import FFmpegHandles
import Frames

/// What the numbers of a picture mean, where it says so itself.
enum PictureProfile: Hashable {
  /// An ICC profile.
  case icc([UInt8])
  /// The power by which a number gives light, and the chromaticities of white, red, green and blue, x before y; nil for those
  /// of sRGB.
  case curve(exponent: Double?, chromaticities: [Double]?)

  /// Reads the profile that a decoder found; nil if it found none.
  init?(of frame: UnsafePointer<AVFrame>) {
    guard let data = av_frame_get_side_data(frame, AV_FRAME_DATA_ICC_PROFILE),
      let bytes = data.pointee.data, data.pointee.size > 0
    else { return nil }
    self = .icc(Array(UnsafeBufferPointer(start: bytes, count: Int(data.pointee.size))))
  }
}

/// Converts pictures of one profile, format and size to sRGB, by littleCMS.
///
/// Used by one thread.
final class ProfileConversion {
  struct Source: Hashable {
    var profile: PictureProfile
    var format: AVPixelFormat
    var width: Int
    var height: Int
    var matrix: ColorMatrix
    /// Nil if the picture does not say it.
    var range: ColorRange?
  }

  let source: Source
  /// How the colours are changed, as the rest of a sentence; nil if they stay.
  let remark: String?
  /// The layout of the result; nil if the picture needs no conversion, because it is sRGB, or cannot have one.
  let target: PixelFormat?
  private var transform: cmsHTRANSFORM?
  private var scaler: ScalerHandle?
  private let pool: PixelBufferPool<HeapMemory>?
  private let hasDepth: Bool

  init(_ source: Source) {
    self.source = source
    let descriptor = av_pix_fmt_desc_get(source.format)?.pointee
    let flags = descriptor?.flags ?? 0
    let isPalette = flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
    hasDepth = !isPalette && (descriptor?.comp.0.depth ?? 8) > 8
    let hasAlpha = isPalette || flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    let packed: PixelFormat = hasDepth ? .rgba64le : .rgba
    let isGray = !isPalette && (descriptor?.nb_components ?? 3) < 3
    let profile = ProfileConversion.opened(source.profile)
    defer { if let profile { cmsCloseProfile(profile) } }
    let space = profile.map { cmsGetColorSpace($0) }
    let isOfGray = space == cmsSigGrayData
    guard let profile, space == cmsSigRgbData || isOfGray && isGray,
      let sRGB = cmsCreate_sRGBProfile()
    else {
      (remark, target, pool) = (
        "has a colour profile that is not for its pixels, which is left out", nil, nil
      )
      return
    }
    defer { cmsCloseProfile(sRGB) }
    func made(_ bits: Int) -> cmsHTRANSFORM? {
      let gray = bits == 8 ? kf_gray_8() : kf_gray_16()
      let colors = bits == 8 ? kf_rgba_8() : kf_rgba_16()
      return cmsCreateTransform(
        profile, isOfGray ? gray : colors, sRGB, colors,
        cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC),
        cmsUInt32Number(cmsFLAGS_BLACKPOINTCOMPENSATION))
    }
    guard !ProfileConversion.keepsColors(made(8), isOfGray: isOfGray) else {
      (remark, target, pool) = (nil, nil, nil)
      return
    }
    transform = made(hasDepth ? 16 : 8)
    scaler = ScalerHandle(
      from: (source.width, source.height, source.format),
      to: (source.width, source.height, packed.avPixelFormat), filter: kf_sws_exact_bicubic)
    let range = source.range ?? .assumed(isGray: isGray)
    scaler?.setColors(
      matrix: Int32(source.matrix.rawValue), isFull: range == .full, toMatrix: SWS_CS_DEFAULT,
      isTargetFull: true)
    // Four channels of 16 bits without alpha would count as transparency.
    target = hasAlpha ? packed : hasDepth ? .gbrp16le : .rgb0
    let layout = BufferLayout(pixelFormat: packed, width: source.width, height: source.height)
    pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount + 64) }
    let name =
      switch source.profile {
      case .icc: ProfileConversion.name(of: profile)
      case .curve: "a gamma or primaries of its own"
      }
    remark = "has colours of \(name), which are converted to sRGB"
  }

  deinit {
    if let transform { cmsDeleteTransform(transform) }
  }

  private static func opened(_ profile: PictureProfile) -> cmsHPROFILE? {
    switch profile {
    case .icc(let bytes): return cmsOpenProfileFromMem(bytes, cmsUInt32Number(bytes.count))
    case .curve(let exponent, let chromaticities):
      let places = chromaticities ?? [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
      guard places.count == 8, places.allSatisfy({ $0 > 0.001 && $0 < 1 }),
        let curve = exponent.flatMap({ cmsBuildGamma(nil, $0) })
          ?? cmsBuildParametricToneCurve(
            nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
      else { return nil }
      defer { cmsFreeToneCurve(curve) }
      let points = (0..<4).map { cmsCIExyY(x: places[2 * $0], y: places[2 * $0 + 1], Y: 1) }
      var white = points[0]
      var primaries = cmsCIExyYTRIPLE(Red: points[1], Green: points[2], Blue: points[3])
      var curves: [OpaquePointer?] = [curve, curve, curve]
      return cmsCreateRGBProfile(&white, &primaries, &curves)
    }
  }

  /// Whether a transform changes no colour by more than one code.
  private static func keepsColors(_ transform: cmsHTRANSFORM?, isOfGray: Bool) -> Bool {
    guard let transform else { return true }
    defer { cmsDeleteTransform(transform) }
    let steps = stride(from: 0, through: 255, by: 51).map { UInt8($0) }
    var colors: [UInt8] = []
    for red in steps where !isOfGray {
      for green in steps { for blue in steps { colors += [red, green, blue, 255] } }
    }
    for gray in UInt8.min...UInt8.max { colors += [gray, gray, gray, 255] }
    let own = colors
    cmsDoTransform(transform, own, &colors, cmsUInt32Number(colors.count / 4))
    return zip(own, colors).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
  }

  private static func name(of profile: cmsHPROFILE) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
      guard let base = text.baseAddress,
        cmsGetProfileInfoASCII(profile, cmsInfoDescription, "en", "US", base, 128) > 0
      else { return "a profile of its own" }
      let words = String(cString: base).filter { $0.isASCII && !$0.isNewline }
      return words.isEmpty ? "a profile of its own" : "the profile \"\(words)\""
    }
  }

  /// Returns the pixels of a picture in sRGB.
  func converted(
    _ picture: UnsafePointer<AVFrame>, name: String
  ) throws(CaptureError) -> PixelBuffer {
    guard let pool, let transform else {
      throw CaptureError("\(name) has pixels that cannot be converted to sRGB")
    }
    var pixels: WritablePixels<HeapMemory>
    do { pixels = try pool.lease() } catch { throw CaptureError("\(error)") }
    guard scaler?.scale(picture, to: &pixels) == Int32(source.height) else {
      throw CaptureError("\(name) has pixels that cannot be converted to sRGB")
    }
    let stride = pixels.stride(ofPlane: 0)
    pixels.withBytes(ofPlane: 0) { bytes in
      for y in 0..<source.height {
        guard let row = bytes.baseAddress.map({ $0 + y * stride }) else { return }
        // In place: the fourth channel stays.
        cmsDoTransform(transform, row, row, cmsUInt32Number(source.width))
      }
    }
    return target == .gbrp16le ? try planar(pixels.freeze()) : pixels.freeze()
  }

  /// Returns 16 bits of red, green and blue in planes.
  private func planar(_ packed: PixelBuffer) throws(CaptureError) -> PixelBuffer {
    let layout = BufferLayout(pixelFormat: .gbrp16le, width: source.width, height: source.height)
    let made = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
    var pixels: WritablePixels<HeapMemory>
    do { pixels = try made.lease() } catch { throw CaptureError("\(error)") }
    let stride = packed.planes[0].stride
    for (channel, component) in PixelFormat.gbrp16le.layout.components.enumerated() {
      let other = pixels.stride(ofPlane: component.plane)
      packed.bytes(ofPlane: 0).withUnsafeBytes { own in
        pixels.withBytes(ofPlane: component.plane) { target in
          for y in 0..<source.height {
            for x in 0..<source.width {
              target.storeBytes(
                of: own.load(fromByteOffset: y * stride + x * 8 + channel * 2, as: UInt16.self),
                toByteOffset: y * other + x * 2, as: UInt16.self)
            }
          }
        }
      }
    }
    return pixels.freeze()
  }
}
