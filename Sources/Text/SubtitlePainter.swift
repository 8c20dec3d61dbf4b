import CLibass
package import Frames
import Glibc

/// Draws the subtitles of a moment as one picture.
///
/// Only one thread uses it. Fonts are those of the system: what a file brings along is not opened.
package struct SubtitlePainter: ~Copyable {
  /// A rectangle of pixels.
  package struct Area: Sendable, Equatable {
    package var x = 0
    package var y = 0
    package var width = 0
    package var height = 0

    package init(x: Int = 0, y: Int = 0, width: Int = 0, height: Int = 0) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  private let opened: AssTrack
  private let width: Int
  private let height: Int

  /// Most bytes of drawn letters that libass keeps, in MiB.
  private static let cachedMegabytes: Int32 = 64

  /// Opens the libraries, and reads the lines, for pictures whose pixels' width in parts of their height is `pixelAspect`.
  ///
  /// - Throws: An error that names what failed, or the font that is missing.
  package init(
    _ script: SubtitleScript, width: Int, height: Int, pixelAspect: Double
  ) throws(TextError) {
    (self.width, self.height) = (width, height)
    // Without any font libass would draw nothing.
    let font = try TextFont(TextFont.usual)
    opened = try AssTrack()
    let (renderer, track) = (opened.renderer, opened.track)
    ass_set_cache_limits(renderer, 0, Self.cachedMegabytes)
    ass_set_frame_size(renderer, Int32(width), Int32(height))
    ass_set_storage_size(renderer, Int32(width), Int32(height))
    ass_set_pixel_aspect(renderer, pixelAspect)
    opened.setFont(font)
    // libass copies the bytes, and does not write to them.
    var header = Array(script.header.utf8CString)
    ass_process_codec_private(track, &header, Int32(header.count - 1))
    for line in script.lines {
      var text = Array(line.text.utf8CString)
      ass_process_chunk(track, &text, Int32(text.count - 1), line.start, line.duration)
    }
    if !script.hasStyles { setUsualFont(font) }
  }

  /// FFmpeg asks for Arial, for which each machine would take another font.
  private func setUsualFont(_ font: TextFont) {
    let track = opened.track
    for place in 0..<Int(track.pointee.n_styles) {
      free(track.pointee.styles[place].FontName)
      track.pointee.styles[place].FontName = strdup(font.name)
    }
    // Lines break so that they are about as long as each other, also those of scripts without blanks.
    _ = ass_track_set_feature(track, ASS_FEATURE_WRAP_UNICODE, 1)
    _ = ass_track_set_feature(track, ASS_FEATURE_BIDI_BRACKETS, 1)
  }

  /// Draws what is shown at a time.
  ///
  /// - Parameters:
  ///   - time: Milliseconds from the zero of the input.
  ///   - texels: Room for four bytes for each pixel of the picture: red, green and blue times opacity, and opacity. The
  ///     area that is returned is written, row after row of its width, from the first byte on.
  ///   - coded: Turns a colour, 0 to 1, into that of the picture.
  /// - Returns: Where in the picture the area lies, of no size if nothing is shown; nil if all is as in the call before.
  package func draw(
    at time: Int64, into texels: UnsafeMutableRawBufferPointer,
    coded: (SIMD3<Double>) -> SIMD3<Double>
  ) -> Area? {
    var change: Int32 = 0
    let first = ass_render_frame(opened.renderer, opened.track, time, &change)
    guard change != 0 else { return nil }
    guard let first else { return Area() }
    let images = sequence(first: first) { $0.pointee.next }
    let area = self.area(of: images)
    guard area.width > 0, area.height > 0 else { return Area() }
    let count = 4 * area.width * area.height
    UnsafeMutableRawBufferPointer(rebasing: texels[..<count]).initializeMemory(
      as: UInt8.self, repeating: 0)
    for image in images { Self.blend(image.pointee, over: texels, area, coded: coded) }
    return area
  }

  /// Returns the area that all images lie in, as far as it is in the picture.
  private func area(
    of images: UnfoldFirstSequence<UnsafeMutablePointer<ASS_Image>>
  ) -> Area {
    var (left, top, right, bottom) = (width, height, 0, 0)
    for image in images.lazy.map(\.pointee) where image.w > 0 && image.h > 0 {
      left = min(left, max(Int(image.dst_x), 0))
      top = min(top, max(Int(image.dst_y), 0))
      right = max(right, min(Int(image.dst_x) + Int(image.w), width))
      bottom = max(bottom, min(Int(image.dst_y) + Int(image.h), height))
    }
    return Area(x: left, y: top, width: max(right - left, 0), height: max(bottom - top, 0))
  }

  /// Puts an image of one colour over what was drawn before.
  private static func blend(
    _ image: ASS_Image, over texels: UnsafeMutableRawBufferPointer, _ area: Area,
    coded: (SIMD3<Double>) -> SIMD3<Double>
  ) {
    guard let bitmap = image.bitmap else { return }
    func part(_ shift: UInt32) -> Double { Double(image.color >> shift & 255) / 255 }
    let color = coded(SIMD3(part(24), part(16), part(8)))
    // Opacity of a pixel that is covered, and what it adds, in parts of 255.
    let opacity = 255 - image.color & 255
    let red = UInt32((color.x * 255).rounded()), green = UInt32((color.y * 255).rounded())
    let blue = UInt32((color.z * 255).rounded())
    let left = max(area.x - Int(image.dst_x), 0)
    let right = min(Int(image.w), area.x + area.width - Int(image.dst_x))
    guard left < right, let base = texels.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return
    }
    for row in 0..<Int(image.h) {
      let y = Int(image.dst_y) + row - area.y
      guard y >= 0, y < area.height else { continue }
      let covers = bitmap + row * Int(image.stride)
      var texel = base + 4 * (y * area.width + Int(image.dst_x) + left - area.x)
      for column in left..<right {
        let covered = (UInt32(covers[column]) * opacity + 127) / 255
        let rest = 255 - covered
        texel[0] = UInt8((red * covered + UInt32(texel[0]) * rest + 127) / 255)
        texel[1] = UInt8((green * covered + UInt32(texel[1]) * rest + 127) / 255)
        texel[2] = UInt8((blue * covered + UInt32(texel[2]) * rest + 127) / 255)
        texel[3] = UInt8((255 * covered + UInt32(texel[3]) * rest + 127) / 255)
        texel += 4
      }
    }
  }
}
