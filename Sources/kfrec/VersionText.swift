import CPosix
import FFmpegHandles
import Frames
import GPU
import Glibc
import ShaderCompiler

/// What `--version` prints: the versions of kfrec, of its libraries and of the drivers that it finds.
struct VersionText {
  var text: String {
    let ffmpeg = FFmpegLibrary.releases
    let libraries = FFmpegLibrary.all.map { "\($0.name) \($0.loaded)" }.joined(separator: ", ")
    var lines = [
      "kfrec \(programVersion)",
      "FFmpeg \(ffmpeg.loaded), built with \(ffmpeg.built)",
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

  /// The same as one JSON object on one line.
  var json: String {
    let ffmpeg = FFmpegLibrary.releases
    let gpus = ((try? listGPUs()) ?? []).map { gpu in
      JSONValue.object([
        ("index", .int(gpu.index)), ("name", .string(gpu.name)), ("driver", .string(gpu.driver)),
        ("vulkan", .string(gpu.apiVersion)),
      ])
    }
    return JSONValue.object([
      ("program", .string("kfrec")), ("version", .string(programVersion)),
      ("commit", .optional(commit, JSONValue.string)),
      (
        "libraries",
        .object(
          [("ffmpeg", .string(ffmpeg.loaded)), ("ffmpegBuiltWith", .string(ffmpeg.built))]
            + FFmpegLibrary.all.map { ($0.name, .string("\($0.loaded)")) }
            + [
              ("vulkanLoader", .string(vulkanLoaderVersion())),
              ("shaderc", .string(shadercVersion())),
            ])
      ),
      ("gpus", .array(gpus)),
    ]).text + "\n"
  }

  /// The commit that the program was built from, as an installation and `make build` keep it in `share/kfrec/commit`, with
  /// `-dirty` behind it if files had changes; nil if that is not known.
  private var commit: String? {
    guard let program = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(program) }
    let folders = String(cString: program).split(separator: "/").dropLast(2)
    let path = "/" + (folders + ["share", "kfrec", "commit"]).joined(separator: "/")
    // In a checkout the program may have been built again without `make`.
    if folders.contains(".build") {
      guard let own = FileStamp(String(cString: program)), let note = FileStamp(path),
        own.time <= note.time
      else { return nil }
    }
    let word = (try? SourceFile.read(path))?.split(whereSeparator: \.isWhitespace).first
    return word.map(String.init)
  }
}
