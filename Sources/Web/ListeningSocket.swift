import CMicroHTTPD
package import Control
import Frames
import Glibc

/// A TCP port for the page, on which requests are answered only when the server runs.
package final class ListeningSocket: Sendable {
  /// The numeric address, as it was given.
  package let address: String
  package let port: Int
  private let descriptor: Int32

  /// Connections that wait until they are accepted.
  private static let backlog: Int32 = 64

  /// Opens a port at a numeric address of this machine, of IPv4 or IPv6.
  ///
  /// - Throws: If another program has it, or the system refuses.
  package init(address: String, port: Int) throws(PortError) {
    (self.address, self.port) = (address, port)
    let isNew = NumericAddress(address)?.isIPv6 ?? false
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let file = socket(isNew ? AF_INET6 : AF_INET, type, 0)
    guard file >= 0 else { throw PortError(port, "TCP", at: address, errno) }
    // A port whose connections ended just now is free; one that another program listens on is not.
    var yes: Int32 = 1
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let code = Self.bind(file, address, port, isNew: isNew)
    guard code == 0, listen(file, Self.backlog) == 0 else {
      let failure = code == 0 ? errno : code
      close(file)
      throw PortError(port, "TCP", at: address, failure)
    }
    descriptor = file
  }

  deinit { close(descriptor) }

  /// Returns another descriptor of the socket, which the caller owns; nil if the system has none left.
  func duplicate() -> Int32? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return copy >= 0 ? copy : nil
  }

  private static func bind(_ file: Int32, _ text: String, _ port: Int, isNew: Bool) -> Int32 {
    let number = in_port_t(truncatingIfNeeded: port).bigEndian
    func call<Address>(_ address: inout Address) -> Int32 {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.bind(file, $0, socklen_t(MemoryLayout<Address>.size)) == 0 ? 0 : errno
        }
      }
    }
    if isNew {
      var address = sockaddr_in6()
      (address.sin6_family, address.sin6_port) = (sa_family_t(AF_INET6), number)
      guard inet_pton(AF_INET6, text, &address.sin6_addr) == 1 else { return EINVAL }
      return call(&address)
    }
    var address = sockaddr_in()
    (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), number)
    guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return EINVAL }
    return call(&address)
  }
}

extension ListeningSocket {
  /// The page's address for people, with a slash at its end.
  package var url: String {
    var host = address
    if NumericAddress(address)?.isWildcard ?? false { host = Self.ownAddress() ?? "127.0.0.1" }
    return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
  }

  /// Returns the first IPv4 address at which other machines may reach this one.
  private static func ownAddress() -> String? {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return nil }
    defer { freeifaddrs(first) }
    var next = first
    while let entry = next {
      next = entry.pointee.ifa_next
      guard let place = entry.pointee.ifa_addr, place.pointee.sa_family == sa_family_t(AF_INET)
      else { continue }
      var number = place.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        $0.pointee.sin_addr
      }
      var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
      guard inet_ntop(AF_INET, &number, &text, socklen_t(text.count)) != nil else { continue }
      let found = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
      if let found, NumericAddress(found)?.isLoopback == false { return found }
    }
    return nil
  }
}
