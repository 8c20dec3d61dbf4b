package import GPU
import Glibc
package import ShaderCompiler
import Synchronization
import TestSupport

/// The device and the compiler of a test process, under the validation layer, synchronization included:
/// opened by the first test that asks.
package enum TestDevice {
  /// Let go when the process ends: a leak sanitizer cannot tell what an open driver keeps from what was
  /// forgotten.
  private static let kept = Mutex<Result<(Device, ShaderCompiler), any Error>?>(nil)

  package static func opened() throws -> (device: Device, compiler: ShaderCompiler) {
    try kept.withLock { kept in
      if let kept { return try kept.get() }
      setenv("KFREC_VULKAN_VALIDATION", KfrecProcess.validation, 1)
      atexit { TestDevice.kept.withLock { $0 = nil } }
      let made = Result { (try Device(), try ShaderCompiler()) }
      kept = made
      return try made.get()
    }
  }
}
