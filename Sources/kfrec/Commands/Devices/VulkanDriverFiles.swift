import Frames
import Glibc
import ShaderCompiler
import ShaderEffects

/// The files that list drivers for the Vulkan loader, and the reasons why a driver cannot be loaded.
///
/// The loader passes over a driver that it cannot load, in silence: in a container it may lack a library, or the file
/// itself may not be there (LoaderDriverInterface.md of the Vulkan loader says where it looks).
struct VulkanDriverFiles {
  /// Files, and folders of them.
  var places: [String]
  /// Patterns of the names of files, one of which must fit, and none of which may.
  var selected: [String] = []
  var disabled: [String] = []

  /// Where the loader of this process looks.
  static var usual: VulkanDriverFiles {
    func value(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    func folders(_ list: String) -> [String] {
      list.split(separator: ":").map { "\($0)/vulkan/icd.d" }
    }
    func files(_ list: String) -> [String] { list.split(separator: ":").map(String.init) }
    func patterns(_ name: String) -> [String] {
      (value(name) ?? "").split(separator: ",").map(String.init)
    }
    var usual = VulkanDriverFiles(
      places: [], selected: patterns("VK_LOADER_DRIVERS_SELECT"),
      disabled: patterns("VK_LOADER_DRIVERS_DISABLE"))
    if let chosen = value("VK_DRIVER_FILES") ?? value("VK_ICD_FILENAMES") {
      usual.places = files(chosen)
      return usual
    }
    let home = value("HOME") ?? ""
    let settings = value("XDG_CONFIG_HOME") ?? home + "/.config"
    let data = value("XDG_DATA_HOME") ?? home + "/.local/share"
    usual.places =
      files(value("VK_ADD_DRIVER_FILES") ?? "") + folders(settings)
      + folders(value("XDG_CONFIG_DIRS") ?? "/etc/xdg") + folders("/usr/local/etc:/etc")
      + folders(data) + folders(value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share")
    return usual
  }

  /// One sentence about the files and what is wrong with them.
  var text: String {
    let files = files
    guard !files.isEmpty else {
      return "The Vulkan loader finds no file of a driver in \(places.joined(separator: ", "))."
    }
    let tried = files.filter(isWanted).map { ($0, problem($0)) }
      // Of programs with 32 bits, beside the others.
      .filter { $0.1?.contains("wrong ELF class") != true }
    let wrong = tried.compactMap { file, problem in problem.map { "\(file) \($0)" } }
    let names = tried.filter { $0.1 == nil }.map(\.0)
    let loaded =
      names.isEmpty ? "no driver" : "the drivers of \(names.joined(separator: ", "))"
    return (["The Vulkan loader can load \(loaded)"] + wrong).joined(separator: "; ") + "."
  }

  /// Whether the loader takes a file by its name (`VK_LOADER_DRIVERS_SELECT`, `VK_LOADER_DRIVERS_DISABLE`).
  private func isWanted(_ file: String) -> Bool {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    func fits(_ pattern: String) -> Bool {
      fnmatch(pattern.lowercased(), name.lowercased(), 0) == 0
    }
    return (selected.isEmpty || selected.contains(where: fits)) && !disabled.contains(where: fits)
  }

  private var files: [String] {
    places.flatMap { place -> [String] in
      // A file that was named but does not exist is reported; a folder need not exist.
      guard let names = contents(of: place) else { return place.hasSuffix(".json") ? [place] : [] }
      return names.filter { $0.hasSuffix(".json") }.map { "\(place)/\($0)" }
    }
  }

  /// What keeps the driver of a file from being loaded; nil if nothing does.
  private func problem(_ file: String) -> String? {
    let library: String
    do {
      let json = try LocatedJSONParser.parse(SourceFile.read(file), takesLast: true).value
      guard let path = json.member("ICD")?.member("library_path")?.text else {
        return "names no library"
      }
      library = path
    } catch let error as SourceFileError {
      return "cannot be read: \(error.reason)"
    } catch {
      return "is no JSON"
    }
    // With a slash a path that is not absolute is relative to the file; a name alone is looked for as any library.
    let isRelative = library.contains("/") && !library.hasPrefix("/")
    let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let path = isRelative ? folder.joined(separator: "/") + "/" + library : library
    guard let handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL) else {
      let reason = dlerror().map { String(cString: $0) } ?? "it cannot be loaded"
      return "names \(library), which cannot be loaded (\(reason))"
    }
    dlclose(handle)
    return nil
  }
}

extension LocatedJSON {
  fileprivate func member(_ name: String) -> LocatedJSON? {
    guard case .object(let members) = value else { return nil }
    return members.last { $0.key == name }?.value
  }

  fileprivate var text: String? {
    if case .string(let text) = value { text } else { nil }
  }
}
