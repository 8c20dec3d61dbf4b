import CFFmpeg
import FFmpegHandles
import Frames

/// Counts the colours of frames, and chooses the 256 that stand for all of them.
///
/// libavfilter's `palettegen` keeps one count for each colour that occurred, whatever the number of frames: at
/// most 16.8 million of 16 bytes. Used by one thread at a time.
struct PaletteSearch: ~Copyable {
  private let graph: FilterGraphHandle
  private let source: UnsafeMutablePointer<AVFilterContext>
  private let sink: UnsafeMutablePointer<AVFilterContext>
  private let frame: AVFrameHandle
  private let format: FrameFormat

  init(_ format: FrameFormat) throws {
    let graph = try FilterGraphHandle()
    let source = try graph.add("buffer", format.filterSource)
    let search = try graph.add("palettegen")
    let sink = try graph.add("buffersink")
    try graph.link(source, to: search)
    try graph.link(search, to: sink)
    try graph.configure()
    let frame = try AVFrameHandle()
    self.graph = graph
    self.frame = frame
    (self.source, self.sink, self.format) = (source, sink, format)
  }

  mutating func add(_ picture: Frame, ticks: Int64) throws {
    try frame.refer(to: picture.pixels)
    frame.pointer.pointee.width = Int32(format.width)
    frame.pointer.pointee.height = Int32(format.height)
    frame.pointer.pointee.format = format.pixelFormat.avPixelFormat.rawValue
    frame.pointer.pointee.pts = ticks
    // The filter counts at once, and gives the frame back.
    try check(av_buffersrc_add_frame(source, frame.pointer), "av_buffersrc_add_frame", "palettegen")
  }

  /// Returns the palette as an image of 16x16 pixels; called once, after all frames.
  mutating func palette() throws -> AVFrameHandle {
    try check(av_buffersrc_add_frame(source, nil), "av_buffersrc_add_frame", "palettegen")
    let palette = try AVFrameHandle()
    try check(
      av_buffersink_get_frame(sink, palette.pointer), "av_buffersink_get_frame", "palettegen")
    return palette
  }
}

/// Gives frames the colours of a palette; used by one thread at a time.
struct PaletteUse: ~Copyable {
  private let graph: FilterGraphHandle
  private let source: UnsafeMutablePointer<AVFilterContext>
  private let sink: UnsafeMutablePointer<AVFilterContext>
  /// The latest result: one byte for each pixel, and the palette.
  let frame: AVFrameHandle

  init(
    _ palette: consuming AVFrameHandle, for format: FrameFormat, dither: EncodeSettings.Dither
  ) throws {
    let graph = try FilterGraphHandle()
    let source = try graph.add("buffer", format.filterSource)
    var colors = format
    (colors.width, colors.height) = (
      Int(palette.pointer.pointee.width), Int(palette.pointer.pointee.height)
    )
    let palettes = try graph.add("buffer", colors.filterSource)
    // Only the part that changed is dithered again, so that what stands still does not flicker.
    let use = try graph.add("paletteuse", "dither=\(dither.filterOption):diff_mode=rectangle")
    let sink = try graph.add("buffersink")
    try graph.link(source, to: use)
    try graph.link(palettes, to: use, input: 1)
    try graph.link(use, to: sink)
    try graph.configure()
    let frame = try AVFrameHandle()
    palette.pointer.pointee.pts = 0
    try check(
      av_buffersrc_add_frame(palettes, palette.pointer), "av_buffersrc_add_frame", "paletteuse")
    try check(av_buffersrc_add_frame(palettes, nil), "av_buffersrc_add_frame", "paletteuse")
    self.graph = graph
    self.frame = frame
    (self.source, self.sink) = (source, sink)
  }

  /// Takes a frame, whose pixels it keeps, or nil for the end; then call `receive` until it returns false.
  func send(_ picture: UnsafeMutablePointer<AVFrame>?) throws {
    try check(av_buffersrc_add_frame(source, picture), "av_buffersrc_add_frame", "paletteuse")
  }

  /// Fills `frame` with the next result, if there is one.
  func receive() throws -> Bool {
    frame.clear()
    let result = av_buffersink_get_frame(sink, frame.pointer)
    if result == kf_averror(EAGAIN) || result == kf_averror_eof() { return false }
    try check(result, "av_buffersink_get_frame", "paletteuse")
    return true
  }
}

extension FrameFormat {
  /// The options of a filter that takes frames of this format, with times in 1/100 s.
  fileprivate var filterSource: String {
    "video_size=\(width)x\(height):pix_fmt=\(pixelFormat.rawValue):time_base=1/100"
  }
}

extension EncodeSettings.Dither {
  fileprivate var filterOption: String {
    switch self {
    case .flat: "none"
    case .ordered: "bayer:bayer_scale=3"
    case .automatic, .errorDiffusion: "sierra2_4a"
    }
  }
}
