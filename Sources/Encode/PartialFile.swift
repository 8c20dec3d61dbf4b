import CPosix
import Glibc

/// A file that is written beside its place under another name, and gets its own when it is whole.
///
/// One that is dropped before `commit` is removed.
struct PartialFile: ~Copyable {
  /// Open for writing, from its start.
  let descriptor: Int32
  private let path: String
  private let name: String
  private let place: String
  private var isKept = false
  /// The name that was given to a movie which a killed run had left here.
  let recovered: String?

  /// Makes `place.part`, or empties one that an earlier run left, unless that is a movie.
  ///
  /// A movie gets another name. `name` is what messages call the output.
  init(place: String, name: String) throws(EncodeError) {
    let path = place + ".part"
    var file = try PartialFile.openLocked(path, name)
    let recovered = InterruptedMovie.keep(path, file, of: place)
    if recovered != nil {
      close(file)
      file = try PartialFile.openLocked(path, name)
    }
    guard ftruncate(file, 0) == 0 else {
      let code = errno
      close(file)
      throw EncodeError.cannotMake(name, path, code)
    }
    descriptor = file
    self.recovered = recovered
    self.path = path
    self.name = name
    self.place = place
  }

  private static func openLocked(_ path: String, _ name: String) throws(EncodeError) -> Int32 {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard file >= 0 else { throw EncodeError.cannotMake(name, path, errno) }
    // Where locks are not to be had, two runs into one place are the user's affair.
    if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      close(file)
      throw EncodeError("another process is writing \(path): wait for it, or choose another output")
    }
    return file
  }

  deinit {
    if !isKept { unlink(path) }
    close(descriptor)
  }

  /// Gives the file its name.
  ///
  /// With `synchronously` it is on the disk before it has the name, and the name too when this
  /// returns. When `replacing` is false and the place has been taken meanwhile, the file stays under
  /// its partial name.
  mutating func commit(replacing: Bool, synchronously: Bool = true) throws(EncodeError) {
    if synchronously, fsync(descriptor) != 0, errno != EINVAL, errno != EROFS {
      throw EncodeError.cannotWrite(name, errno)
    }
    var code: Int32 = 0
    if replacing {
      code = rename(path, place) == 0 ? 0 : errno
    } else {
      code = kf_rename_exclusively(path, place)
      // A file system without exclusive renaming has hard links, mostly; the FAT family has neither.
      if code == EINVAL || code == ENOSYS {
        code = link(path, place) == 0 ? 0 : errno
        if code == 0 { unlink(path) }
        if code == EPERM || code == EOPNOTSUPP {
          code = access(place, F_OK) == 0 ? EEXIST : rename(path, place) == 0 ? 0 : errno
        }
      }
    }
    switch code {
    case 0:
      isKept = true
      if synchronously { PartialFile.synchronize(folder: OutputPath(place).folder) }
    case EEXIST:
      isKept = true
      throw EncodeError(
        "\(name) has appeared while it was being made: the new one is \(path); rename it")
    default:
      throw EncodeError.cannotMake(name, place, code)
    }
  }

  /// Leaves the file under its partial name, which is returned.
  mutating func keep() -> String {
    isKept = true
    return path
  }

  /// The new name is on the disk only when its folder is.
  private static func synchronize(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

extension EncodeError {
  /// An output that cannot be made.
  static func cannotMake(_ output: String, _ path: String, _ code: Int32) -> EncodeError {
    switch code {
    case EACCES, EPERM:
      EncodeError("cannot write \(output): \(path) may not be made; choose another place")
    case EROFS:
      EncodeError("cannot write \(output): the disk is read-only; choose another place")
    case ENOENT:
      EncodeError(
        "cannot write \(output): there is no folder \(OutputPath(path).folder); make it first")
    case ENAMETOOLONG:
      EncodeError("cannot write \(output): the name is too long; choose a shorter one")
    case ENOSPC, EDQUOT, EFBIG: cannotWrite(output, code)
    default: EncodeError("cannot write \(output): \(path): \(reason(code)); choose another place")
    }
  }

  /// A write that failed.
  static func cannotWrite(_ output: String, _ code: Int32) -> EncodeError {
    switch code {
    case ENOSPC:
      EncodeError("\(output): no space left on its disk; free some, or write to another disk")
    case EDQUOT:
      EncodeError("\(output): your quota on its disk is used up; free some, or write elsewhere")
    case EFBIG:
      EncodeError(
        "\(output): the file is as large as its file system or limit allows; write to another disk")
    case EPIPE:
      EncodeError("\(output): the reader has closed the pipe; see what it says")
    default:
      EncodeError("\(output): writing failed (\(reason(code))); check the disk or the reader")
    }
  }

  private static func reason(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
