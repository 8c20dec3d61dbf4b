import Frames
import Glibc

/// A UDP port of this machine that only programs on this machine can reach.
package final class ControlSocket: Sendable {
  let descriptor: Int32
  /// The port's name in messages.
  package let name: String

  /// Opens the port.
  ///
  /// - Parameter port: Its number.
  /// - Throws: If another program has it, or the system refuses.
  package init(port: Int) throws(PortError) {
    name = "port \(port)"
    let file = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard file >= 0 else { throw PortError(port, "UDP", at: "127.0.0.1", errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 ? 0 : errno
      }
    }
    guard code == 0 else {
      close(file)
      throw PortError(port, "UDP", at: "127.0.0.1", code)
    }
    descriptor = file
  }

  deinit { close(descriptor) }
}

/// A port that cannot be opened.
package struct PortError: ExplainedError {
  package let description: String

  package init(_ port: Int, _ kind: String, at address: String, _ code: Int32) {
    description =
      switch code {
      case EADDRINUSE:
        "--control \(port): another program uses this \(kind) port; choose another number"
      case EADDRNOTAVAIL where kind == "TCP":
        "--control-bind \(address): this machine does not have this address; 0.0.0.0 stands for all of its addresses"
      case EACCES: "--control \(port): only root may use this port; choose a number from 1024 on"
      default: "--control \(port): the port cannot be opened: \(String(cString: strerror(code)))"
      }
  }
}
