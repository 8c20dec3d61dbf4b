import Frames
import Glibc

/// The threads of the process that have the same name, and their CPU time.
///
/// A thread that a library starts has the name of the thread that called the library, unless the library
/// sets another name. So decoder, encoder and driver each have their own group.
package struct ThreadGroup: Hashable, Sendable {
  /// Thread name without the number at its end ("llvmpipe-1", "disk$0").
  package var name: String
  package var count: Int
  /// CPU time of all threads in the group, in seconds.
  package var seconds: Double
}

extension ThreadGroup {
  /// Returns the groups of running threads, the busiest first.
  static func running() -> [ThreadGroup] {
    var groups: [ThreadGroup] = []
    for digits in names(in: "/proc/self/task") {
      guard let thread = Int32(digits), let name = ThreadGroup.name(ofThread: digits) else {
        continue
      }
      groups.add(ThreadGroup(name: name, count: 1, seconds: processorSeconds(ofThread: thread)))
    }
    return groups.sorted { ($0.seconds, $1.name) > ($1.seconds, $0.name) }
  }

  /// CPU time of the calling thread, in seconds.
  static var secondsOfThisThread: Double { seconds(on: CLOCK_THREAD_CPUTIME_ID) }

  /// CPU time of all threads of the process, including ended threads, in seconds.
  static var secondsOfProcess: Double { seconds(on: CLOCK_PROCESS_CPUTIME_ID) }

  private static func name(ofThread digits: String) -> String? {
    let file = open("/proc/self/task/\(digits)/comm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // A name has at most 15 bytes, and a line end.
    let name = withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { bytes in
      let count = read(file, bytes.baseAddress, bytes.count)
      return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 != 10 }, as: UTF8.self)
    }
    return withoutNumber(name)
  }

  /// Returns the name without its final number and the character that joins it.
  static func withoutNumber(_ name: String) -> String {
    let bare = name.reversed().drop { $0.isNumber }
    guard bare.count < name.count, let joint = bare.first, "-$_:".contains(joint) else {
      return name
    }
    return String(bare.dropFirst().reversed())
  }

  /// Returns the CPU time of a thread, from the kernel's clock for each thread of the process.
  ///
  /// The clock's number is made as `pthread_getcpuclockid` makes it: CPUCLOCK_SCHED and
  /// CPUCLOCK_PERTHREAD of linux/posix-timers.h.
  private static func processorSeconds(ofThread thread: Int32) -> Double {
    seconds(on: (~thread << 3) | 6)
  }

  private static func seconds(on clock: clockid_t) -> Double {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension [ThreadGroup] {
  /// Adds the group to the group of the same name, or appends it.
  mutating func add(_ group: ThreadGroup) {
    if let index = firstIndex(where: { $0.name == group.name }) {
      self[index].count += group.count
      self[index].seconds += group.seconds
    } else {
      append(group)
    }
  }
}
