import CFFmpeg
import FFmpegHandles
import Frames

/// Makes frames from decoded frames: pixels without a copy if the GPU accepts their layout, and their format.
///
/// Used by one thread.
struct FrameConversion {
  let name: String
  let parameters: UnsafeMutablePointer<AVCodecParameters>
  let orientation: Orientation
  let overrides: ColorTags
  /// The container's pixel aspect ratio, which has priority over the codec's; 0 if it has none.
  let streamAspectRatio: Rational
  /// What the stream says about the light of HDR; what it leaves open is taken from the first frame.
  let streamHDR: HDRMetadata?
  /// Chroma gets planes of its own, as the processor's decoders give it: hardware interleaves it, and a recording that begins
  /// with one goes on with the other.
  let separatesChroma: Bool
  private var hdr: HDRMetadata?
  private var hasLookedForHDR = false
  private var repack: PixelRepack?

  /// What users should know about how the last frame's numbers became colours.
  private(set) var remark: String?

  init(
    name: String, parameters: UnsafeMutablePointer<AVCodecParameters>, orientation: Orientation,
    overrides: ColorTags, streamAspectRatio: Rational, streamHDR: HDRMetadata? = nil,
    separatesChroma: Bool = false
  ) {
    self.name = name
    self.parameters = parameters
    self.orientation = orientation
    self.overrides = overrides
    self.streamAspectRatio = streamAspectRatio
    self.streamHDR = streamHDR
    self.separatesChroma = separatesChroma
  }

  /// Takes over a decoded frame.
  mutating func frame(
    _ decoded: consuming AVFrameHandle, time: Rational, duration: Rational?
  ) throws(CaptureError) -> Frame {
    let picture = decoded.pointer
    let width = Int(picture.pointee.width)
    let height = Int(picture.pointee.height)
    let avFormat = AVPixelFormat(picture.pointee.format)
    var tags = try ColorTags(
      picture, parameters: parameters, overrides: overrides, name: name)
    // As in av_guess_sample_aspect_ratio: a container is easier to correct than the compressed data in it.
    let codedAspect = Rational(picture.pointee.sample_aspect_ratio)
    let sampleAspectRatio = streamAspectRatio > .zero ? streamAspectRatio : codedAspect
    let orientation = Orientation(metadataOf: picture) ?? self.orientation
    if !hasLookedForHDR {
      let said = HDRMetadata(of: picture)
      (hdr, hasLookedForHDR) = (streamHDR?.completed(by: said) ?? said, true)
    }

    let pixelFormat: PixelFormat
    let pixels: PixelBuffer
    if let direct = PixelFormat(avFormat), !direct.isForResultsOnly,
      !separatesChroma || !FrameConversion.interleaved.contains(direct),
      let planes = FrameConversion.planes(of: picture, format: direct, width: width, height: height)
    {
      pixelFormat = direct
      let owner = DecodedFrame(decoded)
      pixels = PixelBuffer(planes: planes) { withExtendedLifetime(owner) {} }
    } else {
      let source = PixelRepack.Source(
        format: avFormat, width: width, height: height,
        meaning: LightCopy.Meaning(
          isLinear: tags.transfer ?? 8 == 8,
          isMultiplied: parameters.pointee.codec_id == AV_CODEC_ID_EXR))
      if repack?.source != source { repack = try PixelRepack(source, name: name) }
      guard let repack else { throw CaptureError("\(name) has a frame that cannot be read") }
      pixelFormat = repack.target
      pixels = try repack.repack(picture, name: name)
      remark = repack.remark.map { "\(name) \($0)" }
      if repack.codesLight { tags.transfer = 13 }
    }
    var color = ColorDescription(
      tags: tags, pixelFormat: pixelFormat, width: width, height: height)
    if color.isHighDynamicRange { color.hdr = hdr }
    let format = FrameFormat(
      width: width, height: height, pixelFormat: pixelFormat, color: color,
      sampleAspectRatio: sampleAspectRatio > .zero ? sampleAspectRatio : .one,
      orientation: orientation)
    return Frame(format: format, pixels: pixels, time: time, duration: duration)
  }

  private static let interleaved: [PixelFormat] = [.nv12, .nv16, .nv24, .p010le, .p016le]

  /// Returns where the planes lie; nil if rows go upward (some bitmap decoders), which only a repack
  /// can correct.
  private static func planes(
    of picture: UnsafePointer<AVFrame>, format: PixelFormat, width: Int, height: Int
  ) -> [PixelBuffer.Plane]? {
    let bases = withUnsafeBytes(of: picture.pointee.data) {
      $0.bindMemory(to: UnsafeMutablePointer<UInt8>?.self).map { $0 }
    }
    let strides = withUnsafeBytes(of: picture.pointee.linesize) {
      $0.bindMemory(to: Int32.self).map { Int($0) }
    }
    var planes: [PixelBuffer.Plane] = []
    for (index, plane) in format.layout.planes.enumerated() {
      guard let base = bases[index], strides[index] > 0 else { return nil }
      let rowBytes = plane.width(width) * plane.bytesPerTexel
      planes.append(
        PixelBuffer.Plane(
          baseAddress: UnsafeRawPointer(base), stride: strides[index],
          byteCount: strides[index] * (plane.height(height) - 1) + rowBytes))
    }
    return planes
  }
}

/// Keeps a decoded frame until its pixels are released.
private final class DecodedFrame: @unchecked Sendable {
  // @unchecked: nothing touches the frame between here and its release, which any thread may do.
  private let frame: AVFrameHandle
  init(_ frame: consuming AVFrameHandle) { self.frame = frame }
}

extension Orientation {
  /// Reads the orientation from a JPEG's EXIF data, which the decoder puts into the frame's metadata;
  /// nil if there is none.
  ///
  /// The numbers are those of EXIF 2.32, 4.6.4 A, "Orientation".
  init?(metadataOf frame: UnsafePointer<AVFrame>) {
    guard let metadata = frame.pointee.metadata,
      let entry = av_dict_get(metadata, "Orientation", nil, 0), let text = entry.pointee.value
    else { return nil }
    let digits = String(cString: text).drop { $0 == " " }.prefix { $0.isNumber }
    switch Int(digits) {
    case 1: self = .upright
    case 2: self.init(quarterTurns: 0, mirrored: true)
    case 3: self.init(quarterTurns: 2, mirrored: false)
    case 4: self.init(quarterTurns: 2, mirrored: true)
    case 5: self.init(quarterTurns: 3, mirrored: true)
    case 6: self.init(quarterTurns: 1, mirrored: false)
    case 7: self.init(quarterTurns: 1, mirrored: true)
    case 8: self.init(quarterTurns: 3, mirrored: false)
    default: return nil
    }
  }
}
