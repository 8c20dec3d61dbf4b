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
  private var panel: PanelMemory
  private var target: Target?

  /// The memory of a panel, which only grows.
  private struct PanelMemory {
    let buffer: Buffer
    var panel: WindowPanel?
  }

  /// The texture in which the window's pixels are made, and the kernel that makes them.
  private struct Target {
    let texture: Texture
    let pass: ComputePass
  }

  /// - Parameters:
  ///   - surface: The surface of the window; its device was opened for windows.
  ///   - compiler: Compiles the kernels.
  ///   - format: The format of the first frames.
  /// - Throws: If a kernel cannot be made, or memory is missing.
  public init(surface: WindowSurface, compiler: ShaderCompiler, format: FrameFormat) throws {
    (self.surface, self.compiler, device) = (surface, compiler, surface.device)
    commands = try CommandBuffer(device: device)
    numbers = try Buffer(
      device: device, byteCount: MemoryLayout<ViewNumbers>.stride, use: .upload)
    picture = try ShownFrame(device: device, compiler: compiler, format: format)
    panel = PanelMemory(buffer: try Buffer(device: device, byteCount: 4, use: .upload))
  }

  /// Waits for the commands, which use everything else.
  deinit { try? commands.drain() }

  /// Replaces what lies over the picture; nil for nothing.
  public func setPanel(_ new: WindowPanel?) throws {
    try commands.wait()
    let byteCount = (new?.pixels.count ?? 0) * 4
    if byteCount > panel.buffer.byteCount {
      panel = PanelMemory(
        buffer: try Buffer(device: device, byteCount: byteCount, use: .upload))
      target = nil
    }
    new?.pixels.withUnsafeBytes { panel.buffer.bytes.copyMemory(from: $0) }
    panel.panel = new
  }

  /// Shows a frame, or the last one again.
  ///
  /// - Parameters:
  ///   - frame: The next frame; nil for the last one.
  ///   - original: The same frame before the effects, if the view shows it.
  ///   - size: The size of the window in pixels, for window systems that leave it to the program.
  ///   - view: How the frame is shown.
  /// - Returns: Whether the window system has taken it; it may be busy, or the window hidden.
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
      write(
        ViewNumbers(
          format: picture.format, window: (swapchain.width, swapchain.height), view: view,
          panel: panel.panel))
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

  private func write(_ values: ViewNumbers) {
    numbers.bytes.storeBytes(of: values, as: ViewNumbers.self)
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
    let kernel = ViewKernel.source(
      picture: picture.texture, before: (before ?? picture).texture, numbers: numbers,
      panel: panel.buffer, into: texture
    ).assembled()
    let made = Target(
      texture: texture,
      pass: try ComputePass(
        device: device, spirv: compiler.compile(kernel, name: "window"), kernel: kernel,
        slotCount: 1))
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
    let kernel = KernelSource.conversion(from: upload.reader, to: texture.writer).assembled()
    pass = try ComputePass(
      device: device, spirv: compiler.compile(kernel, name: "window frame"), kernel: kernel,
      slotCount: 1)
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
