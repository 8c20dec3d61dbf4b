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
  /// The opened device; its folder is removed when the process ends.
  private static let kept = Mutex<Result<(Device, ShaderCompiler, TemporaryFolder), any Error>?>(
    nil)

  package static func opened() throws -> (device: Device, compiler: ShaderCompiler) {
    try kept.withLock { kept in
      if let (device, compiler, _) = try kept?.get() { return (device, compiler) }
      setenv("KFREC_VULKAN_VALIDATION", KfrecProcess.validation, 1)
      // All tests of the process wait for the same device, on a machine that may have other work.
      let made = Result {
        let folder = try TemporaryFolder()
        let compiler = try ShaderCompiler(cache: DiskCache(folder: folder.path))
        return (try Device(frameLimit: Rational(600)), compiler, folder)
      }
      kept = made
      atexit { TestDevice.release() }
      let (device, compiler, _) = try made.get()
      return (device, compiler)
    }
  }

  /// Closes the device only for a leak sanitizer, which cannot distinguish an open driver's memory from a leak: the newer
  /// validation layer takes itself down before (Debian 13), and crashed.
  private static func release() {
    kept.withLock { kept in
      if getenv("LSAN_OPTIONS") == nil, case .success(let (device, _, _)) = kept {
        _ = Unmanaged.passRetained(device)
      }
      kept = nil
    }
  }
}
