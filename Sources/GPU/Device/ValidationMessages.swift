import CVulkan
import Glibc
import Synchronization

/// The messages of the validation layer in this process.
///
/// Every message is printed on standard error; if there is one, the tests and the program's exit code
/// report a failure.
public enum ValidationMessages {
  private static let count = Atomic<Int>(0)

  /// Number of messages so far, on any device.
  public static var total: Int { count.load(ordering: .relaxed) }

  /// Ids of messages that kfrec does not cause; each value is the reason and its source.
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
