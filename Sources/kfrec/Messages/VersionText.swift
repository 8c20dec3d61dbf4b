import Encode
import GPU
import ShaderCompiler

/// What `--version` prints: the versions of kfrec, of its libraries and of the drivers that it finds.
struct VersionText {
  var text: String {
    let ffmpeg = ffmpegVersions()
    let libraries = ffmpeg.libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
    var lines = [
      "kfrec \(programVersion)",
      "FFmpeg \(ffmpeg.release)",
      "  \(libraries)",
      "Vulkan loader \(vulkanLoaderVersion())",
      "shaderc for \(shadercVersion())",
    ]
    // Best effort: a broken driver must not hide the versions, which are needed in that case.
    for gpu in (try? listGPUs()) ?? [] {
      lines.append("GPU \(gpu.index): \(gpu.name), \(gpu.driver), Vulkan \(gpu.apiVersion)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
