import Frames

extension SourceKind {
  static let testPattern = SourceKind(
    words: "testsrc",
    summary: "a moving test pattern; default: 1280x720 at 30 frames per second, endless",
    isGenerated: true, takesFrameRate: true,
    isWritten: { $0 == "testsrc" },
    open: { request throws(CaptureError) in
      let (width, height) = request.generatedSize
      return PatternSource(
        request,
        image: TestPattern(width: width, height: height, frameRate: request.generatedRate))
    })

  /// The source for an effect that draws its own image.
  public static let blank = SourceKind(
    words: "blank",
    summary: "transparent black; default: 1280x720 at 30 frames per second, endless",
    isGenerated: true, takesFrameRate: true,
    isWritten: { $0 == "blank" },
    open: { request throws(CaptureError) in PatternSource(request, image: PlainImage.blank) })
}

extension SourceRequest {
  /// The size of a generated image in pixels, if none is requested.
  public static let usualGeneratedSize = (width: 1280, height: 720)

  var generatedSize: (width: Int, height: Int) { size ?? Self.usualGeneratedSize }
  var generatedRate: Rational { frameRate ?? Rational(30) }
}

extension SourceKind {
  static let color = SourceKind(
    words: "color:ff8000",
    summary: """
      a plain colour, or color:ff800080 with alpha; default: 1280x720 at 30 frames per second, endless
      """,
    isGenerated: true, takesFrameRate: true,
    isWritten: { $0.hasPrefix("color:") },
    open: { request throws(CaptureError) in
      guard let image = PlainImage(hexadecimal: request.input.dropFirst("color:".count)) else {
        throw CaptureError(
          "\(request.input) is not a colour; write red, green and blue as color:ff8000, or with alpha as "
            + "color:ff800080", isUsageError: true)
      }
      return PatternSource(request, image: image)
    })
}

extension PlainImage {
  /// Reads two digits each for red, green, blue and, if the colour may be transparent, alpha.
  fileprivate init?(hexadecimal text: Substring) {
    guard text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16) else { return nil }
    switch text.count {
    case 6: self.init(pixelFormat: .rgb0, pixel: (value << 8).bigEndian)
    case 8: self.init(pixelFormat: .rgba, pixel: value.bigEndian)
    default: return nil
    }
  }
}
