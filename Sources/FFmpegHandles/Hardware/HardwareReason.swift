import Glibc

/// Why hardware does not work, in words for users.
///
/// FFmpeg's codes say little ("Generic error in an external library"), and its log says the rest in the words
/// of the driver's developers. What is usually missing can be seen on the machine itself.
public enum HardwareReason {
  /// Returns a part of a sentence, for use after a colon or after "because", for FFmpeg's error and the lines of its log.
  public static func text(_ family: HardwareFamily, code: Int32, log: [String]) -> String {
    if let missing = missing(family) { return missing }
    for (words, reason) in known where log.contains(where: { $0.contains(words) }) {
      return reason
    }
    guard let line = log.last else { return FFmpegError.reason(code) }
    return "FFmpeg says: \(line)"
  }

  /// Says what the machine lacks, as a part of a sentence; nil if nothing is missing that can be seen.
  public static func missing(_ family: HardwareFamily) -> String? {
    switch family {
    case .nvidia:
      // libavcodec's wrapper looks for the driver in the same way.
      guard let driver = dlopen("libcuda.so.1", RTLD_LAZY) else {
        return "there is no NVIDIA driver (libcuda.so.1)"
      }
      dlclose(driver)
      return nil
    case .qsv, .vaapi, .drm:
      let names: [String] = (128..<192).map { "/dev/dri/renderD\($0)" }
      let nodes = names.filter { access($0, F_OK) == 0 }
      guard let first = nodes.first else {
        return "there is no GPU that \(family.title) can use (no /dev/dri/renderD128)"
      }
      guard !nodes.contains(where: { access($0, R_OK | W_OK) == 0 }) else { return nil }
      return "this user may not open \(first); add the user to the group render"
    case .v4l2m2m:
      let hasDevice = (0..<64).contains { access("/dev/video\($0)", F_OK) == 0 }
      return hasDevice ? nil : "there is no V4L2 device (/dev/video0)"
    case .omx:
      let names = ["libOMX_Core.so", "libOmxCore.so"]
      let libraries = names.compactMap { name in dlopen(name, RTLD_LAZY) }
      defer { for library in libraries { dlclose(library) } }
      return libraries.isEmpty ? "there is no OpenMAX library (libOMX_Core.so)" : nil
    case .vdpau: return nil
    }
  }

  /// Words of FFmpeg's log (5.1), and what they mean.
  private static let known = [
    ("Cannot load libnvidia-encode", "the NVIDIA driver has no encoder (libnvidia-encode.so.1)"),
    ("Driver does not support the required nvenc API", "the NVIDIA driver is too old"),
    ("OpenEncodeSessionEx failed: unsupported device", "this NVIDIA GPU has no encoder"),
    ("No capable devices found", "no NVIDIA GPU here has an encoder for this"),
    ("OpenEncodeSessionEx failed: out of memory", "the NVIDIA GPU runs no more encoders at once"),
    ("Could not find a valid device", "no V4L2 device has this codec"),
    (
      "Error initializing an internal MFX session",
      "there is no Intel GPU with Quick Sync, or its driver is not installed"
    ),
    ("Cannot open the X11 display", "VDPAU needs an X server, and there is none"),
    ("No VA display found", "no GPU here has a driver for VA-API"),
    ("No usable encoding profile found", "this GPU, or its driver, does not encode this codec"),
    ("No usable encoding entrypoint found", "this GPU, or its driver, does not encode this codec"),
  ]
}
