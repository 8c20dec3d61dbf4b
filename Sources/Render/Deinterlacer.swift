public import Frames
public import GPU
public import ShaderCompiler

/// Turns interlaced frames into progressive ones on the GPU, before anything else sees them.
///
/// One thread uses it.
public final class Deinterlacer {
  private let device: Device
  private let pass: FieldPass
  private let commands: CommandBuffer

  /// Compiles the kernel for frames of a format; any thread may call `isStopped`, which ends the wait for the driver.
  ///
  /// - Throws: Missing GPU resources, and `UnfinishedCompilation` if the driver takes too long.
  public init(
    device: Device, compiler: ShaderCompiler, format: FrameFormat,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws {
    self.device = device
    let work = DriverWork(limit: device.frameLimit, isStopped: isStopped)
    (pass, commands) = try work.run(effects: [], device: device) {
      let pass = try FieldPass(device: device, compiler: compiler, format: format)
      let commands = try CommandBuffer(device: device)
      try commands.begin()
      try pass.compile(into: commands)
      try commands.submit()
      try commands.waitForCompiler()
      return (pass, commands)
    }
  }

  /// Returns whether frames have the format that it was made for; how they are shown does not matter.
  public func takes(_ format: FrameFormat) -> Bool {
    pass.format.pixelFormat == format.pixelFormat && pass.format.width == format.width
      && pass.format.height == format.height
  }

  /// Returns a frame with the picture of its field, in its format, and waits for it.
  ///
  /// - Throws: `UnfinishedFrame` if the GPU takes too long; then nothing may use the GPU any more.
  public func progressive(_ frame: Frame) throws -> Frame {
    guard let fields = frame.fields else { return frame }
    var made = frame
    made.fields = nil
    if let picture = fields.progressive {
      made.pixels = picture
      return made
    }
    try commands.begin()
    let pending = try pass.record(frame.pixels, fields, into: commands)
    try commands.submit()
    do {
      try commands.wait()
    } catch {
      guard error.leavesGPUBusy else { throw error }
      // Never released, as in `RenderPipeline`.
      _ = Unmanaged.passRetained(self)
      DriverWork.noteAbandoned()
      throw UnfinishedFrame(time: frame.time, limit: device.frameLimit, effects: [])
    }
    made.pixels = try pass.pixels(of: pending)
    fields.progressive = made.pixels
    return made
  }
}
