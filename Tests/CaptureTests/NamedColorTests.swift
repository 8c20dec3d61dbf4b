import FFmpegHandles
import Frames
import Testing

@Suite("Names of colours")
struct NamedColorTests {
  @Test("effects know the names that FFmpeg knows, and the same colours")
  func sameAsFFmpeg() {
    #expect(Set(namedColors.keys) == Set(colorNames()))
    for (name, color) in namedColors {
      #expect(parsedColor(name) == SIMD4(color, 255))
      #expect(namedColor(name.uppercased()) == color)
    }
    #expect(namedColor("\u{212A}haki") == nil)
  }
}
