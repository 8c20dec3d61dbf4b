import DiskCache
import Frames
package import GPU
import Glibc
package import ShaderCompiler
import Synchronization
import TestSupport

/// The device and the compiler of a test process, opened by the first test that needs them, with the
/// validation layer and its synchronization checks.
///
/// Most tests make the same pipelines: what one has compiled is kept for the others, as long as the process lives.
package enum TestDevice {
  /// The opened device, released when the process ends; a leak sanitizer cannot distinguish an open
  /// driver's memory from a leak.
  private static let kept = Mutex<Result<(Device, ShaderCompiler, TemporaryFolder), any Error>?>(
    nil)

  package static func opened() throws -> (device: Device, compiler: ShaderCompiler) {
    try kept.withLock { kept in
      if let (device, compiler, _) = try kept?.get() { return (device, compiler) }
      setenv("KFREC_VULKAN_VALIDATION", KfrecProcess.validation, 1)
      atexit { TestDevice.kept.withLock { $0 = nil } }
      // All tests of the process wait for the same device, on a machine that may have other work.
      let made = Result {
        let folder = try TemporaryFolder()
        let compiler = try ShaderCompiler(cache: DiskCache(folder: folder.path))
        return (try Device(frameLimit: Rational(600)), compiler, folder)
      }
      kept = made
      let (device, compiler, _) = try made.get()
      return (device, compiler)
    }
  }
}
