import Frames
import Glibc
import ShaderCompiler

/// The folders to search for effects, in order.
struct EffectSearchPath: Sendable, Equatable {
  let folders: [String]

  /// Takes the given folders, then those of the environment and of the installation.
  ///
  /// `executable` is the program's own path; its prefix and, in a checkout, the folders above it are searched.
  init(
    given: [String], environment: (String) -> String? = Self.environment,
    executable: String? = SourceFile.canonical("/proc/self/exe")
  ) {
    var folders = given
    folders += (environment("KFREC_EFFECTS") ?? "").split(separator: ":").map(String.init)
    // The XDG Base Directory Specification requires programs to ignore a path that is not absolute.
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") {
      folders.append(data + "/kfrec/effects")
    } else if let home = environment("HOME"), home.hasPrefix("/") {
      folders.append(home + "/.local/share/kfrec/effects")
    }
    if let executable {
      let bin = SourceFile.folder(of: executable)
      folders.append(Self.join(SourceFile.folder(of: bin), "share/kfrec/effects"))
      if let checkout = Self.checkout(above: bin) { folders.append(checkout) }
    }
    self.folders = folders.reduce(into: []) { unique, folder in
      if !unique.contains(folder) { unique.append(folder) }
    }
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the folder `Effects` beside the nearest Package.swift above a folder.
  private static func checkout(above folder: String) -> String? {
    var folder = folder
    while folder != "/", folder != "." {
      let effects = join(folder, "Effects")
      if SourceFile.canonical(join(folder, "Package.swift")) != nil, SourceFile.isFolder(effects) {
        return effects
      }
      folder = SourceFile.folder(of: folder)
    }
    return nil
  }

  static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Returns the paths of the effects directly in a folder, sorted by name; none if the folder does not
  /// exist.
  static func effects(in folder: String) -> [String] {
    names(in: folder).filter { !$0.hasPrefix(".") }.map { join(folder, $0) }.filter { path in
      // Include files and other data may have the extension of an effect.
      EffectLanguage.isEffect(path) { try? SourceFile.read(path) }
    }
  }
}
