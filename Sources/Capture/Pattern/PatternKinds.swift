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
        picture: TestPattern(width: width, height: height, frameRate: request.generatedRate))
    })

  /// The source for an effect that draws its own image.
  package static let blank = SourceKind(
    words: "blank",
    summary: "transparent black; default: 1280x720 at 30 frames per second, endless",
    isGenerated: true, takesFrameRate: true,
    isWritten: { $0 == "blank" },
    open: { request throws(CaptureError) in PatternSource(request, picture: PlainPicture.blank) })
}

extension SourceRequest {
  /// The size of a generated image in pixels, if none is requested.
  package static let usualGeneratedSize = (width: 1280, height: 720)

  var generatedSize: (width: Int, height: Int) { size ?? Self.usualGeneratedSize }
  var generatedRate: Rational { frameRate ?? Rational(30) }
}
