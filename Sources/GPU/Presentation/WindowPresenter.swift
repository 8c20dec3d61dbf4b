public import Frames
public import ShaderCompiler

/// Shows frames in a window.
///
/// It uploads finished frames, converts them to RGB, scales them to the window and gives them to the window
/// system. Only one thread uses it. It has a device of its own, so that a window that waits for its
/// screen never holds up the kernels of a recording.
public final class WindowPresenter {
  private let device: Device
  private let compiler: ShaderCompiler
  private let surface: WindowSurface
  private let commands: CommandBuffer
  private let numbers: Buffer
  private var swapchain: Swapchain?
  private var picture: ShownFrame
  /// The frames before the effects; nil if they were never asked for.
  private var before: ShownFrame?
  /// The memory of the panel, which only grows.
  private var panelMemory: Buffer
  private var panel: WindowPanel?
  private var target: Target?

  /// The texture in which the window's pixels are made, and the kernel that makes them.
  private struct Target {
    let texture: Texture
    let pass: ComputePass
  }

  /// Prepares for a surface, whose device was opened for windows, and for frames that begin with a format.
  public init(surface: WindowSurface, compiler: ShaderCompiler, format: FrameFormat) throws {
    (self.surface, self.compiler, device) = (surface, compiler, surface.device)
    commands = try CommandBuffer(device: device)
    numbers = try Buffer(
      device: device, byteCount: MemoryLayout<ViewNumbers>.stride, use: .upload)
    picture = try ShownFrame(device: device, compiler: compiler, format: format)
    panelMemory = try Buffer(device: device, byteCount: 4, use: .upload)
  }

  /// Waits for the commands, which use everything else.
  deinit { try? commands.drain() }

  /// Replaces what lies over the picture; nil for nothing.
  public func setPanel(_ new: WindowPanel?) throws {
    try commands.wait()
    let byteCount = (new?.pixels.count ?? 0) * 4
    if byteCount > panelMemory.byteCount {
      panelMemory = try Buffer(device: device, byteCount: byteCount, use: .upload)
      target = nil
    }
    new?.pixels.withUnsafeBytes { panelMemory.bytes.copyMemory(from: $0) }
    panel = new
  }

  /// Shows a frame, or the last one again, and returns whether the window system has taken it: it may be busy, or the window
  /// hidden.
  ///
  /// `original` is the same frame before the effects, if the view shows it. `size` is that of the window in pixels, for
  /// window systems that leave it to the program.
  ///
  /// - Throws: If the driver fails, or the window's surface is gone.
  public func show(
    _ frame: Frame?, original: Frame? = nil, size: (width: Int, height: Int), view: WindowView
  ) throws -> Bool {
    try commands.wait()
    if let frame { picture = try taken(frame, by: picture) }
    if let original { before = try taken(original, by: before) }
    // A window whose size changes may need two attempts.
    for _ in 0..<2 {
      if swapchain == nil {
        swapchain = try Swapchain(surface: surface, size: size)
      }
      guard let swapchain else { return false }
      let target = try target(atLeast: swapchain.width, swapchain.height)
      var view = view
      if before == nil { view.split = nil }
      let values = ViewNumbers(
        format: picture.format, window: (swapchain.width, swapchain.height), view: view,
        panel: panel)
      numbers.bytes.storeBytes(of: values, as: ViewNumbers.self)
      try commands.begin()
      picture.record(into: commands)
      before?.record(into: commands)
      target.pass.record(slot: 0, into: commands)
      guard let image = target.texture.image else { return false }
      switch try swapchain.show(image, after: commands) {
      case .shown:
        picture.isNew = false
        before?.isNew = false
        return true
      case .busy: return false
      case .outdated:
        try commands.wait()
        self.swapchain = nil
      }
    }
    return false
  }

  /// Makes the next frame use a new swapchain, for a window whose size has changed: some window systems
  /// do not report it.
  public func resize() throws {
    try commands.wait()
    swapchain = nil
  }

  /// Returns where a pixel of the window lies in the picture: 0 to 1 from its upper left corner.
  public func share(
    of place: (x: Double, y: Double), window: (width: Int, height: Int), view: WindowView
  ) -> (x: Double, y: Double) {
    let geometry = FrameGeometry(
      source: picture.format, size: (window.width, window.height), scale: view.scale)
    func share(_ place: Double, _ start: Int, _ length: Int) -> Double {
      min(max((place - Double(start)) / Double(max(length, 1)), 0), 1)
    }
    return (
      share(place.x, geometry.x, geometry.width), share(place.y, geometry.y, geometry.height)
    )
  }

  /// Returns a target that holds a window of this size; it is a little larger, so that a window that
  /// grows does not need a kernel for each of its sizes.
  private func target(atLeast width: Int, _ height: Int) throws -> Target {
    func padded(_ length: Int) -> Int { (length + 127) / 128 * 128 }
    let (width, height) = (padded(width), padded(height))
    if let target, (target.texture.width, target.texture.height) == (width, height) {
      return target
    }
    let texture = try Texture(
      device: device,
      shape: TextureDescriptor(width: width, height: height, format: .byte, storage: .images))
    let source = ViewKernel.source(
      picture: picture.texture, before: (before ?? picture).texture, numbers: numbers,
      panel: panelMemory, into: texture)
    let made = Target(
      texture: texture,
      pass: try ComputePass(
        device: device, compiler: compiler, source, name: "window", slotCount: 1))
    target = made
    return made
  }

  /// Fills the memory of a frame, which is made again if the format is another one.
  private func taken(_ frame: Frame, by shown: ShownFrame?) throws -> ShownFrame {
    if let shown, shown.format == frame.format {
      shown.fill(from: frame.pixels)
      return shown
    }
    let shown = try ShownFrame(device: device, compiler: compiler, format: frame.format)
    shown.fill(from: frame.pixels)
    target = nil
    return shown
  }
}

/// A frame in the memory of the window's device, as RGB.
private final class ShownFrame {
  let format: FrameFormat
  let texture: Texture
  /// The texture does not show the newest frame yet.
  var isNew = false
  private let upload: Upload
  private let pass: ComputePass

  init(device: Device, compiler: ShaderCompiler, format: FrameFormat) throws {
    self.format = format
    let isSoftware = device.kind == .cpu
    // The software driver reads buffers twice as fast as images.
    let storage: TextureStorage = isSoftware ? .buffers : .images
    upload = try Upload(
      device: device, format: format, storage: storage, packsWords: isSoftware, slotCount: 1,
      toneMaps: true)
    texture = try Texture(
      device: device, width: upload.reader.width, height: upload.reader.height, storage: storage)
    pass = try ComputePass(
      device: device, compiler: compiler, .conversion(from: upload.reader, to: texture.writer),
      name: "window frame", slotCount: 1)
  }

  func fill(from pixels: PixelBuffer) {
    upload.fill(slot: 0, from: pixels)
    isNew = true
  }

  /// Records the conversion of a new frame.
  func record(into commands: CommandBuffer) {
    guard isNew else { return }
    upload.record(slot: 0, into: commands)
    pass.record(slot: 0, into: commands)
  }
}
