import Glibc

/// Checks for free address space, which `ulimit -v` limits.
///
/// The check runs before anything is opened, because some libraries crash if they get no memory
/// (shaderc, LLVM), and the Vulkan loader finds no driver.
package enum AddressSpace {
  /// Bytes that the compiler, lavapipe and x264 map in addition to the program: measured 400 MB for a
  /// small frame on two cores, and a reserve.
  package static let usualRoom = 512 << 20

  /// Returns the bytes for frames of this size in flight, including driver and encoder: measured 148
  /// bytes per pixel, and a reserve.
  static func room(width: Int, height: Int) -> Int { 128 << 20 + 160 * width * height }

  /// Throws if this number of bytes cannot be mapped.
  package static func check(room byteCount: Int) throws(RecorderError) {
    let memory = mmap(
      nil, byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard memory != MAP_FAILED else {
      throw RecorderError(
        "the system gives kfrec less than the \(byteCount >> 20) MB of memory that kfrec still may need: "
          + "raise the limit (ulimit -v), or choose a smaller size")
    }
    munmap(memory, byteCount)
  }
}
