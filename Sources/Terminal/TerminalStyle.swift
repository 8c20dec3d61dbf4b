import CChafa
import CPosix
import Glibc

/// How a picture is drawn in a terminal.
package enum TerminalStyle: String, CaseIterable, Sendable {
  /// Pixels, as DEC's VT340 and many newer terminals draw them.
  case sixel
  /// Pixels, by the protocol of the terminal kitty.
  case kitty
  /// Pixels, by the protocol of iTerm2.
  case iterm2
  /// Characters that fill parts of their cell, in colours.
  case blocks

  var pixelMode: ChafaPixelMode {
    switch self {
    case .sixel: CHAFA_PIXEL_MODE_SIXELS
    case .kitty: CHAFA_PIXEL_MODE_KITTY
    case .iterm2: CHAFA_PIXEL_MODE_ITERM2
    case .blocks: CHAFA_PIXEL_MODE_SYMBOLS
    }
  }
}

/// What libchafa knows of the terminal from the environment: TERM, COLORTERM and what terminals set.
///
/// Used by one thread.
final class TerminalFacts {
  /// The sequences of the terminal, and the usual ones for those that libchafa does not know of it.
  private let info: OpaquePointer
  /// What the environment tells; nil if it tells of no way to draw pixels.
  let style: TerminalStyle?
  private let canvasMode: ChafaCanvasMode

  init() {
    let database = chafa_term_db_get_default()
    info = chafa_term_db_detect(database, kf_environment())
    let info = info
    func knows(_ sequence: ChafaTermSeq) -> Bool {
      chafa_term_info_have_seq(info, sequence) != 0
    }
    style =
      [
        (CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1, TerminalStyle.kitty),
        (CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE, .iterm2), (CHAFA_TERM_SEQ_BEGIN_SIXELS, .sixel),
      ].first { knows($0.0) }?.1
    canvasMode =
      [
        (CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT, CHAFA_CANVAS_MODE_TRUECOLOR),
        (CHAFA_TERM_SEQ_SET_COLOR_FGBG_256, CHAFA_CANVAS_MODE_INDEXED_240),
        (CHAFA_TERM_SEQ_SET_COLOR_FGBG_16, CHAFA_CANVAS_MODE_INDEXED_16),
        (CHAFA_TERM_SEQ_INVERT_COLORS, CHAFA_CANVAS_MODE_FGBG_BGFG),
      ].first { knows($0.0) }?.1 ?? CHAFA_CANVAS_MODE_FGBG
    let usual = chafa_term_db_get_fallback_info(database)
    chafa_term_info_supplement(info, usual)
    chafa_term_info_unref(usual)
  }

  deinit { chafa_term_info_unref(info) }

  /// How many colours characters can have.
  func colors(of style: TerminalStyle) -> ChafaCanvasMode {
    style == .blocks ? canvasMode : CHAFA_CANVAS_MODE_TRUECOLOR
  }

  /// Returns what draws a canvas; an image of kitty's protocol gets this id, and the terminal answers nothing.
  func text(of canvas: OpaquePointer, imageID: Int) -> [UInt8] {
    chafa_term_info_set_seq(
      info, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1,
      "\u{1b}_Ga=T,i=\(imageID),q=2,C=1,f=%1,s=%2,v=%3,c=%4,r=%5,m=1\u{1b}\\", nil)
    guard let string = chafa_canvas_print(canvas, info) else { return [] }
    defer { g_string_free(string, 1) }
    return Array(
      UnsafeRawBufferPointer(start: string.pointee.str, count: Int(string.pointee.len)))
  }

  /// Whether the terminal cannot even place its cursor.
  static var isDumb: Bool {
    guard let name = getenv("TERM") else { return true }
    return ["", "dumb"].contains(String(cString: name))
  }
}
