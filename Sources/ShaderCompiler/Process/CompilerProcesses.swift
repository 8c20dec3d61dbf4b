import Glibc
import Synchronization

/// The compiler processes of this program, which all compilers share.
final class CompilerProcesses: Sendable {
  static let shared = CompilerProcesses()

  private struct State {
    var isOn = false
    var idle: [CompilerProcess] = []
    /// Whether a thread waits to end idle processes.
    var isWatched = false
    /// Counts what was asked, so that a process ends only after a while without a question.
    var count = 0
  }

  private let state = Mutex(State())

  /// How much longer than its processor time a text may take, on a machine that has other work.
  private static let busyFactor = 4.0
  /// Seconds after which processes without work end.
  private static let patience: UInt32 = 5

  func turnOn() { state.withLock { $0.isOn = true } }

  var isOn: Bool { state.withLock { $0.isOn } }

  /// Compiles in a process of its own, which may use this many seconds of a processor; nil if the system gives none.
  func make(
    _ inputs: CompilerInputs, includes: IncludeResolver, seconds: Double,
    isStopped: () -> Bool
  ) throws(ShaderCompileError) -> MadeModule? {
    let request = CompilerMessage.request(
      inputs, includes: includes, seconds: Int(seconds.rounded(.up)))
    while true {
      guard let process = take() else { return nil }
      do throws(CompilerProcess.Failure) {
        let body = try process.answer(
          to: request, seconds: seconds * Self.busyFactor, isStopped: isStopped)
        guard let made = CompilerMessage.answer(of: body) else { throw .ended(signal: 0) }
        give(back: process)
        // shaderc has no words for memory that it did not get.
        guard !made.named.isEmpty || !made.messages.isEmpty else { throw .ended(signal: SIGABRT) }
        return made
      } catch {
        // One that waited may have been killed meanwhile, by a system without memory.
        if process.isUsed, case .ended(SIGKILL) = error { continue }
        throw ShaderCompileError(name: inputs.name, message: Self.message(error, seconds: seconds))
      }
    }
  }

  private static func message(_ failure: CompilerProcess.Failure, seconds: Double) -> String {
    switch failure {
    case .stopped: "stopped while it was compiled"
    case .late, .ended(SIGXCPU):
      "takes more than \(Int(seconds.rounded(.up))) s to compile; make the code shorter (macros and functions that "
        + "name others twice double it each time), or allow more with --gpu-timeout"
    case .ended(SIGSEGV), .ended(SIGBUS):
      "the compiler crashed: expressions are nested too deeply, or macros make them so; divide them into "
        + "several statements"
    case .ended(SIGABRT), .ended(SIGKILL):
      "takes more than \(CompilerService.megabyteLimit) MB of memory to compile; make the code shorter (macros that "
        + "name others twice double it each time)"
    case .ended: "the compiler ended without an answer; make the code simpler"
    }
  }

  private func take() -> CompilerProcess? {
    let (isOn, idle) = state.withLock { state in
      state.count += 1
      return (state.isOn, state.idle.popLast().map(Handed.init))
    }
    return isOn ? idle?.process ?? CompilerProcess() : nil
  }

  /// Keeps a process for the next text, for a while.
  private func give(back process: CompilerProcess) {
    let handed = Handed(process: process)
    let isWatched = state.withLock { state in
      state.idle.append(handed.process)
      defer { state.isWatched = true }
      return state.isWatched
    }
    guard !isWatched else { return }
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { _ in
        CompilerProcesses.shared.endIdle()
        return nil
      }, nil)
    if code == 0 {
      pthread_detach(thread)
    } else {
      state.withLock { $0.isWatched = false }
    }
  }

  /// Waits until nothing was asked for a while, and ends the processes.
  private func endIdle() {
    var seen = -1
    while true {
      sleep(Self.patience)
      let ended = state.withLock { state -> [Handed]? in
        guard state.count == seen else {
          seen = state.count
          return nil
        }
        defer { (state.idle, state.isWatched) = ([], false) }
        return state.idle.map(Handed.init)
      }
      if ended != nil { return }
    }
  }

  private struct Handed: @unchecked Sendable {
    // @unchecked: a process is in the list or in one thread's hands, never both.
    let process: CompilerProcess
  }
}

extension ShaderCompiler {
  /// From now on compiles in processes of this program, which must answer `CompilerService.word` with
  /// `CompilerService.serve()`; in this process where the system gives none.
  public static func useProcesses() { CompilerProcesses.shared.turnOn() }
}
