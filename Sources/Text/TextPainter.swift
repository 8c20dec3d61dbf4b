import CLibass
import Glibc

/// Draws text in one style: how much of each pixel letters cover, and how much letters with their outline do.
///
/// Only one thread uses it. libass keeps the letters that it drew, so that the next text costs less.
package struct TextPainter: ~Copyable {
  package let style: TextStyle
  private let opened: AssTrack

  /// The height of the area that libass draws in; text below it is cut.
  private let areaHeight: Int
  /// The place of the lines' left and upper edges in that area.
  private let inset: Int

  /// Opens the libraries and the font.
  ///
  /// - Parameters:
  ///   - style: How text is drawn.
  ///   - height: The largest height of the text, in pixels; what lies below is cut.
  /// - Throws: An error that names what failed.
  package init(_ style: TextStyle, height: Int) throws(TextError) {
    self.style = style
    // Wrapped lines may begin and end with glyphs that overhang the line.
    inset = style.margin + Int(style.size)
    areaHeight = height + 2 * inset
    let bytes = try style.font.path.map { path throws(TextError) in try Self.bytes(of: path) }
    opened = try AssTrack()
    // libass copies the bytes.
    if let bytes { ass_add_font(opened.library, style.font.name, bytes, Int32(bytes.count)) }
    prepare()
  }

  private static func bytes(of path: String) throws(TextError) -> [CChar] {
    guard let file = fopen(path, "rb") else {
      throw TextError("\(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [CChar] = []
    var part = [CChar](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&part, 1, part.count, file)
      guard count > 0 else { return bytes }
      bytes += part[..<count]
    }
  }

  private func prepare() {
    let (renderer, track) = (opened.renderer, opened.track)
    let width = Int32(style.width + 2 * inset)
    ass_set_frame_size(renderer, width, Int32(areaHeight))
    ass_set_storage_size(renderer, width, Int32(areaHeight))
    opened.setFont(style.font)
    track.pointee.PlayResX = width
    track.pointee.PlayResY = Int32(areaHeight)
    track.pointee.ScaledBorderAndShadow = 1
    for feature in [
      ASS_FEATURE_WRAP_UNICODE, ASS_FEATURE_BIDI_BRACKETS, ASS_FEATURE_WHOLE_TEXT_LAYOUT,
    ] {
      _ = ass_track_set_feature(track, feature, 1)
    }
    let place = Int(ass_alloc_style(track))
    guard place >= 0 else { return }
    track.pointee.styles[place].Name = strdup("")
    track.pointee.styles[place].FontName = strdup(style.font.name)
    track.pointee.styles[place].FontSize = style.size
    // Colours are white and opaque: the shader gives them others.
    track.pointee.styles[place].PrimaryColour = 0xFFFF_FF00
    track.pointee.styles[place].OutlineColour = 0xFFFF_FF00
    (track.pointee.styles[place].ScaleX, track.pointee.styles[place].ScaleY) = (1, 1)
    track.pointee.styles[place].BorderStyle = 1
    track.pointee.styles[place].Outline = style.outline
    // The upper edge; libass counts left, middle and right from 1.
    track.pointee.styles[place].Alignment = VALIGN_TOP | Int32(style.alignment + 1)
    track.pointee.styles[place].MarginL = Int32(inset)
    track.pointee.styles[place].MarginR = Int32(inset)
    track.pointee.styles[place].MarginV = Int32(inset)
    // The direction of the text is found from its letters.
    track.pointee.styles[place].Encoding = -1
  }

  /// Draws a text.
  ///
  /// The extent does not depend on which letters the lines have at the side where they are aligned, nor on how tall
  /// they are, so that text that changes stays in its place.
  ///
  /// - Parameters:
  ///   - text: The words; line ends begin new lines.
  ///   - texels: Four bytes for each pixel, rows from the top: how much of it letters cover, how much letters with
  ///     their outline do, 0, 255. Nil to find the extent alone.
  ///   - room: The size of `texels`; what does not fit is cut.
  /// - Returns: The extent that is used, from the first texel.
  package func draw(
    _ text: String, into texels: UnsafeMutableRawBufferPointer? = nil,
    room: TextExtent = TextExtent(width: .max, height: .max)
  ) -> TextExtent {
    let track = opened.track
    ass_flush_events(track)
    let event = Int(ass_alloc_event(track))
    guard event >= 0 else { return TextExtent() }
    track.pointee.events[event].Duration = 1000
    // The latest style; a new track has one of its own.
    track.pointee.events[event].Style = track.pointee.n_styles - 1
    track.pointee.events[event].Text = strdup(Self.escaped(text))
    guard let first = ass_render_frame(opened.renderer, track, 0, nil) else { return TextExtent() }
    let images = sequence(first: first) { $0.pointee.next }
    guard let ink = Self.ink(of: images) else { return TextExtent() }
    let (corner, extent) = window(left: ink.left, right: ink.right, bottom: ink.bottom)
    let used = TextExtent(
      width: min(extent.width, room.width), height: min(extent.height, room.height))
    guard let texels else { return used }
    for y in 0..<used.height {
      for x in 0..<used.width {
        texels.storeBytes(of: 0xFF00_0000, toByteOffset: 4 * (y * room.width + x), as: UInt32.self)
      }
    }
    for image in images { copy(image.pointee, to: texels, room: room, used: used, from: corner) }
    return used
  }

  /// Returns the borders of the pixels that something covers; the bitmaps have empty rows and columns beside them.
  private static func ink(
    of images: UnfoldFirstSequence<UnsafeMutablePointer<ASS_Image>>
  ) -> (left: Int, right: Int, bottom: Int)? {
    var found: (left: Int, right: Int, bottom: Int)?
    for image in images.lazy.map(\.pointee) {
      guard let bitmap = image.bitmap else { continue }
      for row in 0..<Int(image.h) {
        let line = UnsafeBufferPointer(start: bitmap + row * Int(image.stride), count: Int(image.w))
        guard let first = line.firstIndex(where: { $0 > 0 }),
          let last = line.lastIndex(where: { $0 > 0 })
        else { continue }
        let left = Int(image.dst_x) + first
        let right = Int(image.dst_x) + last + 1
        let bottom = Int(image.dst_y) + row + 1
        let known = found ?? (left, right, bottom)
        found = (min(known.left, left), max(known.right, right), max(known.bottom, bottom))
      }
    }
    return found
  }

  /// Returns the part of the area that a text takes, given the borders of what was drawn.
  private func window(
    left: Int, right: Int, bottom: Int
  ) -> (corner: (x: Int, y: Int), extent: TextExtent) {
    let ink = Double(bottom - inset) - style.outline
    let lines = max(1, ((ink - 0.5) / style.size).rounded(.up))
    let height = Int((lines * style.size).rounded(.up)) + 2 * style.margin
    let (first, last) = (inset - style.margin, inset + style.width + style.margin)
    // As far from the ends of the lines as from their beginning.
    let room = style.margin - Int(style.outline)
    let (left, right) = (min(left - room, last), max(right + room, first))
    let (x, end) =
      switch style.alignment {
      case 0: (first, min(right, last))
      case 2: (max(left, first), last)
      default:
        (max(min(left, first + last - right), first), min(max(right, first + last - left), last))
      }
    return ((x, inset - style.margin), TextExtent(width: end - x, height: height))
  }

  private func copy(
    _ image: ASS_Image, to texels: UnsafeMutableRawBufferPointer, room: TextExtent,
    used: TextExtent, from corner: (x: Int, y: Int)
  ) {
    var image = image
    let isLetter = kf_ass_is_letter(&image) != 0
    guard let bitmap = image.bitmap else { return }
    for row in 0..<Int(image.h) {
      let y = Int(image.dst_y) + row - corner.y
      guard (0..<used.height).contains(y) else { continue }
      for column in 0..<Int(image.w) {
        let x = Int(image.dst_x) + column - corner.x
        guard (0..<used.width).contains(x) else { continue }
        let covered = bitmap[row * Int(image.stride) + column]
        let place = 4 * (y * room.width + x)
        texels[place + 1] = max(texels[place + 1], covered)
        if isLetter { texels[place] = max(texels[place], covered) }
      }
    }
  }

  /// Returns text without the meanings that signs have for libass.
  private static func escaped(_ text: String) -> String {
    let lines: [Substring] = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      // Blanks at the start would be left out, and a backslash before some letters has a meaning.
      let blanks = line.prefix { $0 == " " }.count
      let rest = line.dropFirst(blanks).reduce(into: "") { text, character in
        switch character {
        case "\\": text += "\\\u{2060}"
        case "{": text += "\\{"
        case "}": text += "\\}"
        default: text.append(character)
        }
      }
      return String(repeating: "\\h", count: blanks) + rest
    }.joined(separator: "\\N")
  }
}
