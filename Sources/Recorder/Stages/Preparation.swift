import Capture
import DiskCache
import Frames
import GPU
import Render
import ShaderCompiler
import ShaderEffects

/// The effects of a recording, compiled, which needs no GPU: what is wrong with them is told
/// whether they act or not.
struct PreparedEffects: Sendable {
  let compiler: ShaderCompiler
  let library: EffectLibrary
  var effects: [EffectInstance]
  /// What they show beside the input.
  let images: ImageInputs
  /// Ends the wait for a picture that comes through a pipe, and films.
  var interruption: Interruption { images.interruption }

  /// - Parameters:
  ///   - recording: What is asked for.
  ///   - control: Ends it early.
  ///   - warn: Told of what does not stop a recording, one sentence each.
  /// - Throws: What is wrong with them, or `OpenedSource.stopped` where `control` stops it.
  init(
    _ recording: Recording, control: RecordingControl = RecordingControl(),
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    let images = ImageInputs(control: control, playsFilms: true)
    self.images = images
    do {
      let work = DriverWork(limit: nil, isStopped: { control.isStopped })
      (compiler, library, effects) = try work.run(
        effects: recording.effects.map(\.name), device: nil
      ) {
        let compiler = try ShaderCompiler(
          cache: DiskCache(userFolder: "spirv"), dump: ShaderDump(warn: warn))
        let library = EffectLibrary(folders: recording.effectFolders, images: images.loader)
        let effects = try recording.effects.map { try library.compile($0, with: compiler) }
        return (compiler, library, effects)
      }
    } catch {
      // A picture whose reading was stopped looks like a broken file.
      throw control.isStopped ? OpenedSource.stopped : error
    }
  }

  /// A pipeline for frames of a format; with `effects`, where they are others by now.
  ///
  /// - Throws: `StoppedWork` or `UnfinishedCompilation` too, where the driver takes its time.
  func pipeline(
    of format: FrameFormat, device: Device, plan: RecordingPlan, effects: [EffectInstance]? = nil,
    sound: AudioHistory?, isStopped: @escaping @Sendable () -> Bool
  ) throws -> RenderPipeline {
    let effects = effects ?? self.effects
    let compiler = compiler
    let work = DriverWork(limit: device.frameLimit, isStopped: isStopped)
    return try work.run(effects: effects.map(\.name), device: device) {
      try RenderPipeline(
        device: device, compiler: compiler, source: format, geometry: plan.geometry(of: format),
        effects: effects, sink: plan.sink, audio: sound, bindings: plan.bindings,
        isStopped: isStopped)
    }
  }
}

/// The GPU, opened on a thread of its own while the source opens where it is expected to be needed,
/// and otherwise when it is first asked for, which is never in a recording that does without.
///
/// Used by one thread at a time.
final class PreparedGPU {
  private let selector: String?
  private let frameLimit: Rational
  private var pending: Pending<Device>?
  private var opened: Device?

  /// Starts to open the GPU if the recording is expected to need it.
  init(_ recording: Recording) throws(ThreadError) {
    selector = recording.gpu
    frameLimit = recording.frameLimit
    guard recording.expectsGPU else { return }
    pending = try Pending(.device) { [selector, frameLimit] in try Self.open(selector, frameLimit) }
  }

  /// The device, which is opened or waited for by the first call.
  func device() throws -> Device {
    if let opened { return opened }
    let device =
      if let pending = pending.take() { try pending.value() } else {
        try explaining { try Self.open(selector, frameLimit) }
      }
    opened = device
    return device
  }

  private static func open(
    _ selector: String?, _ frameLimit: Rational
  ) throws(VulkanError) -> Device {
    try Device(
      selector: selector, cache: DiskCache(userFolder: "pipelines"), frameLimit: frameLimit)
  }
}

/// A value that a thread of its own is making; letting it go waits for the thread.
struct Pending<Value: Sendable>: ~Copyable {
  private let result = BoundedQueue<Result<Value, any Error>>(capacity: 1)
  private let thread: WorkerThread

  /// Starts `make` on a thread.
  init(
    _ name: ThreadName, place: Int = 0, _ make: @escaping @Sendable () throws -> Value
  ) throws(ThreadError) {
    let result = result
    thread = try WorkerThread(name, place: place) {
      result.send(Result { try explaining(make) })
    }
  }

  /// Waits for the value; throws what `make` threw.
  consuming func value() throws -> Value {
    guard let result = result.receive() else {
      preconditionFailure("the maker always sends one result")
    }
    return try result.get()
  }
}

/// Opens something with a library's help, and says so where that failed while threads are short, of
/// which libraries do not tell.
private func explaining<Value>(_ open: () throws -> Value) throws -> Value {
  do { return try open() } catch {
    if let error = error as? any ExplainedError, error.isUsageError || error is ThreadError {
      throw error
    }
    guard let shortage = ThreadError.shortage() else { throw error }
    throw RecorderError("\(error); \(shortage)")
  }
}
