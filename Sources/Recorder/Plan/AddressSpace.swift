import Glibc

/// Room for mappings, which `ulimit -v` bounds.
///
/// What is not there is found out before anything is opened: some libraries crash where memory is
/// refused to them (shaderc, LLVM), and the Vulkan loader finds no driver.
package enum AddressSpace {
  /// What the compiler, lavapipe and x264 were measured to map beyond the program, for a small picture
  /// on two cores: 400 MB and a reserve.
  package static let usualRoom = 512 << 20

  /// What frames of a size on their way, the driver's and the encoder's with them, were measured to
  /// take: 148 bytes a pixel and a reserve.
  static func room(width: Int, height: Int) -> Int { 128 << 20 + 160 * width * height }

  /// - Throws: A sentence, where so many bytes cannot be mapped.
  package static func check(room byteCount: Int) throws(RecorderError) {
    let memory = mmap(
      nil, byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard memory != MAP_FAILED else {
      throw RecorderError(
        "the system gives kfrec less memory than the \(byteCount >> 20) MB more that it may need: "
          + "raise the limit (ulimit -v), or choose a smaller size")
    }
    munmap(memory, byteCount)
  }
}
