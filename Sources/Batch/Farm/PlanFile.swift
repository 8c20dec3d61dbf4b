import CPosix
import Frames
import Glibc

/// The plan's file while somebody appends to it, or while a task begins.
///
/// A planner has it alone and tasks share it, so that a planner sees which tasks run, and a task which
/// of its items are still its own.
final class PlanFile {
  private(set) var plan: FarmPlan
  private let lock: FileLock
  private var endsInLine = false

  /// Opens a plan, shared with others if it is only read; it is made if it does not exist.
  ///
  /// - Throws: If it cannot be opened, or if others do not give it free within some seconds.
  init(_ path: String, isShared: Bool) throws(BatchError) {
    if let file = FileIdentity(at: path), !file.isRegular {
      throw BatchError("\(path) is no regular file; move it away, or choose another --output-dir")
    }
    lock = try PlanFile.lock(path, isShared)
    plan = FarmPlan(path: path)
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw PlanFile.failure(path, "opened", errno) }
    defer { close(file) }
    let bytes = try FarmPlan.bytes(of: file, path)
    endsInLine = bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
    try plan.take(bytes)
    // Something else may have the name, and is not written to.
    guard bytes.isEmpty || plan.terms != nil else {
      throw BatchError(
        "\(path) is no plan of kfrec batch; move it away, or choose another --output-dir")
    }
  }

  /// Adds lines to the end, and waits until they are on the disk.
  ///
  /// Tasks need addresses with their secrets: a plan that has some can be read by its owner alone.
  func append(_ lines: [FarmPlan.Line]) throws(BatchError) {
    // The last line may have been cut off by a kill.
    var bytes = endsInLine ? [UInt8(ascii: "\n")] : []
    for line in lines { bytes += try jsonLine(line, of: plan.path) }
    let file = open(plan.path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw PlanFile.failure(plan.path, "opened", errno) }
    defer { close(file) }
    let text = String(decoding: bytes, as: UTF8.self)
    if ShownAddress.inText(text) != text, fchmod(file, 0o600) != 0 {
      throw PlanFile.failure(plan.path, "kept from others", errno)
    }
    guard kf_write_all(file, bytes, bytes.count) == 0, fdatasync(file) == 0 || errno == EINVAL
    else {
      throw PlanFile.failure(plan.path, "written", errno)
    }
    endsInLine = false
    for line in lines { try plan.take(line) }
  }

  private static func lock(_ path: String, _ isShared: Bool) throws(BatchError) -> FileLock {
    // Others have it for as long as it takes to read the folder.
    for _ in 0..<300 {
      do throws(FileLock.Failure) {
        return try FileLock(path, isShared: isShared)
      } catch {
        if case .system(let code) = error { throw failure(path, "opened", code) }
        usleep(100_000)
      }
    }
    throw BatchError(
      "another kfrec is planning with \(path) for half a minute now; start again when it has ended",
      isTemporary: true)
  }

  private static func failure(_ path: String, _ verb: String, _ code: Int32) -> BatchError {
    BatchError("the plan \(path) cannot be \(verb): \(String(cString: strerror(code)))")
  }
}
