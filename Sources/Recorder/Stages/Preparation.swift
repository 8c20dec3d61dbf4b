import Capture
import DiskCache
import Encode
import Frames
import GPU
import Render
import ShaderCompiler
import ShaderEffects
import Synchronization

/// The compiled effects of a recording.
///
/// Compiling needs no GPU. Errors are reported whether the effects act or not.
struct PreparedEffects: Sendable {
  let compiler: ShaderCompiler
  let library: EffectLibrary
  var effects: [EffectInstance]
  /// What puts subtitles over the frames after all effects; nil if nothing does.
  private let subtitles: EffectInstance?
  /// Images and video files that the effects show in addition to the input.
  let images: ImageInputs
  /// When the wait for a compiler is given up.
  let compilerWait: CompilerWait
  /// Returns whether finished frames also have the frames that they were made of.
  private let keepsOriginals: @Sendable () -> Bool
  /// Ends the wait for an image that comes through a pipe, and ends the video files.
  var interruption: Interruption { images.interruption }

  /// Compiles the effects; `warn` is called with problems that do not stop a recording, one sentence each.
  init(
    _ recording: Recording, control: RecordingControl = RecordingControl(),
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    let images = ImageInputs(
      control: control, showsMovingInputs: true,
      deinterlacing: recording.source.deinterlacing.mode)
    self.images = images
    let compilerWait = CompilerWait(control)
    self.compilerWait = compilerWait
    keepsOriginals = { [view = recording.view] in view?.wantsOriginals ?? false }
    do {
      let work = DriverWork(limit: nil, isStopped: { control.isStopped })
      (compiler, library, effects, subtitles) = try work.run(
        effects: recording.effects.map(\.name), device: nil
      ) {
        let compiler = try ShaderCompiler(
          cache: DiskCache(userFolder: "spirv"), dump: ShaderDump(warn: warn),
          limit: recording.frameLimit.doubleValue, isStopped: { compilerWait.isOver })
        let library = EffectLibrary(
          folders: recording.effectFolders, readable: recording.readableFolders,
          images: images.loader)
        let effects = try recording.effects.map {
          try library.compile($0, with: compiler, isSteered: recording.isSteered)
        }
        let subtitles = try recording.subtitles.map {
          try EffectLibrary.subtitles(SubtitleFile($0).script(), with: compiler)
        }
        return (compiler, library, effects, subtitles)
      }
    } catch {
      // An image whose reading was stopped looks like a damaged file.
      throw control.isStopped ? OpenedSource.stopped : error
    }
  }

  /// Creates a pipeline for frames of a format, with `effects` if they differ from the compiled ones.
  func pipeline(
    of format: FrameFormat, device: Device, plan: RecordingPlan, effects: [EffectInstance]? = nil,
    audioHistory: AudioHistory?, isStopped: @escaping @Sendable () -> Bool
  ) throws -> RenderPipeline {
    let effects = (effects ?? self.effects) + [subtitles].compactMap(\.self)
    let compiler = compiler
    let work = DriverWork(limit: device.frameLimit, isStopped: isStopped)
    let pipeline = try work.run(effects: effects.map(\.name), device: device) {
      try RenderPipeline(
        device: device, compiler: compiler, source: format, geometry: plan.geometry(of: format),
        effects: effects, sink: plan.sink, audio: audioHistory, bindings: plan.bindings,
        comparison: plan.comparison, dithers: plan.dithers(format),
        sharesResults: plan.sharesResults, isStopped: isStopped)
    }
    pipeline.keepsOriginals = keepsOriginals
    return pipeline
  }
}

/// When the wait for a compiler is given up: once the recording is stopped, if no frame was rendered before.
///
/// Later, the frames that wait for the compiler were captured, and belong into the file.
final class CompilerWait: Sendable {
  private let control: RecordingControl
  private let hasFrames = Atomic<Bool>(false)

  init(_ control: RecordingControl) { self.control = control }

  func noteFrame() { hasFrames.store(true, ordering: .relaxed) }

  /// May be read by any thread.
  var isOver: Bool { control.isStopped && !hasFrames.load(ordering: .relaxed) }
}

/// The GPU; if it will probably be needed, it is opened on its own thread while the source opens.
///
/// Otherwise the first request opens it; a recording that does not use the GPU never requests it. Only
/// one thread at a time uses this object.
final class PreparedGPU {
  private let open: @Sendable () throws(VulkanError) -> Device
  private var pending: Pending<Device>?
  private var opened: Device?

