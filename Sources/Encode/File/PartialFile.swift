import CPosix
import Frames
import Glibc

/// A file that is written in its own folder under another name, and gets its final name when
/// complete.
///
/// A file that is released before `commit` is removed, unless it contains footage: then it always
/// stays, under the partial name.
struct PartialFile: ~Copyable {
  /// Open for reading and writing, from its start.
  let descriptor: Int32
  private let path: String
  private let name: String
  private let place: String
  private var isKept = false
  /// New name of the file that a killed run had left here.
  let recovered: String?

  /// Makes `place.part`, or reuses one that an earlier run left without a frame in it.
  ///
  /// A file that contains footage is renamed first. Throws if another run uses the place, or if what is in the way is not
  /// the user's own regular file. Tests set `beforeLock`, which is called when a file is open and not locked yet.
  init(place: String, name: String, beforeLock: () -> Void = {}) throws(EncodeError) {
    let path = place + ".part"
    var recovered: String?
    var file = try PartialFile.openLocked(path, name, beforeLock)
    while InterruptedOutput.holdsFootage(file) {
      let leftover = file
      // Its lock is held until it has its other name.
      defer { PartialFile.release(leftover) }
      InterruptedOutput.cutBack(leftover)
      recovered = try InterruptedOutput.keep(path, of: place, name)
      file = try PartialFile.openLocked(path, name, beforeLock)
    }
    guard ftruncate(file, 0) == 0 else {
      let code = errno
      PartialFile.release(file)
      throw EncodeError.cannotMake(name, path, code)
    }
    descriptor = file
    self.recovered = recovered
    self.path = path
    self.name = name
    self.place = place
  }

