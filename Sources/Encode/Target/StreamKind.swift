extension OutputKind {
  /// The content of a regular file, written directly into a place that a rename must not replace.
  static let stream = OutputKind(
    words: "FIFO", summary: "a FIFO or a device; its extension or --container tells the container"
  ) { word throws(EncodeError) in
    guard word.path.isStream else { return nil }
    let ending = word.path.fileExtension
    if let container = word.container ?? Container(named: ending) {
      return MovieOutput(container: container, destination: .stream(word.text))
    }
    if let format = ImageFileFormat(named: ending) {
      return ImageOutput(format: format, destination: .stream(word.text))
    }
    if let animation = AnimationFormat(rawValue: ending), word.container == nil {
      throw EncodeError(
        "\(word.text) is a pipe or a device, and a \(animation.title) is complete only when its start is "
          + "written last: name a file", isUsageError: true)
    }
    throw EncodeError(
      "\(word.text) does not tell which container to write: add --container "
        + Container.all.map(\.name).joined(separator: "|"), isUsageError: true)
  }
}
