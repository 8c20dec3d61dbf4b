import CPosix
import Glibc

/// The word after `-o`, with the data needed to check it.
struct OutputSpec {
  let text: String
  let container: Container?
  let path: OutputPath

  /// Throws if `container` is not a container's name.
  init(_ text: String, container: String?) throws(EncodeError) {
    self.text = text
    path = OutputPath(text)
    guard let container else {
      self.container = nil
      return
    }
    if OutputSpec.pictureKinds.contains(container) {
      guard path.fileExtension == container else {
        throw EncodeError(
          text == "-"
            ? "--container \(container) is a kind of pictures, which go into files; with -o - --container takes "
              + Container.all.map(\.name).joined(separator: ", ")
            : "--container \(container) names the kind of pictures in a batch; end the name of \(text) in .\(container) instead",
          isUsageError: true)
      }
      self.container = nil
      return
    }
    guard let found = Container(named: container) else {
      throw EncodeError(
        "there is no container \"\(container)\": use "
          + Container.all.map(\.name).joined(separator: ", "), isUsageError: true)
    }
    self.container = found
  }

  /// The kinds of pictures and animations, as they are typed after `--container`.
  fileprivate static let pictureKinds =
    ImageFileFormat.all.compactMap(\.extensions.first) + AnimationFormat.allCases.map(\.rawValue)

  /// The name's extension shows the container or image format.
  var tellsContainer: Bool {
    Container(named: path.fileExtension) != nil || ImageFileFormat(named: path.fileExtension) != nil
      || AnimationFormat(rawValue: path.fileExtension) != nil
  }

  func target() throws(EncodeError) -> any OutputTarget {
    try path.checkLink()
    for kind in OutputKind.all {
      if let target = try kind.recognize(self) { return target }
    }
    throw unrecognized
  }

  private var unrecognized: EncodeError {
    if text.isEmpty { return EncodeError("the output has no name", isUsageError: true) }
    if path.isDirectory || text.hasSuffix("/") {
      return EncodeError("\(text) is a folder: name a file in it, such as out.mov")
    }
    let ending = path.fileExtension
    let endings =
      Container.all.map(\.ending) + ImageFileFormat.all.map(\.ending)
      + AnimationFormat.allCases.map(\.ending)
    let last = endings.last ?? ""
    return EncodeError(
      "\(text) "
        + (ending.isEmpty ? "has no extension" : "has an extension that names no container")
        + ": end it in \(endings.dropLast().joined(separator: ", ")) or \(last), or add --container",
      isUsageError: true)
  }
}

extension OutputPath {
  /// Throws if the path is a link to a name that is not UTF-8: as text it would be another name.
  fileprivate func checkLink() throws(EncodeError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
      let resolved = realpath(path, nil)
    else { return }
    defer { free(resolved) }
    guard String(validatingCString: resolved) == nil else { return }
    throw EncodeError(
      "\(path) is a link to a file whose path is not UTF-8: name another place", isUsageError: true)
  }
}

/// What may be typed after `--container`: containers, and kinds of pictures for a batch.
public func containerNames() -> [String] {
  Container.all.map(\.name) + OutputSpec.pictureKinds
}