  /// Starts to open the GPU if the recording will probably need it.
  init(_ recording: Recording, shared: SharedGPU? = nil) throws(ThreadError) {
    let (preference, frameLimit) = (recording.gpuPreference, recording.frameLimit)
    open = { () throws(VulkanError) in
      guard let shared else { return try SharedGPU.open(preference, frameLimit) }
      return try shared.device(preference, frameLimit)
    }
    guard recording.expectsGPU else { return }
    pending = try Pending(.device) { [open] in try open() }
  }

  /// Returns the device; the first call opens it or waits for it.
  func device() throws -> Device {
    if let opened { return opened }
    let device =
      if let pending = pending.take() { try pending.value() } else {
        try explaining { try open() }
      }
    opened = device
    return device
  }

}

/// A GPU that several recordings of the process share, with its compiled kernels; the first one that needs
/// it opens it.
package final class SharedGPU: Sendable {
  private let opened = Mutex<(device: Device, kernels: KernelStore)?>(nil)

  package init() {}

  /// Returns the device; the others wait while one recording opens it.
  func device(_ preference: GPUPreference, _ frameLimit: Rational) throws(VulkanError) -> Device {
    // A closure of `withLock` cannot throw a typed error here and return a value at once.
    let result = opened.withLock { opened -> Result<Device, VulkanError> in
      if let opened { return .success(opened.device) }
      do throws(VulkanError) {
        let (device, kernels) = (try SharedGPU.open(preference, frameLimit), KernelStore())
        device.use(kernels)
        opened = (device, kernels)
        return .success(device)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Opens the GPU of a recording now; it may be one that does not need it.
  package func open(for recording: Recording) throws {
    _ = try explaining { () throws(VulkanError) in
      try device(recording.gpuPreference, recording.frameLimit)
    }
  }

  /// Makes the next recording open the GPU again; running ones keep theirs.
  package func forget() { opened.withLock { $0 = nil } }

  static func open(_ preference: GPUPreference, _ frameLimit: Rational) throws(VulkanError)
    -> Device
  {
    try Device(
      preference: preference, cache: DiskCache(userFolder: "pipelines"), frameLimit: frameLimit)
  }
}

/// Compiles the effects of a recording, and returns the files that they read, with the automation.
package func filesOfEffects(_ recording: Recording) throws -> [String] {
  let prepared = try PreparedEffects(recording)
  defer { prepared.interruption.interrupt() }
  _ = try recording.readAutomation(for: prepared.effects)
  for track in recording.subtitleTracks { _ = try track.read() }
  return prepared.effects.flatMap(\.readFiles).flatMap { file in
    file.isSource ? SourceRequest(input: file.path).kind.paths(file.path) : [file.path]
  } + [recording.automationIn].compactMap(\.self)
}

/// A value that another thread creates; releasing it waits for the thread.
struct Pending<Value>: ~Copyable {
  private let result: BoundedQueue<Result<Handover<Value>, any Error>>
  private let thread: WorkerThread

  init(
    _ name: ThreadName, place: Int = 0, _ make: @escaping @Sendable () throws -> sending Value
  ) throws(ThreadError) {
    let result = BoundedQueue<Result<Handover<Value>, any Error>>(capacity: 1)
    let thread = try WorkerThread(name, place: place) {
      result.send(Result { Handover(try explaining(make)) })
    }
    self.result = result
    self.thread = thread
  }

  /// Waits for the value; throws the error of `make`.
  consuming func value() throws -> sending Value {
    guard let value = try result.receive()?.get().take() else {
      preconditionFailure("the maker always sends one result")
    }
    return value
  }
}

/// Runs `open`, and adds to its error if threads are short, which libraries do not report.
private func explaining<Value>(_ open: () throws -> sending Value) throws -> sending Value {
  do { return try open() } catch {
    if let error = error as? any ExplainedError, error.isUsageError || error is ThreadError {
      throw error
    }
    guard let shortage = ThreadError.shortage() else { throw error }
    throw RecorderError("\(error); \(shortage)")
  }
}

extension Recording {
  var gpuPreference: GPUPreference { GPUPreference(selector: gpu, requiresHardware: requiresGPU) }
}
