import Capture
import DiskCache
import Frames
import GPU
import ShaderCompiler
import ShaderEffects
import Synchronization

/// The GPU side's half of getting ready, done on a thread of its own while the source opens: the
/// device, the compiler, and the effects compiled.
struct PreparedGPU: Sendable {
  let device: Device
  let compiler: ShaderCompiler
  let effects: [CompiledEffect]

  init(_ recording: Recording) throws {
    // A driver's start takes as long as a first compilation: they go side by side.
    let device = Pending(name: "kfrec-device") {
      try Device(selector: recording.gpu, cache: DiskCache(userFolder: "pipelines"))
    }
    let compiler = try ShaderCompiler(cache: DiskCache(userFolder: "spirv"))
    let library = EffectLibrary(folders: recording.effectFolders)
    effects = try recording.effects.map { try library.compile($0, with: compiler) }
    self.compiler = compiler
    self.device = try device.value()
  }
}

/// A value that a thread of its own is making; letting it go waits for the thread.
struct Pending<Value: Sendable>: ~Copyable {
  private let result = BoundedQueue<Result<Value, any Error>>(capacity: 1)
  private let thread: WorkerThread

  /// Starts `make` on a thread with a name of 15 bytes at most.
  init(name: String, _ make: @escaping @Sendable () throws -> Value) {
    let result = result
    thread = WorkerThread(name: name) { result.send(Result { try make() }) }
  }

  /// Waits for the value; throws what `make` threw.
  consuming func value() throws -> Value {
    guard let result = result.receive() else {
      preconditionFailure("the maker always sends one result")
    }
    return try result.get()
  }
}
