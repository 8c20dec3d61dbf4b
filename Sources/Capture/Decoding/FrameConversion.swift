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
  /// Hardware interleaves chroma, and a recording that begins with it goes on with the processor: so all frames are as the first one is.
  private var chroma: ChromaPlanes
  private let notify: @Sendable (Notice) -> Void
  private var hdr: HDRMetadata?
  private var hasLookedForHDR = false
  private var repack: PixelRepack?
  private var profile: ProfileConversion?
  /// What the file of a picture says; nil for a movie.
  ///
  /// A picture without tags has sRGB's colours, whatever its matrix is.
  var facts: PictureFacts?
  /// Whether each frame says what the camera wrote into its picture.
  private let keepsPhotos: Bool

  /// What users should know about how the last frame's numbers became colours.
  private(set) var remark: String?

  init(
    name: String, parameters: UnsafeMutablePointer<AVCodecParameters>, orientation: Orientation,
    overrides: ColorTags, streamAspectRatio: Rational, streamHDR: HDRMetadata? = nil,
    chroma: ChromaPlanes = .asDecoded, keepsPhotos: Bool = false,
    notify: @escaping @Sendable (Notice) -> Void = { _ in }
  ) {
    self.name = name
    self.parameters = parameters
    self.orientation = orientation
    self.overrides = overrides
    self.streamAspectRatio = streamAspectRatio
    self.streamHDR = streamHDR
    (self.chroma, self.keepsPhotos, self.notify) = (chroma, keepsPhotos, notify)
  }

  /// Takes over a decoded frame; `shared` is where a device has its pixels.
  mutating func frame(
    _ decoded: consuming AVFrameHandle, on shared: SharedPicture? = nil, time: Rational,
    duration: Rational?
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
    let orientation =
      facts?.orientation ?? Orientation(metadataOf: picture) ?? facts?.photo.orientation.flatMap(
        Orientation.init(exif:))
      ?? self.orientation
    if !hasLookedForHDR {
      let said = HDRMetadata(of: picture)
      (hdr, hasLookedForHDR) = (streamHDR?.completed(by: said) ?? said, true)
    }

    tags.primaries = facts?.primaries ?? tags.primaries ?? (facts == nil ? nil : 1)
    tags.transfer = facts?.transfer ?? tags.transfer
    // FFmpeg states a curve of gray that no tag of the file says.
    if parameters.pointee.codec_id == AV_CODEC_ID_TIFF { tags.transfer = overrides.transfer }
    // What has floats, and no curve, has light.
    let isLinear = tags.transfer ?? 8 == 8
    tags.transfer = tags.transfer ?? (facts == nil ? nil : 13)
    let pixelFormat: PixelFormat
    let pixels: PixelBuffer
    if shared == nil, let managed = try managed(picture, tags) {
      (pixelFormat, pixels) = managed
      tags = ColorTags(range: .full, primaries: 1, transfer: 13)
    } else if let shared, let stored = PixelFormat(picture.storedFormat) {
      chroma = .semiPlanar
      pixelFormat = stored
      let owner = HeldFrame(decoded)
      pixels = PixelBuffer(shared: shared) { [name, notify] in
        owner.fetched(stored, width: width, height: height) {
          notify(
            Notice(
              .sourceHardware, name,
              "a frame of \(name) could not be copied from the hardware's memory, and is gray"))
        }
      }
    } else if let direct = PixelFormat(avFormat), !direct.isForResultsOnly, chroma.takes(direct),
      let planes = FrameConversion.planes(of: picture, format: direct, width: width, height: height)
    {
      pixelFormat = direct
      let owner = HeldFrame(decoded)
      pixels = PixelBuffer(planes: planes) { withExtendedLifetime(owner) {} }
    } else {
      let source = PixelRepack.Source(
        format: avFormat, width: width, height: height,
        meaning: LightCopy.Meaning(
          isLinear: isLinear,
          isMultiplied: parameters.pointee.codec_id == AV_CODEC_ID_EXR),
        target: chroma.semiPlanar(PixelFormat(avFormat)))
      if repack?.source != source { repack = try PixelRepack(source, name: name) }
      guard let repack else { throw CaptureError("\(name) has a frame that cannot be read") }
      pixelFormat = repack.target
      pixels = try repack.repack(picture, name: name)
      remark = repack.remark.map { "\(name) \($0)" } ?? remark
      if repack.codesLight { tags.transfer = 13 }
    }
    if pixelFormat.layout.model == .rgb, overrides.matrix != nil || overrides.range == .limited {
      remark =
        "\(name) has RGB of the full range, for which --input-matrix and --input-range change nothing"
    }
    var color = ColorDescription(
      tags: tags, pixelFormat: pixelFormat, width: width, height: height)
    if color.isHighDynamicRange { color.hdr = hdr }
    let format = FrameFormat(
      width: width, height: height, pixelFormat: pixelFormat, color: color,
      sampleAspectRatio: sampleAspectRatio > .zero ? sampleAspectRatio : .one,
      orientation: orientation)
    var frame = Frame(format: format, pixels: pixels, time: time, duration: duration)
    if keepsPhotos, let photo = facts?.photo, !photo.isEmpty { frame.photo = photo }
    return frame
  }

  /// Returns the pixels of a picture with a colour profile in sRGB; nil for one without, or one that is sRGB already.
  private mutating func managed(
    _ picture: UnsafePointer<AVFrame>, _ tags: ColorTags
  ) throws(CaptureError) -> (PixelFormat, PixelBuffer)? {
    guard let facts, facts.primaries == nil,
      let meaning = facts.isStated ? facts.profile : PictureProfile(of: picture) ?? facts.profile
    else { return nil }
    let (width, height) = (Int(picture.pointee.width), Int(picture.pointee.height))
    let source = ProfileConversion.Source(
      profile: meaning, format: AVPixelFormat(picture.pointee.format), width: width, height: height,
      matrix: tags.matrix ?? .assumed(width: width, height: height),
      range: tags.range)
    if profile?.source != source { profile = ProfileConversion(source) }
    guard let profile else { return nil }
    remark = profile.remark.map { "\(name) \($0)" }
    guard let target = profile.target else { return nil }
    return (target, try profile.converted(picture, name: name))
  }

  /// Returns where the planes lie; nil if rows go upward (some bitmap decoders), which only a repack
  /// can correct.
  fileprivate static func planes(
    of picture: UnsafePointer<AVFrame>, format: PixelFormat, width: Int, height: Int
  ) -> [PixelBuffer.Plane]? {
    let bases = elements(of: picture.pointee.data, as: UnsafeMutablePointer<UInt8>?.self)
    let strides = elements(of: picture.pointee.linesize, as: Int32.self).map { Int($0) }
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

extension HeldFrame {
  /// Copies the pixels from the memory of hardware; if that fails they are gray, and `fail` is called.
  fileprivate func fetched(
    _ format: PixelFormat, width: Int, height: Int, fail: () -> Void
  ) -> PixelBuffer {
    if frame.pointer.pointee.hw_frames_ctx == nil,
      let planes = FrameConversion.planes(
        of: frame.pointer, format: format, width: width, height: height)
    {
      return PixelBuffer(planes: planes) { withExtendedLifetime(self) {} }
    }
    if let copy = HardwareDevice.copied(frame),
      copy.pointer.pointee.format == format.avPixelFormat.rawValue,
      let planes = FrameConversion.planes(
        of: copy.pointer, format: format, width: width, height: height)
    {
      let owner = HeldFrame(copy)
      return PixelBuffer(planes: planes) { withExtendedLifetime(owner) {} }
    }
    fail()
    let layout = BufferLayout(pixelFormat: format, width: width, height: height)
    let memory = HeapMemory(byteCount: layout.byteCount)
    memory.baseAddress.initializeMemory(as: UInt8.self, repeating: 0x80, count: layout.byteCount)
    return PixelBuffer(
      planes: layout.planes.map {
        PixelBuffer.Plane(
          baseAddress: memory.baseAddress + $0.offset, stride: $0.stride, byteCount: $0.byteCount)
      }
    ) { withExtendedLifetime(memory) {} }
  }
}

extension UnsafeMutablePointer<AVFrame> {
  /// The format of the pixels, wherever they are.
  fileprivate var storedFormat: AVPixelFormat {
    guard let frames = pointee.hw_frames_ctx, let context = frames.pointee.data else {
      return AVPixelFormat(pointee.format)
    }
    return UnsafeMutableRawPointer(context).assumingMemoryBound(to: AVHWFramesContext.self)
      .pointee.sw_format
  }
}

extension Orientation {
  /// Reads the orientation from a JPEG's EXIF data, which the decoder puts into the frame's metadata;
  /// nil if there is none.
  ///
  /// The numbers are those of EXIF 2.32, 4.6.4 A, "Orientation".
  init?(metadataOf frame: UnsafePointer<AVFrame>) {
    let text = tag("Orientation", in: frame.pointee.metadata)
    let digits = text?.drop { $0 == " " }.prefix { $0.isNumber }
    guard let number = digits.flatMap({ Int($0) }) else { return nil }
    self.init(exif: number)
  }

  /// Makes the orientation of EXIF's number; nil for one that has no meaning.
  init?(exif number: Int) {
    switch number {
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
