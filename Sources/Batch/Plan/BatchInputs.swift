import CPosix
import Capture
import Encode
import Frames
import Glibc

struct BatchInput: Sendable {
  /// The text for `-i`.
  let path: String
  /// The folder below the input folder that it was found in: "", or "a/b"; outputs keep it.
  let folder: String
  /// What a list says of it; nil if it is not from a list.
  var listed: ListedInput?
}

/// A file of an input folder that is not an input.
package struct SkippedFile: Sendable, Equatable {
  package let path: String
  /// Why, as words after "skipped: ".
  package let reason: String
}

/// The inputs that a request names, in the order in which they are processed.
struct BatchInputs: Sendable {
  private(set) var inputs: [BatchInput] = []
  private(set) var skipped: [SkippedFile] = []
  private let entersSubfolders: Bool
  /// The output folder's device and inode, if it exists: it is no input, though it may be in an input folder.
  private let outputFolder: FileIdentity?
  /// The folders of the input folder that is read now: links lead to one of them again, or in a circle.
  private var entered: Set<FileIdentity> = []

  /// Extensions of the files in a folder that are taken; other files are skipped and listed.
  ///
  /// A file that is named itself is taken whatever its name is.
  static let extensions = images.union([
    "mov", "mp4", "m4v", "mkv", "webm", "avi", "mts", "m2ts", "ts", "mpg", "mpeg", "vob", "mxf",
    "flv", "f4v", "wmv", "asf", "ogv", "3gp", "3g2", "y4m", "dv", "nut", "gif", "apng",
  ])

  static let images: Set<String> = [
    "png", "jpg", "jpeg", "webp", "bmp", "tif", "tiff", "tga", "ppm", "pgm", "pbm", "pam",
    "pfm", "jp2", "j2k", "dpx", "exr", "avif", "jxl",
  ]

  /// Reads the folders.
  ///
  /// - Throws: A usage error for an input that does not exist or that cannot be in a batch; another error if
  ///   a folder cannot be read.
  init(_ request: BatchRequest) throws(BatchError) {
    entersSubfolders = request.entersSubfolders
    outputFolder = .folder(request.outputFolder)
    for (place, input) in request.inputs.enumerated() {
      let (listed, first) = (request.listed[place], inputs.count)
      do throws(BatchError) { try add(input, listed?.settings) } catch {
        guard let listed else { throw error }
        throw listed.placed(error)
      }
      for found in inputs.indices[first...] { inputs[found].listed = listed }
    }
    guard !inputs.isEmpty || !request.watched.isEmpty else {
      let found = skipped.isEmpty ? "" : ", only \(skipped.count) files that kfrec does not know"
      throw BatchError(
        "there is no input: \(request.inputs.joined(separator: ", ")) holds no video and no image\(found); "
          + "name files, or add --recursive for the folders inside", isUsageError: true)
    }
  }

  /// The inputs of a farm's task; one that is missing fails alone, when its turn comes.
  init(_ dealt: [FarmPlan.Item], listed: [Int: ListedInput]) {
    (entersSubfolders, outputFolder) = (false, nil)
    inputs = dealt.enumerated().map {
      BatchInput(path: $1.input, folder: "", listed: listed[$0])
    }
  }

  /// Adds a file, or the files of a folder.
  private mutating func add(_ input: String, _ settings: InputSettings?) throws(BatchError) {
    guard let folder = FileIdentity.folder(input) else {
      try BatchInputs.check(input)
      return inputs.append(BatchInput(path: input, folder: ""))
    }
    guard folder != outputFolder else {
      throw BatchError(
        "\(input) is the folder of the inputs and of the outputs; choose another --output-dir",
        isUsageError: true)
    }
    guard settings?.output == nil else {
      throw BatchError(
        "\(input) is a folder, and \"output\" names one file; leave \"output\" out, or name a file",
        isUsageError: true)
    }
    entered = [folder]
    try addFolder(input, below: "")
  }

