import CPosix
import Frames
import Glibc

/// Measures what this process uses of the machine, from one call to the next.
struct MachineUse {
  /// Processors that this process may use; a scheduler may have given it only some.
  let processors: Int
  private var time = MonotonicTime.now
  private var processorSeconds = MachineUse.processorSeconds()
  private var ticks = MachineUse.ticks()

  init() {
    let allowed = Int(kf_processor_count())
    processors = max(1, allowed > 0 ? allowed : sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }

  /// Part of the processors' time that was used since the last call, from 0 to 1: by this process of its
  /// processors, or by all programs of the machine, whichever is more.
  mutating func takeBusy() -> Double {
    let (now, used, ticks) = (MonotonicTime.now, Self.processorSeconds(), Self.ticks())
    defer { (time, processorSeconds, self.ticks) = (now, used, ticks) }
    let seconds = now.seconds(since: time) * Double(processors)
    let all = ticks.all - self.ticks.all
    let own = seconds > 0 ? (used - processorSeconds) / seconds : 0
    let machine = all > 0 ? 1 - Double(ticks.idle - self.ticks.idle) / Double(all) : 0
    // The kernel counts a thread's time at its ticks, so that of a short time can be more than there was.
    return min(1, max(own, machine))
  }

  /// Time of all processors since the start of the machine, and the idle part of it, in ticks.
  private static func ticks() -> (all: Int, idle: Int) {
    // "cpu user nice system idle iowait irq softirq steal ..." (proc(5)).
    let numbers = text(of: "/proc/stat").prefix { $0 != "\n" }.split(separator: " ").dropFirst()
      .prefix(8).map { Int($0) ?? 0 }
    guard numbers.count == 8 else { return (0, 0) }
    return (numbers.reduce(0, +), numbers[3] + numbers[4])
  }

  /// Bytes of memory that this process uses.
  static var memory: Int64 {
    // The second number of the file is that of resident pages (proc(5)).
    let words = text(of: "/proc/self/statm").split(separator: " ")
    return words.count > 1 ? (Int64(words[1]) ?? 0) * Int64(sysconf(Int32(_SC_PAGESIZE))) : 0
  }

  /// Bytes that recordings may use together: two thirds of what is free now, also of the share that a
  /// control group or `ulimit -v` leaves.
  static var memoryLimit: Int64 {
    var free = Int64.max
    for line in text(of: "/proc/meminfo").split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 1, words[0] == "MemAvailable:" else { continue }
      free = (Int64(words[1]) ?? 0) << 10
    }
    // Control groups, version 2, as seen from inside a container.
    if let group = Int64(text(of: "/sys/fs/cgroup/memory.max").prefix { $0 != "\n" }) {
      free = min(free, group)
    }
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 {
      free = min(free, Int64(clamping: limit.rlim_cur))
    }
    return free / 3 * 2
  }

  private static func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  /// The text of a small file of the kernel; empty if it cannot be read.
  private static func text(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
