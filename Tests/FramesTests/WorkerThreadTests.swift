import Glibc
import Testing

@testable import Frames

@Suite("A worker thread")
struct WorkerThreadTests {
  @Test("a thread has run to its end after join")
  func joins() throws {
    let log = Log()
    let thread = try WorkerThread(name: "joined") {
      usleep(20_000)
      log.add(1)
    }
    thread.join()
    #expect(log.numbers == [1])
  }

  @Test("a thread is joined when its value goes out of scope, also after an error")
  func joinedByScope() {
    struct Failure: Error {}
    func start(_ log: Log) throws {
      let thread = try WorkerThread(name: "forgotten") {
        usleep(20_000)
        log.add(2)
      }
      _ = consume thread
      throw Failure()
    }
    let log = Log()
    #expect(throws: Failure.self) { try start(log) }
    #expect(log.numbers == [2])
  }

  @Test("a detached thread continues by itself")
  func detaches() throws {
    let gate = BoundedQueue<Int>(capacity: 1)
    let ends = BoundedQueue<Int>(capacity: 1)
    try WorkerThread(name: "detached") {
      _ = gate.receive()
      ends.send(1)
    }.detach()
    // A joined thread would wait forever for this.
    gate.close()
    #expect(ends.receive() == 1)
  }

  @Test("a thread has its name and runs in parallel with its creator")
  func name() throws {
    let isOther = Flag(false)
    let named = Flag(false)
    let starter = pthread_self()
    let thread = try WorkerThread(name: "kfrec-test") {
      isOther.value = pthread_self() != starter
      guard let file = fopen("/proc/thread-self/comm", "r") else { return }
      defer { fclose(file) }
      var name = [UInt8](repeating: 0, count: 16)
      let length = fread(&name, 1, 16, file)
      named.value = String(decoding: name.prefix(length), as: UTF8.self) == "kfrec-test\n"
    }
    thread.join()
    #expect(isOther.value && named.value)
  }

  @Test("a thread releases what its body holds")
  func releases() throws {
    weak var held: Token?
    do {
      let token = Token()
      held = token
      try WorkerThread(name: "holder") { withExtendedLifetime(token) {} }.join()
    }
    #expect(held == nil)
  }

  @Test("a thread that the system refuses gives an error in a sentence, and its body is released")
  func refused() async {
    await #expect(processExitsWith: .success) {
      // Leaves no room for a thread's stack, but enough for small blocks.
      let pages = try #require(Self.pagesOfThisProcess())
      let size = rlim_t(pages * Int(getpagesize()) + 48 << 20)
      var limit = rlimit(rlim_cur: size, rlim_max: size)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
      weak var held: Token?
      let done = BoundedQueue<Int>(capacity: 1)
      var threads: [Holder] = []
      let error = #expect(throws: ThreadError.self) {
        for _ in 0..<100 {
          let token = Token()
          held = token
          threads.append(
            Holder(
              try WorkerThread(name: "one of many") {
                withExtendedLifetime(token) { _ = done.receive() }
              }))
        }
      }
      #expect(held == nil)
      #expect(error?.description.contains("ulimit -u") == true)
      done.close()
      threads = []
    }
  }

  private final class Holder {
    let thread: WorkerThread
    init(_ thread: consuming WorkerThread) { self.thread = thread }
  }

  /// Returns the first number of /proc/self/statm: all mapped pages.
  private static func pagesOfThisProcess() -> Int? {
    guard let file = fopen("/proc/self/statm", "r") else { return nil }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 32)
    let length = fread(&text, 1, 32, file)
    return Int(String(decoding: text.prefix(length).prefix { $0 != 32 }, as: UTF8.self))
  }
}
