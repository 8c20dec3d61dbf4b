import Frames

extension SourceKind {
  static let color = SourceKind(
    words: "color:ff8000",
    summary: """
      a plain colour, or color:ff800080 with alpha; default: 1280x720 at 30 frames per second, endless
      """,
    isGenerated: true, takesFrameRate: true,
    isWritten: { $0.hasPrefix("color:") },
    open: { request throws(CaptureError) in
      guard let picture = PlainPicture(hexadecimal: request.input.dropFirst("color:".count)) else {
        throw CaptureError(
          "\(request.input) is not a colour; write red, green and blue as color:ff8000, or with alpha as "
            + "color:ff800080", isUsageError: true)
      }
      return PatternSource(request, picture: picture)
    })
}

extension PlainPicture {
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
