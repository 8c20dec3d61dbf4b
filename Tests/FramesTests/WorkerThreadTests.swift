import Glibc
import Testing

@testable import Frames

@Suite("A worker thread")
struct WorkerThreadTests {
  @Test("has run to its end once joined")
  func joins() {
    let log = Log()
    let thread = WorkerThread(name: "joined") {
      usleep(20_000)
      log.add(1)
    }
    thread.join()
    #expect(log.numbers == [1])
  }

  @Test("is joined when it is forgotten, also by an error on the way")
  func joinedByScope() {
    struct Failure: Error {}
    func start(_ log: Log) throws {
      let thread = WorkerThread(name: "forgotten") {
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

  @Test("bears its name and runs beside the one that started it")
  func name() {
    let isOther = Flag(false)
    let named = Flag(false)
    let starter = pthread_self()
    let thread = WorkerThread(name: "kfrec-test") {
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

  @Test("lets go of what its body holds")
  func releases() {
    weak var held: Token?
    do {
      let token = Token()
      held = token
      WorkerThread(name: "holder") { withExtendedLifetime(token) {} }.join()
    }
    #expect(held == nil)
  }
}
