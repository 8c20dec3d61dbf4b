import Frames
import Glibc
import V4L2Handles

/// A file that a recording reads, and that no output may be written over.
package struct ReadFile: Sendable {
  package let path: String
  /// What messages call it.
  package let name: String
  /// What it is to the recording, as "the input".
  package let role: String

  /// Without a name it is called by its path.
  package init(path: String, name: String? = nil, role: String) {
    self.path = path
    self.name = name ?? path
    self.role = role
  }
}

extension OutputSet {
  /// Throws when a file that is read would be written over, under its own name or another one.
  package func checkDiffers(fromRead files: [ReadFile]) throws(EncodeError) {
    var read: [FileIdentity: ReadFile] = [:]
    for file in files {
      guard let identity = FileIdentity(behind: file.path), identity.isStorage,
        read[identity] == nil
      else { continue }
      read[identity] = file
    }
    guard !read.isEmpty else { return }
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

/// Where bytes of an output go.
private struct WrittenPlace {
  let name: String
  let identity: FileIdentity?

  init(path: String) { (name, identity) = (path, FileIdentity(behind: path)) }

  static var standardOutput: WrittenPlace {
    WrittenPlace(name: "standard output", identity: FileIdentity(of: STDOUT_FILENO))
  }

  private init(name: String, identity: FileIdentity?) {
    (self.name, self.identity) = (name, identity)
  }
}

extension OutputPlace {
  /// All places that it may write over, with those that files have until they are whole.
  ///
  /// Of a sequence those that are there: nobody knows yet how far it goes.
  fileprivate var writtenPlaces: [WrittenPlace] {
    switch self {
    case .nowhere: []
    case .single(.file(let path)):
      [path, OutputPath.partial(of: path)].map(WrittenPlace.init(path:))
    case .single(.stream(let path)): [WrittenPlace(path: path)]
    case .single(.standardOutput): [.standardOutput]
    case .numbered(let pattern):
      names(in: OutputPath(pattern.path(1)).folder).compactMap { name in
        let folder = pattern.prefix.lastIndex(of: "/").map { String(pattern.prefix[...$0]) } ?? ""
        let path = folder + name
        let isWritten = pattern.makes(path) || OutputPath.whole(of: path).map(pattern.makes) == true
        return isWritten ? WrittenPlace(path: path) : nil
      }
    }
  }
}

extension OutputPath {
  private static let partialEnding = ".part"

  /// Where the bytes of a file go until it is whole.
  static func partial(of place: String) -> String { place + partialEnding }

  /// The file that a partial one is to become; nil for a path that is none.
  static func whole(of partial: String) -> String? {
    partial.hasSuffix(partialEnding) ? String(partial.dropLast(partialEnding.count)) : nil
  }
}
