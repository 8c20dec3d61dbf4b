import CPosix
import Glibc

/// The compiler process: this program, started with one hidden word, which compiles texts until its input is closed.
///
/// What a text may take is limited here: memory by the address space of the process, time by its processor time (also where
/// the program that asked is gone). A text that exceeds them ends this process and nothing else.
public enum CompilerService {
  /// The word that starts it, alone.
  public static let word = "--compile-shaders-of-parent"

  /// Megabytes that compiling may take, in addition to what the process has before.
  public static let megabyteLimit = 2048

  /// Answers requests on standard input, which is a socket, until it is closed; the result is an exit code.
  public static func serve() -> Int32 {
    // The program decides when it stops; a terminal sends these to both.
    for number in [SIGINT, SIGHUP, SIGTERM, SIGQUIT, SIGPIPE] { signal(number, SIG_IGN) }
    guard let compiler = try? CompilerHandle() else { return 1 }
    return DeepStack.run { _ in
      limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), to: 0)
      limit(
        __rlimit_resource_t(RLIMIT_AS.rawValue), to: addressSpace() + megabyteLimit << 20)
      while let head = read(CompilerMessage.headLength),
        let length = CompilerMessage.length(head), let body = read(length),
        let (inputs, includes, seconds) = CompilerMessage.request(of: body)
      {
        limitTime(seconds)
        var made = MadeModule()
        do throws(ShaderCompileError) {
          made = try ModuleMaker.make(inputs, includes: includes, compiler: compiler)
        } catch {
          made.messages = error.diagnostics.map(\.message).joined(separator: "\n")
        }
        guard write(CompilerMessage.answer(made)) else { break }
      }
      return 0
    }
  }

  /// Bytes of addresses that this process has mapped; 0 if the system does not tell.
  private static func addressSpace() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 1 << 30 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, Int32(line.count), file) != nil else { return 1 << 30 }
    return strtol(line, nil, 10) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Lowers a limit of this process; one that is lower already stays.
  private static func limit(_ kind: __rlimit_resource_t, to value: Int) {
    var limit = rlimit()
    getrlimit(kind, &limit)
    limit.rlim_cur = min(rlim_t(value), limit.rlim_max)
    setrlimit(kind, &limit)
  }

  /// Ends this process when it has used this many seconds more of a processor.
  private static func limitTime(_ seconds: Int) {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    limit(
      __rlimit_resource_t(RLIMIT_CPU.rawValue),
      to: usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + seconds + 1)
  }

  private static func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return kf_read_all(0, &bytes, count) != 0 ? bytes : nil
  }

  private static func write(_ bytes: [UInt8]) -> Bool {
    kf_write_all(0, bytes, bytes.count) == 0
  }
}
