import CALSA
import Glibc

/// A failed call of libasound.
package struct ALSAError: Error {
  /// "snd_pcm_open".
  package let call: String
  /// The system's number (positive).
  package let code: Int32

  package init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// The library's own words for it.
  package var reason: String { snd_strerror(-code).map { String(cString: $0) } ?? "error \(code)" }

  /// Sound was lost because it was not fetched in time, or the machine slept; the device can be
  /// started again.
  package var meansOverrun: Bool { [EPIPE, ESTRPIPE].contains(code) }
}

/// The one door for calls of libasound, which return a number or a negative error; the number.
@discardableResult
package func check(_ result: Int32, _ call: String) throws(ALSAError) -> Int32 {
  guard result >= 0 else { throw ALSAError(call: call, code: -result) }
  return result
}

/// The pointer that a call was to make.
func check(_ pointer: OpaquePointer?, _ call: String) throws(ALSAError) -> OpaquePointer {
  guard let pointer else { throw ALSAError(call: call, code: ENOMEM) }
  return pointer
}
