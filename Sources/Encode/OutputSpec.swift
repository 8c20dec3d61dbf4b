import Glibc

/// The word after `-o`, with what must be known to judge it.
struct OutputSpec {
  let text: String
  let container: Container?
  let path: OutputPath

  /// Throws when `container` is not a container's name.
  init(_ text: String, container: String?) throws(EncodeError) {
    self.text = text
    path = OutputPath(text)
    guard let container else {
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

  /// The name says what is to be written.
  var tellsContainer: Bool {
    Container(named: path.fileExtension) != nil || ImageFileFormat(named: path.fileExtension) != nil
  }

  /// What it stands for, by the first kind that claims it.
  func target() throws(EncodeError) -> any OutputTarget {
    try path.checkLink()
    for kind in OutputKind.all {
      if let target = try kind.recognize(self) { return target }
    }
    throw unrecognized
  }

  /// What to say when no kind claims the word.
  private var unrecognized: EncodeError {
    if text.isEmpty { return EncodeError("the output has no name", isUsageError: true) }
    if path.isDirectory || text.hasSuffix("/") {
      return EncodeError("\(text) is a folder: name a file in it, as out.mov")
    }
    let ending = path.fileExtension
    let endings = Container.all.map { "." + $0.name } + ImageFileFormat.all.map(\.ending)
    let last = endings.last ?? ""
    return EncodeError(
      "\(text) "
        + (ending.isEmpty ? "has no extension" : "has an extension that names no container")
        + ": end it in \(endings.dropLast().joined(separator: ", ")) or \(last), or add --container",
      isUsageError: true)
  }
}

extension OutputPath {
  /// Throws where the path is a link to a name that is no UTF-8: as text that would be another name.
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
