import CPosix
import Frames
import Glibc

/// Another program that was run to its end, with what it wrote.
struct ProgramCall {
  /// As of a shell: 128 and more after a signal.
  let exitCode: Int32
  let output: String
  let errors: String

  /// Runs a program of the path.
  ///
  /// - Parameters:
  ///   - program: Its name.
  ///   - words: Its arguments.
  ///   - folder: Where it runs; nil for here.
  /// - Throws: An errno value if it cannot be started.
  init(_ program: String, _ words: [String], in folder: String? = nil) throws(Errno) {
    // Files without names, because two pipes would have to be read at the same time.
    let (out, err) = (try Errno.checked(kf_memory_file()), try Errno.checked(kf_memory_file()))
    defer {
      close(out)
      close(err)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, out, 1)
    posix_spawn_file_actions_adddup2(&actions, err, 2)
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
    // kfrec ignores SIGPIPE; others expect it.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = ([program] + words).map { strdup($0) }
    defer { arguments.forEach { free($0) } }
    arguments.append(nil)
    var child = pid_t()
    let code = posix_spawnp(&child, program, &actions, &attributes, arguments, kf_environment())
    guard code == 0 else { throw Errno(code: code) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { throw Errno(code: errno) }
    }
    exitCode = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    (output, errors) = (ProgramCall.text(of: out), ProgramCall.text(of: err))
  }

  private static func text(of file: Int32) -> String {
    String(decoding: Frames.bytes(of: file) ?? [], as: UTF8.self)
  }
}

/// An errno value.
struct Errno: Error {
  let code: Int32

  static func checked(_ result: Int32) throws(Errno) -> Int32 {
    guard result >= 0 else { throw Errno(code: errno) }
    return result
  }
}
