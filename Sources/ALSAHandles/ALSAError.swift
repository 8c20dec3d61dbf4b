import CALSA
import Glibc

/// A failed libasound call.
package struct ALSAError: Error {
  /// The function, such as "snd_pcm_open".
  package let call: String
  /// The system's error number (positive).
  package let code: Int32

  package init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// The library's own text for the error.
  package var reason: String { snd_strerror(-code).map { String(cString: $0) } ?? "error \(code)" }

  /// Audio was lost because it was not read in time or the machine slept; the device can be started
  /// again.
  package var meansOverrun: Bool { [EPIPE, ESTRPIPE].contains(code) }
}

/// The single check for libasound calls: returns the result, or throws if it is a negative error.
@discardableResult
package func check(_ result: Int32, _ call: String) throws(ALSAError) -> Int32 {
  guard result >= 0 else { throw ALSAError(call: call, code: -result) }
  return result
}

/// Returns the pointer that a call made, or throws if it is nil.
func check(_ pointer: OpaquePointer?, _ call: String) throws(ALSAError) -> OpaquePointer {
  guard let pointer else { throw ALSAError(call: call, code: ENOMEM) }
  return pointer
}
