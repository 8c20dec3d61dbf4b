import Batch
import CPosix
import Frames
import Glibc

/// Another program that was run to its end, with what it wrote.
struct ProgramCall {
  /// As of a shell: 128 and more after a signal.
  let exitCode: Int32
  let output: String
  let errors: String

  /// Runs a program of the path, in a folder or here, with this text on its standard input.
  ///
  /// After `limit` seconds it goes on alone; without a limit it may take as long as it takes.
  ///
  /// - Throws: An errno value if it cannot be started, ETIMEDOUT if it takes too long.
  init(
    _ program: String, _ words: [String], in folder: String? = nil, input: String = "",
    limit: Double? = nil
  ) throws(Errno) {
    let given = try Errno.checked(kf_memory_file())
    defer { close(given) }
    guard kf_write_all(given, input, input.utf8.count) == 0, lseek(given, 0, SEEK_SET) == 0 else {
      throw Errno(code: errno)
    }
    // Files without names, because two pipes would have to be read at the same time.
    let (out, err) = (try Errno.checked(kf_memory_file()), try Errno.checked(kf_memory_file()))
    defer {
      close(out)
      close(err)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, given, 0)
    posix_spawn_file_actions_adddup2(&actions, out, 1)
    posix_spawn_file_actions_adddup2(&actions, err, 2)
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
    // kfrec ignores these; others expect them. What the signal thread waits for must not stay blocked.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (ignored, blocked) = (sigset_t(), sigset_t())
    sigemptyset(&ignored)
    sigaddset(&ignored, SIGPIPE)
    sigaddset(&ignored, SIGXFSZ)
    sigemptyset(&blocked)
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var arguments = ([program] + words).map { strdup($0) }
    defer { arguments.forEach { free($0) } }
    arguments.append(nil)
    var child = pid_t()
    let code = posix_spawnp(&child, program, &actions, &attributes, arguments, kf_environment())
    guard code == 0 else { throw Errno(code: code) }
    let status = try ProgramCall.wait(for: child, limit: limit)
    exitCode = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    (output, errors) = (ProgramCall.text(of: out), ProgramCall.text(of: err))
  }

  /// Waits until a program has ended; returns its status.
  private static func wait(for child: pid_t, limit: Double?) throws(Errno) -> Int32 {
    let start = MonotonicTime.now
    var status: Int32 = 0
    while true {
      let ended = waitpid(child, &status, limit == nil ? 0 : WNOHANG)
      if ended == child { return status }
      if ended < 0, errno != EINTR { throw Errno(code: errno) }
      guard let limit else { continue }
      if MonotonicTime.now.seconds(since: start) > limit { throw Errno(code: ETIMEDOUT) }
      usleep(10_000)
    }
  }

  private static func text(of file: Int32) -> String {
    String(decoding: Frames.bytes(of: file) ?? [], as: UTF8.self)
  }
}

struct Errno: Error {
  let code: Int32

  static func checked(_ result: Int32) throws(Errno) -> Int32 {
    guard result >= 0 else { throw Errno(code: errno) }
    return result
  }
}