  private static func openLocked(
    _ path: String, _ name: String, _ beforeLock: () -> Void
  ) throws(EncodeError) -> Int32 {
    while true {
      try check(FileIdentity(at: path), path, name)
      // If the path has become a FIFO since the check, this does not block.
      let file = open(
        path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o666)
      guard file >= 0 else { throw EncodeError.cannotMake(name, path, errno) }
      beforeLock()
      // If the file system has no locks, two runs with one output are the user's responsibility.
      if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        close(file)
        throw EncodeError(
          "another process is writing \(path): wait for it, or choose another output")
      }
      // Before this process got the lock, the run that held it may have renamed or removed the
      // file: then the path does not name this file.
      let found = FileIdentity(at: path)
      guard let made = FileIdentity(of: file), made.isSame(as: found) else {
        release(file)
        continue
      }
      do throws(EncodeError) { try check(found, path, name) } catch {
        release(file)
        throw error
      }
      return file
    }
  }

  /// Throws unless a path may be written to: it is free, or names the user's own file that has no
  /// other name.
  private static func check(
    _ found: FileIdentity?, _ path: String, _ name: String
  ) throws(EncodeError) {
    guard let found else { return }
    let fault: String
    if !found.isRegular {
      fault = "it is \(found.kind)"
    } else if found.links > 1 {
      fault = "it has a second name, a hard link"
    } else if found.owner != geteuid() {
      fault = "it belongs to another user"
    } else {
      return
    }
    throw EncodeError(
      "cannot write \(name): \(path) is in the way, and \(fault); remove it, or choose another output"
    )
  }

  deinit {
    if !isKept, FileIdentity(of: descriptor)?.isSame(as: FileIdentity(at: path)) == true {
      unlink(path)
    }
    PartialFile.release(descriptor)
  }

  /// Closes a locked file.
  ///
  /// The lock is given back by name: a child process that is being started has a copy of the
  /// descriptor until its `exec`, and would hold the lock that long.
  private static func release(_ file: Int32) {
    flock(file, LOCK_UN)
    close(file)
  }

  /// Records that the file contains a frame and must not be removed.
  mutating func noteFootage() { isKept = true }

  /// Records that nothing was written to the file, so that it is removed.
  mutating func noteEmpty() { isKept = false }

  /// Gives the file its final name.
  ///
  /// With `synchronously`, the data is on the disk before the rename, and the name too when this
  /// returns. If that fails, or if `replacing` is false and the place was taken meanwhile, the file
  /// stays under its partial name, which the error contains.
  mutating func commit(replacing: Bool, synchronously: Bool = true) throws(EncodeError) {
    isKept = true
    if synchronously, fsync(descriptor) != 0, errno != EINVAL, errno != EROFS {
      throw EncodeError("\(EncodeError.cannotWrite(name, errno)); \(keep())")
    }
    try checkStands(at: path)
    let code =
      replacing
      ? rename(path, place) == 0 ? 0 : errno : renameExclusively(path, place)
    switch code {
    case 0:
      try checkStands(at: place)
      if synchronously { PartialFile.synchronize(folder: OutputPath(place).folder) }
    case EEXIST:
      throw EncodeError(
        "\(name) appeared while kfrec was writing it: the new file is \(path); rename it")
    default:
      throw EncodeError(
        "\(name) cannot get its final name (\(EncodeError.reason(code))): the new file is complete, and kept "
          + "as \(path); rename it")
    }
  }

  /// Leaves the file under its partial name; returns the clause that says so to the user.
  mutating func keep() -> String {
    isKept = true
    guard let file = FileIdentity(of: descriptor), !file.isSame(as: FileIdentity(at: path)) else {
      return EncodeError.kept(path)
    }
    return StrayFile.whereItIs(descriptor, links: file.links, place: place)
  }

  /// Throws if another program has moved, replaced or removed the file; the error says where the
  /// file is.
  private func checkStands(at path: String) throws(EncodeError) {
    guard let file = FileIdentity(of: descriptor), !file.isSame(as: FileIdentity(at: path)) else {
      return
    }
    let found = StrayFile.whereItIs(descriptor, links: file.links, place: place)
    throw EncodeError(
      "\(name): another program moved or removed \(path) while it was being written; \(found)")
  }

  /// The new name is on the disk only after its folder is.
  private static func synchronize(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

extension EncodeError {
  static func cannotMake(_ output: String, _ path: String, _ code: Int32) -> EncodeError {
    switch code {
    case EACCES, EPERM:
      EncodeError(
        "cannot write \(output): there is no permission to create \(path); choose another place")
    case EROFS:
      EncodeError("cannot write \(output): the file system is read-only; choose another place")
    // Folders of the kernel are there, and have no such file.
    case ENOENT where !OutputPath(OutputPath(path).folder).exists:
      EncodeError(
        "cannot write \(output): there is no folder \(OutputPath(path).folder); make it first")
    case ENAMETOOLONG:
      EncodeError("cannot write \(output): the name is too long; choose a shorter one")
    case ENOSPC, EDQUOT, EFBIG: cannotWrite(output, code)
    default: EncodeError("cannot write \(output): \(path): \(reason(code)); choose another place")
    }
  }

  static func cannotWrite(_ output: String, _ code: Int32) -> EncodeError {
    switch code {
    case ENOSPC:
      EncodeError("\(output): the file system is full; free some space, or write to another disk")
    case EDQUOT:
      EncodeError(
        "\(output): your disk quota is used up; free some space, or write to another disk")
    case EFBIG:
      EncodeError(
        "\(output): the file is as large as its file system or limit allows; write to another disk")
    case EPIPE:
      EncodeError("\(output): the reader has closed the pipe; see the messages of the reader")
    case ETIME:
      EncodeError(
        "\(output): the reader of the pipe takes nothing, so the recording was finished without it; see why the "
          + "reader has stopped")
    default:
      EncodeError("\(output): writing failed (\(reason(code))); check the disk or the reader")
    }
  }

  static func reason(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

/// Renames a file unless the new name is taken; returns 0, or the error as an errno value.
public func renameExclusively(_ path: String, _ place: String) -> Int32 {
  var code = kf_rename_exclusively(path, place)
  // A file system without exclusive renaming mostly has hard links; some have neither.
  if code == EINVAL || code == ENOSYS {
    code = link(path, place) == 0 ? 0 : errno
    if code == 0 { unlink(path) }
    if code == EPERM || code == EOPNOTSUPP || code == ENOSYS {
      code = FileIdentity(at: place) != nil ? EEXIST : rename(path, place) == 0 ? 0 : errno
    }
  }
  return code
}
