public import Glibc

/// Identifies a file under any name, and holds what decides whether the file may be written to.
public struct FileIdentity: Sendable {
  private let device: dev_t
  private let number: ino_t
  /// Number of names (hard links); 0 after the last one was removed.
  public let links: Int
  public let owner: uid_t
  private let type: mode_t

  /// Identity of an open file; nil if the file system does not answer.
  public init?(of descriptor: Int32) { self.init { fstat(descriptor, &$0) } }

  /// Identity of what is at a path, of a link itself and not of its target; nil if nothing is
  /// there.
  public init?(at path: String) { self.init { lstat(path, &$0) } }

  /// Identity of the file that a path leads to through links; nil if there is none.
  public init?(behind path: String) { self.init { stat(path, &$0) } }

  private init?(_ ask: (inout stat) -> Int32) {
    var status = stat()
    guard ask(&status) == 0 else { return nil }
    device = status.st_dev
    number = status.st_ino
    links = Int(status.st_nlink)
    owner = status.st_uid
    type = status.st_mode & S_IFMT
  }

  public var isRegular: Bool { type == S_IFREG }
  public var isFolder: Bool { type == S_IFDIR }

  /// The file keeps bytes that could be overwritten; pipes and character devices do not.
  public var isStorage: Bool { type == S_IFREG || type == S_IFBLK }

  public func isSame(as other: FileIdentity?) -> Bool {
    device == other?.device && number == other?.number
  }

  /// For messages: what is there instead of the wanted file.
  public var kind: String {
    switch type {
    case S_IFDIR: "a folder"
    case S_IFLNK: "a symbolic link"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "a file"
    }
  }
}

extension FileIdentity: Hashable {
  public static func == (a: FileIdentity, b: FileIdentity) -> Bool { a.isSame(as: b) }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(number)
  }
}