  /// Throws if an input that is named itself does not exist, or gives something else when it is read again.
  private static func check(_ input: String) throws(BatchError) {
    let request = SourceRequest(input: input)
    let kind = request.kind
    let reason: String? =
      if MediaPlaylist.isName(input) { playlistReason } else if !request.canBeOpenedAgain {
        "it cannot be read again"
      } else if kind.isLive { "it is a live source" } else { nil }
    if let reason {
      throw BatchError(
        "\(input) cannot be in a batch, because \(reason); record it with kfrec -i",
        isUsageError: true)
    }
    guard !kind.isGenerated, !kind.takesFrameRate, access(input, F_OK) != 0 else { return }
    throw BatchError("\(input): \(String(cString: strerror(errno)))", isUsageError: true)
  }

  private mutating func addFolder(_ path: String, below folder: String) throws(BatchError) {
    guard let names = contents(of: path) else {
      let reason = String(cString: strerror(errno))
      throw BatchError("the folder \(path) cannot be read (\(reason)); allow it, or leave it out")
    }
    var links: [(path: String, name: String, identity: FileIdentity)] = []
    func below(_ name: String) -> String { folder.isEmpty ? name : folder + "/" + name }
    for name in names where !name.hasPrefix(".") {
      let full = path.hasSuffix("/") ? path + name : path + "/" + name
      guard let identity = FileIdentity.folder(full) else {
        add(full, name: name, below: folder)
        continue
      }
      guard entersSubfolders, identity != outputFolder else { continue }
      guard FileIdentity(at: full) == identity else {
        links.append((full, below(name), identity))
        continue
      }
      guard entered.insert(identity).inserted else { continue }
      try addFolder(full, below: below(name))
    }
    // Last, so that a folder is found under its own name if it has one here.
    for link in links {
      guard entered.insert(link.identity).inserted else {
        skipped.append(
          SkippedFile(path: link.path, reason: "it leads to a folder that is read already"))
        continue
      }
      try addFolder(link.path, below: link.name)
    }
  }

  private mutating func add(_ path: String, name: String, below folder: String) {
    if let reason = BatchInputs.reasonToSkip(name) ?? BatchInputs.reasonToSkip(at: path) {
      skipped.append(SkippedFile(path: path, reason: reason))
    } else {
      inputs.append(BatchInput(path: path, folder: folder))
    }
  }

  private static func reasonToSkip(at path: String) -> String? {
    guard let file = FileIdentity(behind: path) else { return String(cString: strerror(errno)) }
    return file.isRegular ? nil : "it is a pipe or a device"
  }

  private static let playlistReason =
    "it is a playlist, and a batch would not see when the files that it names change"

  /// Why a file in a folder is no input, by its name; nil if it is one.
  static func reasonToSkip(_ name: String) -> String? {
    guard !name.contains("\u{fffd}") else { return "its name is not UTF-8" }
    guard !MediaPlaylist.isName(name) else { return playlistReason }
    let fileExtension = name.split(separator: ".").count > 1 ? name.split(separator: ".").last : nil
    guard extensions.contains((fileExtension ?? "").lowercased()) else {
      return "its name is not that of a video or an image"
    }
    return nil
  }
}

/// Whether a file of a folder is an input by its name: a video or an image.
package func isInputName(_ name: String) -> Bool {
  !name.hasPrefix(".") && BatchInputs.reasonToSkip(name) == nil
}

/// Whether a path is that of a batch's own file: a journal, the plan, or what is in a work folder.
package func isBatchFile(_ path: String, outputFolder: String) -> Bool {
  Journal.isOwnPath(path) || namesSameFile(path, outputFolder + "/" + FarmPlan.fileName)
}

extension FileIdentity {
  /// The folder that a path leads to; nil if it leads to none.
  static func folder(_ path: String) -> FileIdentity? {
    FileIdentity(behind: path).flatMap { $0.isFolder ? $0 : nil }
  }
}
