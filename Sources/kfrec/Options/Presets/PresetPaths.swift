import Capture
import Frames
import Glibc
import Settings
import ShaderEffects

/// Moves the paths in options from one folder to another: those of a preset count from its own folder.
struct PresetPaths {
  /// The folder from which paths count, with a slash at its end; empty for the current one.
  private let base: String
  private let effectFolders: [String]

  /// - Parameters:
  ///   - folder: Where paths count from.
  ///   - effectFolders: Where effects are looked for first.
  ///   - isAbsolute: Whether the current folder makes paths absolute; else they only get `folder` before them.
  init(from folder: String, effectFolders: [String], makesAbsolute isAbsolute: Bool = false) {
    self.effectFolders = effectFolders
    guard isAbsolute, let current = getcwd(nil, 0) else {
      base = folder
      return
    }
    base = String(cString: current) + "/"
    free(current)
  }

  func moved(_ value: String, of option: Option) -> String {
    guard !base.isEmpty else { return value }
    return switch option.kind {
    case .effect: movedEffect(value)
    case .file, .folder, .output: value == "-" ? value : moved(path: value)
    case .source, .media: moved(source: value)
    case .word, .encoder, .encoderPreset, .color, .microphone: value
    }
  }

  private func moved(path: String) -> String { path.hasPrefix("/") ? path : base + path }

  /// Moves what `-i` takes, with what follows a `~`.
  private func moved(source: String) -> String {
    // The name of a file may have the mark too.
    var name = source
    while access(base + name, F_OK) != 0, let mark = name.lastIndex(of: "~") {
      name = String(name[..<mark])
    }
    // A camera may be named by a part of its name; only files and numbered images have paths here.
    let kind = SourceKind.written(name)
    guard !kind.isLive, !kind.isGenerated, !kind.paths(name).isEmpty else { return source }
    return moved(path: source)
  }

  /// Moves the path of an effect, and those of its images and fonts.
  private func movedEffect(_ text: String) -> String {
    guard let use = try? EffectSpec(parsing: text) else { return text }
    let isPath = use.name.contains("/") || access(base + use.name, F_OK) == 0
    let name = isPath ? moved(path: use.name) : use.name
    let inputs = (try? EffectLibrary(folders: effectFolders).describe(name))?.inputs ?? []
    let types = Dictionary(inputs.map { ($0.name, $0.type) }) { $1 }
    return EffectSpec.rewriting(text, name: name) { key, value in
      switch types[key] {
      case "image": return moved(source: value)
      case "font":
        return value.contains("/") || access(base + value, F_OK) == 0 ? moved(path: value) : value
      default: return value
      }
    }
  }
}
