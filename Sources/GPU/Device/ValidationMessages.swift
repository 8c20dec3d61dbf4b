import CVulkan
import Glibc
import Synchronization

/// What the validation layer has complained of in this process.
///
/// Every complaint is printed on standard error; the tests, and the program's exit code, fail when
/// there is one.
package enum ValidationMessages {
  private static let count = Atomic<Int>(0)

  /// Complaints so far, on any device.
  package static var total: Int { count.load(ordering: .relaxed) }

  /// Message ids that are no fault of kfrec's; each with the reason and where that is known from.
  private static let exceptions: [String: String] = [:]

  static func note(_ data: VkDebugUtilsMessengerCallbackDataEXT) {
    let id = data.pMessageIdName.map { String(cString: $0) } ?? ""
    guard exceptions[id] == nil else { return }
    count.add(1, ordering: .relaxed)
    let text = data.pMessage.map { String(cString: $0) } ?? ""
    let line = Array("kfrec: Vulkan validation: \(id): \(text)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
