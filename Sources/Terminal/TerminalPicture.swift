import CChafa
import CFFmpeg
import FFmpegHandles
import Frames

/// Where in a terminal a picture is drawn, in cells from 0.
struct TerminalArea: Equatable {
  var left: Int
  var top: Int
  var columns: Int
  var rows: Int
  /// The size of a cell in pixels; for characters the resolution at which they are chosen.
  var cell: (width: Int, height: Int)

  static func == (a: Self, b: Self) -> Bool {
    (a.left, a.top, a.columns, a.rows) == (b.left, b.top, b.columns, b.rows) && a.cell == b.cell
  }

  /// The pixels of the largest screens, 8K: the sixels of more would take too much memory.
  private static let mostPixels = 7680.0 * 4320

  /// The largest area with a frame's shape in the upper `rows` of a terminal, in its middle.
  init(_ format: FrameFormat, in size: TerminalSize, rows: Int, style: TerminalStyle) {
    let upright = format.uprightSize
    let width = Double(upright.width) * format.uprightSampleAspectRatio.doubleValue
    let height = Double(upright.height)
    let cell = (width: Double(size.cell.width), height: Double(size.cell.height))
    var scale = min(
      Double(size.columns) * cell.width / width, Double(rows) * cell.height / height)
    if style == .sixel { scale = min(scale, (Self.mostPixels / (width * height)).squareRoot()) }
    columns = min(max(Int((width * scale / cell.width).rounded()), 1), size.columns)
    self.rows = min(max(Int((height * scale / cell.height).rounded()), 1), rows)
    left = (size.columns - columns) / 2
    top = (rows - self.rows) / 2
    switch style {
    case .blocks: self.cell = (8, 8)
    case .sixel: self.cell = size.cell
    case .kitty, .iterm2:
      // The terminal scales the picture: more pixels than the frame has would only be more bytes.
      self.cell = (
        min(size.cell.width, (upright.width + columns - 1) / columns),
        min(size.cell.height, (upright.height + self.rows - 1) / self.rows)
      )
    }
  }

  var width: Int { columns * cell.width }
  var height: Int { rows * cell.height }
}

/// Scales frames of one format to an area, and draws them as text of the terminal.
///
/// Used by one thread.
final class TerminalPicture {
  let area: TerminalArea
  private let style: TerminalStyle
  private let scaler: ScalerHandle
  private let canvas: OpaquePointer
  private let stride: Int
  private var pixels: [UInt8]
  /// The rows of characters that the terminal shows; those that stay are not sent again.
  private var shown: [ArraySlice<UInt8>] = []
  /// Which of two images of kitty's protocol is shown: the next one must not replace it before it is complete.
  private var imageID = 1

  /// - Throws: If swscale cannot convert the frames.
  init(
    _ format: FrameFormat, in area: TerminalArea, style: TerminalStyle,
    facts: TerminalFacts
  ) throws(TerminalError) {
    (self.area, self.style) = (area, style)
    guard
      let scaler = ScalerHandle(
        from: (format.width, format.height, format.pixelFormat.avPixelFormat),
        to: (area.width, area.height, AV_PIX_FMT_RGB24), filter: kf_sws_area)
    else {
      throw TerminalError(
        "frames of \(format.pixelFormat.rawValue) cannot be scaled to the terminal")
    }
    let matrix = Int32(format.color.matrix.rawValue)
    scaler.setColors(
      matrix: matrix, isFull: format.color.range == .full, toMatrix: matrix, isTargetFull: true)
    self.scaler = scaler
    // swscale writes past the end of rows that are not whole blocks.
    stride = (area.width * 3 + 63) / 64 * 64
    pixels = Array(repeating: 0, count: stride * area.height + 64)

    let symbols = chafa_symbol_map_new()
    defer { chafa_symbol_map_unref(symbols) }
    chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_SPACE)
    chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_BLOCK)
    let settings = chafa_canvas_config_new()
    defer { chafa_canvas_config_unref(settings) }
    chafa_canvas_config_set_geometry(settings, Int32(area.columns), Int32(area.rows))
    chafa_canvas_config_set_cell_geometry(
      settings, Int32(area.cell.width), Int32(area.cell.height))
    chafa_canvas_config_set_canvas_mode(settings, facts.colors(of: style))
    chafa_canvas_config_set_pixel_mode(settings, style.pixelMode)
    chafa_canvas_config_set_symbol_map(settings, symbols)
    canvas = chafa_canvas_new(settings)
  }

  deinit { chafa_canvas_unref(canvas) }

  /// Appends what draws a frame of the picture's format to `text`; nothing if the terminal shows the same picture already.
  func draw(
    _ frame: Frame, facts: TerminalFacts, into text: inout [UInt8]
  ) {
    scale(frame)
    pixels.withUnsafeBufferPointer { bytes in
      chafa_canvas_draw_all_pixels(
        canvas, CHAFA_PIXEL_RGB8, bytes.baseAddress, Int32(area.width), Int32(area.height),
        Int32(stride))
    }
    if style == .kitty { imageID = 3 - imageID }
    let drawn = facts.text(of: canvas, imageID: imageID)
    // Characters come as rows; an image is one piece.
    let rows =
      style == .blocks
      ? drawn.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) : [drawn[...]]
    for (row, bytes) in rows.enumerated() where row >= shown.count || shown[row] != bytes {
      text += "\u{1b}[\(area.top + row + 1);\(area.left + 1)H".utf8
      text += bytes
    }
    if style == .kitty { text += "\u{1b}_Ga=d,d=I,i=\(3 - imageID),q=2\u{1b}\\".utf8 }
    // An image of kitty has another number each time.
    if style != .kitty { shown = rows }
  }

  private func scale(_ frame: Frame) {
    pixels.withUnsafeMutableBufferPointer { bytes in
      _ = scaler.scale(
        frame, to: [bytes.baseAddress, nil, nil, nil], strides: [Int32(stride), 0, 0, 0])
    }
  }
}
