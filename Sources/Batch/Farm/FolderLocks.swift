import Glibc

/// A lock on a file, which ends with the process, however that ends.
///
/// It is `flock`, which Linux also takes across machines on a network drive.
final class FileLock: Sendable {
  enum Failure: Error { case isTaken, system(Int32) }

  private let descriptor: Int32

  /// Takes the lock, which may be shared with others, without waiting; the file is made if it does not exist.
  ///
  /// - Throws: If somebody else has the lock, or if the file cannot be opened.
  init(_ path: String, isShared: Bool) throws(Failure) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
    guard file >= 0 else { throw .system(errno) }
    descriptor = file
    // A file system without locks (ENOLCK, EOPNOTSUPP) is used without.
    guard flock(file, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0, errno == EWOULDBLOCK else {
      return
    }
    throw .isTaken
  }

  deinit {
    // A child process that is being started has a copy of the descriptor until its `exec`.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

extension Journal {
  static func fileName(ofTask number: Int) -> String { "\(workFolder).task-\(number).jsonl" }

  /// Takes the folder for tasks: a batch without tasks is kept out, and other tasks are not.
  ///
  /// - Throws: If a batch without tasks uses the folder.
  static func lockForTasks(_ folder: String) throws(BatchError) -> FileLock {
    let path = folder + "/" + fileName
    do throws(FileLock.Failure) {
      return try FileLock(path, isShared: true)
    } catch {
      guard case .system(let code) = error else {
        throw BatchError(
          "a batch without tasks writes into \(folder); start the task again when it has ended",
          isTemporary: true)
      }
      throw failure(path, "opened", code)
    }
  }

  /// The error of a journal that somebody else has locked.
  static func taken(_ folder: String, _ task: Int?) -> BatchError {
    guard let task else {
      // A lock that can be shared is one of tasks.
      let isOfTasks = (try? FileLock(folder + "/" + fileName, isShared: true)) != nil
      return BatchError(
        isOfTasks
          ? "tasks of a farm write into \(folder); wait for them (kfrec batch --status \(folder) tells how far "
            + "they are), or choose another --output-dir"
          : "another batch writes into \(folder); wait for it, or choose another --output-dir",
        isTemporary: true)
    }
    return BatchError(
      "task \(task) runs already, and writes into \(folder); start it again when that has ended",
      isTemporary: true)
  }

  /// Whether a task runs now; only for the holder of the plan's lock, which tasks that begin wait for.
  static func isRunning(task number: Int, inFolder folder: String) -> Bool {
    let path = folder + "/" + fileName(ofTask: number)
    guard access(path, F_OK) == 0 else { return false }
    do throws(FileLock.Failure) {
      _ = try FileLock(path, isShared: false)
      return false
    } catch {
      guard case .isTaken = error else { return false }
      return true
    }
  }
}
