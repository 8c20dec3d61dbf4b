import Frames
import XCBHandles

/// Reads pictures of a screen or of a window, whatever size it has at that time.
///
/// Used by one thread.
final class ScreenView {
  /// What is read, in words.
  let name: String

  private let display: DisplayConnection
  /// The window that is read; for a screen the one that fills it.
  private let window: UInt32
  private let isWindow: Bool
  private let crop: PixelArea?
  private let showsPointer: Bool
  private var pool: (format: FrameFormat, buffers: PixelBufferPool<ImageMemory>)?

  /// A picture, and when it was read.
  struct Picture {
    let format: FrameFormat
    let pixels: PixelBuffer
    let moment: MonotonicTime
  }

  /// Connects to the display that a request names, and finds the window.
  init(_ request: SourceRequest) throws(CaptureError) {
    let preference = ScreenRequest(request.input)
    guard let displayName = preference.display ?? ScreenEnvironment.current.display else {
      throw ScreenEnvironment.current.refusal
    }
    let label = "the display \(displayName)"
    let limit = DisplayConnection.AnswerLimit(
      request.interruption, patience: request.camera.timeout)
    let display = try explained(label) { () throws(XCBError) in
      try DisplayConnection(displayName, limit: limit)
    }
    self.display = display
    switch preference {
    case .screen:
      (window, isWindow, name) = (display.root, false, "the screen \(displayName)")
    case .window(let text):
      let all = try explained(label) { () throws(XCBError) in try display.windows() }
      let found = try all.wanted(by: text)
      (window, isWindow, name) = (found.id, true, "the window \(found.quotedTitle)")
      try Self.prepare(found, of: display, name: name)
    }
    if case .area(let area) = request.arrangement.crop { crop = area } else { crop = nil }
    showsPointer = request.showsPointer && display.hasPointerImage
    let geometry = try explained(name) { [window] () throws(XCBError) in
      try display.geometry(of: window)
    }
    try check(geometry)
  }

  /// Makes the server keep the pixels of a window that other windows cover.
  private static func prepare(
    _ window: DisplayWindow, of display: DisplayConnection, name: String
  ) throws(CaptureError) {
    guard display.hasComposite else {
      throw CaptureError(
        """
        \(name) cannot be read alone, because the X server lacks the extension Composite; record -i screen with --crop
        """)
    }
    guard window.isShown else {
      throw CaptureError("\(name) is minimised or hidden; show it before kfrec starts")
    }
    try explained(name) { () throws(XCBError) in try display.keepPixels(of: window.id) }
  }

  /// Throws if the pixels have another form than the usual one, or the crop lies outside.
  private func check(_ geometry: DisplayConnection.Geometry) throws(CaptureError) {
    guard display.hasUsualPixels(depth: geometry.depth) else {
      throw CaptureError(
        """
        \(name) has pixels of \(geometry.depth) bits, and kfrec reads those of 24; start the X server with a depth of 24
        """)
    }
    guard let crop else { return }
    guard crop.x + crop.width <= geometry.width, crop.y + crop.height <= geometry.height else {
      throw CaptureError(
        """
        --crop \(crop.x),\(crop.y),\(crop.width),\(crop.height) lies outside the picture of \(name), which has \
        \(geometry.width)x\(geometry.height) pixels
        """, isUsageError: true)
    }
  }

  /// Reads what is shown now; nil if the window is not shown, or changes its size at this moment.
  func read() throws(XCBError) -> Picture? {
    if isWindow, try !display.isShown(window) { return nil }
    let geometry = try display.geometry(of: window)
    var area = PixelArea(x: 0, y: 0, width: geometry.width, height: geometry.height)
    if let crop {
      guard let left = area.overlap(crop) else { return nil }
      area = left
    }
    do throws(XCBError) {
      // The server keeps other pixels after each change of the size, and after the window was hidden: even between two
      // reads, where nothing else would show it.
      let pixels = isWindow ? try display.namePixels(of: window) : window
      defer { if isWindow { display.release(pixels: pixels) } }
      var source = area
      if isWindow {
        source.x += geometry.border
        source.y += geometry.border
      }
      let buffers = try buffers(width: area.width, height: area.height)
      let moment = MonotonicTime.now
      return Picture(
        format: buffers.format, pixels: try picture(pixels, source, area, from: buffers.buffers),
        moment: moment)
    } catch {
      // BadMatch: it has become smaller since its size was asked for.
      guard error.reason == .refused(8) else { throw error }
      return nil
    }
  }

  private func buffers(
    width: Int, height: Int
  ) throws(XCBError) -> (format: FrameFormat, buffers: PixelBufferPool<ImageMemory>) {
    if let pool, (pool.format.width, pool.format.height) == (width, height) { return pool }
    let format = FrameFormat(width: width, height: height, pixelFormat: .bgr0, color: .sRGB)
    // The server writes rows without bytes between.
    let layout = BufferLayout(
      pixelFormat: .bgr0, width: width, height: height,
      alignment: BufferLayout.Alignment(bytes: 4))
    let display = display
    let made = (
      format,
      PixelBufferPool(layout: layout) {
        try ImageMemory(byteCount: layout.byteCount, for: display)
      }
    )
    pool = made
    return made
  }

  private func picture(
    _ drawable: UInt32, _ source: PixelArea, _ area: PixelArea,
    from buffers: PixelBufferPool<ImageMemory>
  ) throws(XCBError) -> PixelBuffer {
    var pixels: WritablePixels<ImageMemory>
    do {
      pixels = try buffers.lease()
    } catch let error as XCBError {
      throw error
    } catch {
      throw XCBError(call: "\(error)", reason: .missing)
    }
    try display.read(drawable, source, into: pixels.memory)
    if showsPointer {
      var shown = area
      if isWindow {
        let place = try display.place(of: window)
        shown.x += place.x
        shown.y += place.y
      }
      try pixels.withBytes(ofPlane: 0) { bytes throws(XCBError) in
        try display.drawPointer(into: bytes, showing: shown)
      }
    }
    return pixels.freeze()
  }
}

extension PixelArea {
  /// The part that lies in another area too; nil if there is none.
  fileprivate func overlap(_ other: PixelArea) -> PixelArea? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let right = min(x + width, other.x + other.width)
    let bottom = min(y + height, other.y + other.height)
    guard left < right, top < bottom else { return nil }
    return PixelArea(x: left, y: top, width: right - left, height: bottom - top)
  }
}

/// Makes a sentence of a failed request.
private func explained<Value>(
  _ name: String, _ work: () throws(XCBError) -> Value
) throws(CaptureError) -> Value {
  do throws(XCBError) { return try work() } catch { throw CaptureError(error, reading: name) }
}
