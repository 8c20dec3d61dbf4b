public import CFFmpeg
public import Frames

extension Rational {
  /// Converts FFmpeg's fraction; 0/0 and x/0 become 0.
  public init(_ value: AVRational) {
    self = value.den == 0 ? .zero : Rational(Int64(value.num), Int64(value.den))
  }
}

extension AVRational {
  /// The nearest fraction with a 32-bit numerator and denominator.
  public init(_ value: Rational) {
    self.init()
    av_reduce(&num, &den, value.numerator, value.denominator, Int64(Int32.max))
  }
}

extension PixelFormat {
  /// The format with FFmpeg's number, or nil if the GPU cannot take it unchanged.
  ///
  /// The deprecated "J" formats map to the same formats in full range; the caller handles the
  /// range.
  public init?(_ format: AVPixelFormat) {
    guard let name = av_get_pix_fmt_name(format) else { return nil }
    let plain =
      switch format {
      case AV_PIX_FMT_YUVJ420P: "yuv420p"
      case AV_PIX_FMT_YUVJ422P: "yuv422p"
      case AV_PIX_FMT_YUVJ444P: "yuv444p"
      case AV_PIX_FMT_YUVJ440P: "yuv440p"
      case AV_PIX_FMT_YUVJ411P: "yuv411p"
      default: String(cString: name)
      }
    self.init(rawValue: plain)
  }

  public var avPixelFormat: AVPixelFormat { av_get_pix_fmt(rawValue) }
}

extension ColorDescription {
  /// Returns the chromaticities of white, red, green and blue, x before y, of H.273's primaries; nil for numbers without a meaning.
  public static func chromaticities(ofPrimaries number: UInt8) -> [Double]? {
    guard let found = av_csp_primaries_desc_from_id(AVColorPrimaries(UInt32(number))) else {
      return nil
    }
    let (white, colors) = (found.pointee.wp, found.pointee.prim)
    return [
      white.x, white.y, colors.r.x, colors.r.y, colors.g.x, colors.g.y, colors.b.x, colors.b.y,
    ].map { av_q2d($0) }
  }

  /// Sets the five colour fields of an encoder; call it before the encoder is opened.
  public func apply(to context: UnsafeMutablePointer<AVCodecContext>) {
    context.pointee.colorspace = AVColorSpace(UInt32(matrix.rawValue))
    context.pointee.color_range = AVColorRange(UInt32(range.rawValue))
    context.pointee.color_primaries = AVColorPrimaries(UInt32(primaries))
    context.pointee.color_trc = AVColorTransferCharacteristic(UInt32(transfer))
    context.pointee.chroma_sample_location = AVChromaLocation(UInt32(chromaSiting.rawValue))
  }

  /// Sets the same fields of a frame.
  public func apply(to frame: UnsafeMutablePointer<AVFrame>) {
    frame.pointee.colorspace = AVColorSpace(UInt32(matrix.rawValue))
    frame.pointee.color_range = AVColorRange(UInt32(range.rawValue))
    frame.pointee.color_primaries = AVColorPrimaries(UInt32(primaries))
    frame.pointee.color_trc = AVColorTransferCharacteristic(UInt32(transfer))
    frame.pointee.chroma_location = AVChromaLocation(UInt32(chromaSiting.rawValue))
  }
}

/// The elements of an array of C, which Swift shows as a tuple.
public func elements<Tuple, Element>(of array: Tuple, as type: Element.Type) -> [Element] {
  withUnsafeBytes(of: array) { Array($0.bindMemory(to: type)) }
}
