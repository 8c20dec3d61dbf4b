import Frames

/// Where bytes go.
enum Destination: Sendable {
  /// A regular file, written beside its place and renamed when whole.
  case file(String)
  /// A FIFO or device: bytes go straight in, and there is no way back.
  case stream(String)
  case standardOutput
}

/// What a word stands for.
enum OutputTarget: Sendable {
  case nothing
  case movie(Container, Destination)
  case picture(Destination)
  case pictures(SequencePattern)
  case camera(String)
}

extension OutputTarget {
  /// A virtual camera, whose frames somebody watches as they come.
  var isCamera: Bool { if case .camera = self { true } else { false } }

  /// Both would be written to the same place.
  func isSame(as other: OutputTarget) -> Bool {
    switch (self, other) {
    case (.nothing, .nothing): true
    case (.pictures(let first), .pictures(let second)):
      OutputPath.areSame(first.path(1), second.path(1)) || first.absolute.meets(second.absolute)
    case (.pictures(let pattern), _):
      other.path.map { pattern.absolute.makes(OutputPath.absolute($0)) } ?? false
    case (_, .pictures): other.isSame(as: self)
    default:
      if let path, let other = other.path {
        OutputPath.areSame(path, other) || OutputPath.areSame(OutputPath.partial(of: path), other)
          || OutputPath.areSame(path, OutputPath.partial(of: other))
      } else {
        false
      }
    }
  }

  /// Nil where there is none, or many.
  private var path: String? {
    switch self {
    case .movie(_, let destination), .picture(let destination):
      switch destination {
      case .file(let path), .stream(let path): path
      case .standardOutput: "/dev/stdout"
      }
    case .camera(let path): path
    case .nothing, .pictures: nil
    }
  }
}
