import CSDL
import GPU
import Glibc

/// Draws lines of text as a panel that lies over the picture.
///
/// Used by the thread of the window.
struct PanelText: ~Copyable {
  private let font: OpaquePointer
  private let margin: Int

  /// Fonts in which each character has the same width, in the order in which they are tried.
  private static let fonts = [
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
    "/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf",
    "/usr/share/fonts/TTF/DejaVuSansMono.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf",
    "/usr/share/fonts/truetype/liberation2/LiberationMono-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSansMono-Regular.ttf",
  ]

  /// Opens a font.
  ///
  /// - Parameter height: The height of the letters in pixels.
  /// - Throws: If none of the usual fonts is installed; the environment's KFREC_FONT names another one.
  init(height: Int) throws(WindowError) {
    try check(TTF_Init(), "TTF_Init")
    let own = getenv("KFREC_FONT").map { [String(cString: $0)] }
    guard let path = (own ?? Self.fonts).first(where: { access($0, R_OK) == 0 }) else {
      TTF_Quit()
      throw WindowError(
        "no font was found for text in the window; install fonts-dejavu-core, or name a file in KFREC_FONT"
      )
    }
    guard let font = TTF_OpenFont(path, Int32(height)) else {
      let error = WindowError(call: "TTF_OpenFont of \(path)")
      TTF_Quit()
      throw error
    }
    self.font = font
    margin = height / 2
  }

  deinit {
    TTF_CloseFont(font)
    TTF_Quit()
  }

  /// Returns the lines in white on a dark ground, cut to a window.
  func panel(_ lines: [String], inside window: (width: Int, height: Int)) throws(WindowError)
    -> WindowPanel?
  {
    let text = lines.joined(separator: "\n")
    guard !text.isEmpty else { return nil }
    let white = SDL_Color(r: 255, g: 255, b: 255, a: 255)
    guard let drawn = TTF_RenderUTF8_Blended_Wrapped(font, text, white, 0) else {
      throw WindowError(call: "TTF_RenderUTF8_Blended_Wrapped")
    }
    defer { SDL_FreeSurface(drawn) }
    let surface = drawn.pointee
    let width = min(Int(surface.w) + 2 * margin, window.width)
    let height = min(Int(surface.h) + 2 * margin, window.height)
    guard width > 2 * margin, height > 2 * margin, let rows = surface.pixels else { return nil }
    var pixels = [UInt32](repeating: Self.pixel(coverage: 0), count: width * height)
    for y in 0..<(height - 2 * margin) {
      for x in 0..<(width - 2 * margin) {
        // ARGB, as SDL_ttf draws it; the letters differ in alpha alone.
        let argb = rows.load(fromByteOffset: y * Int(surface.pitch) + x * 4, as: UInt32.self)
        pixels[(y + margin) * width + x + margin] = Self.pixel(coverage: argb >> 24)
      }
    }
    return WindowPanel(x: 0, y: 0, width: width, height: height, pixels: pixels)
  }

  /// A pixel of white letters, `coverage` of 255, over black that hides three quarters of the picture.
  private static func pixel(coverage: UInt32) -> UInt32 {
    let alpha = coverage + (255 - coverage) * 3 / 4
    return coverage | coverage << 8 | coverage << 16 | alpha << 24
  }
}
