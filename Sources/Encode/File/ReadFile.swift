import Frames
import Glibc
import V4L2Handles

/// A file that a recording reads, and that no output may overwrite.
public struct ReadFile: Sendable {
  public let path: String
  /// The file's name in messages.
  public let name: String
  /// The file's role in the recording, such as "the input".
  public let role: String

  /// Without a name, messages use the path.
  public init(path: String, name: String? = nil, role: String) {
    self.path = path
    self.name = name ?? path
    self.role = role
  }
}

extension OutputSet {
  /// Throws if an output, or a file beside the outputs, would overwrite a file that is read, under its own name or
  /// another one.
  public func checkDiffers(
    fromRead files: [ReadFile], sideFiles: [SideFile] = []
  ) throws(EncodeError) {
    var read: [FileIdentity: ReadFile] = [:]
    for file in files {
      guard let identity = FileIdentity(behind: file.path), identity.isStorage,
        read[identity] == nil
      else { continue }
      read[identity] = file
    }
    guard !read.isEmpty else { return }
    // What is under the partial name of one of these is kept under another name.
    for side in sideFiles {
      guard let file = FileIdentity(behind: side.path).flatMap({ read[$0] }) else { continue }
      throw EncodeError(
        "\(side.option) \(side.path) would be written over \(file.name), \(file.role); give \(side.content) "
          + "another name", isUsageError: true)
    }
    for output in outputs {
      for place in output.target.place.writtenPlaces {
        guard let identity = place.identity, let file = read[identity] else { continue }
        let other = place.name == file.name ? "" : ", which is \(place.name) too"
        throw EncodeError(
          "\(output.word) would be written over \(file.name), \(file.role)\(other): "
            + "give the output another name", isUsageError: true)
      }
    }
  }
}

extension OutputPlace {
  /// A place that an output writes bytes to.
  fileprivate typealias WrittenPlace = (name: String, identity: FileIdentity?)

  /// All places that the output may overwrite, including the partial names of its files.
  ///
  /// For a sequence, only the existing files: its length is not known yet.
  fileprivate var writtenPlaces: [WrittenPlace] {
    func places(_ paths: [String]) -> [WrittenPlace] {
      paths.map { ($0, FileIdentity(behind: $0)) }
    }
    return switch self {
    case .nowhere: []
    case .single(.file(let path)): places([path, OutputPath.partial(of: path)])
    case .single(.stream(let path)): places([path])
    case .single(.standardOutput): [("standard output", FileIdentity(of: STDOUT_FILENO))]
    case .numbered(let pattern): places(OutputPlace.existing(of: pattern))
    case .playlist(let names):
      places(names.paths.flatMap { [$0, OutputPath.partial(of: $0)] })
        + places(OutputPlace.existing(of: names.segments))
    }
  }

  private static func existing(of pattern: SequencePattern) -> [String] {
    let folder = pattern.prefix.lastIndex(of: "/").map { String(pattern.prefix[...$0]) } ?? ""
    return names(in: OutputPath(pattern.path(1)).folder).map { folder + $0 }.filter {
      pattern.makes($0) || OutputPath.whole(of: $0).map(pattern.makes) == true
    }
  }
}

extension OutputPath {
  private static let partialEnding = ".part"

  /// Returns the path of a file's bytes until the file is complete.
  static func partial(of place: String) -> String { place + partialEnding }

  /// Returns the final path of a partial file, or nil if the path is not partial.
  static func whole(of partial: String) -> String? {
    partial.hasSuffix(partialEnding) ? String(partial.dropLast(partialEnding.count)) : nil
  }
}
