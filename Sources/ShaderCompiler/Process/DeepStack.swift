import CPosix
import Glibc

/// Runs a function on a thread of its own with room for many nested calls: the compiler calls itself for each part of an
/// expression, and a text may nest thousands.
enum DeepStack {
  /// Bytes that are tried, the largest first; the system gives memory only for what is used.
  private static let sizes = [512 << 20, 128 << 20, 32 << 20]

  /// What is counted on of a stack that somebody else made.
  private static let least = 1 << 20

  /// Runs `body`, which gets the bytes of its stack, and waits for it; on the caller's own stack where the system gives no
  /// thread.
  static func run<Value>(_ body: (Int) -> Value) -> Value {
    var result: Value?
    withoutActuallyEscaping({ result = body($0) }) { work in
      let call = Call(work)
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      var thread = pthread_t()
      for size in sizes {
        pthread_attr_setstacksize(&attributes, size)
        call.room = size
        let code = pthread_create(
          &thread, &attributes,
          { context in
            guard let context else { return nil }
            let call = Unmanaged<Call>.fromOpaque(context).takeUnretainedValue()
            call.work(call.room)
            return nil
          }, Unmanaged.passUnretained(call).toOpaque())
        guard code == 0 else { continue }
        withExtendedLifetime(call) { _ = pthread_join(thread, nil) }
        return
      }
      call.work(least)
    }
    guard let result else { preconditionFailure("the work has run") }
    return result
  }

  private final class Call {
    let work: (Int) -> Void
    var room = 0
    init(_ work: @escaping (Int) -> Void) { self.work = work }
  }
}
