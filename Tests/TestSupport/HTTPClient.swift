import CPosix
import Glibc

/// A small HTTP client on sockets, which can also send what no client should.
package enum HTTPClient {
  /// What a server answered.
  package struct Reply {
    package let status: Int
    /// The headers, by their names in small letters.
    package let headers: [String: String]
    package let body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// Sends a request and reads the answer to its end.
  ///
  /// - Throws: If the server does not answer with HTTP.
  package static func request(
    _ method: String = "GET", _ path: String, port: Int, host: String = "127.0.0.1",
    headers: [String] = [], body: [UInt8]? = nil
  ) throws -> Reply {
    let connection = try Connection(port: port)
    var lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)", "Connection: close"] + headers
    if let body { lines.append("Content-Length: \(body.count)") }
    // A server that refuses a body need not read it.
    try? connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? []))
    var bytes: [UInt8] = []
    while true {
      let block = connection.read()
      bytes += block
      // Not every server closes the connection.
      guard !block.isEmpty else { return try reply(bytes) }
      if let answer = try? reply(bytes), let length = answer.headers["content-length"],
        method == "HEAD" || answer.body.count == Int(length)
      {
        return answer
      }
    }
  }

  /// Takes an answer apart.
  ///
  /// - Throws: If the bytes are no HTTP.
  package static func reply(_ bytes: [UInt8]) throws -> Reply {
    let end = Array("\r\n\r\n".utf8)
    guard
      let split = bytes.indices.first(where: { bytes[$0...].starts(with: end) })
    else {
      throw TestSupportError("no HTTP: \(String(decoding: bytes.prefix(200), as: UTF8.self))")
    }
    let lines = String(decoding: bytes[..<split], as: UTF8.self).split(separator: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else {
      throw TestSupportError("no HTTP: \(lines[0])")
    }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    return Reply(status: status, headers: headers, body: Array(bytes[(split + end.count)...]))
  }

  /// A connection to a port of this machine.
  package final class Connection {
    private let descriptor: Int32

    /// - Parameters:
    ///   - port: The port.
    ///   - waits: Whether to wait until the connection is made.
    /// - Throws: If nobody listens there.
    package init(port: Int, waits: Bool = true) throws {
      let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (waits ? 0 : SOCK_NONBLOCK.rawValue)
      descriptor = socket(AF_INET, Int32(type), 0)
      guard descriptor >= 0 else { throw TestSupportError("no socket: \(errorText())") }
      // Not a measurement: a server that never answers must end the test.
      var limit = timeval(tv_sec: 30, tv_usec: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      setsockopt(
        descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      var address = loopback(port)
      let code = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard code == 0 || !waits else {
        close(descriptor)
        throw TestSupportError("port \(port): \(errorText())")
      }
    }

    deinit { close(descriptor) }

    /// Sends all bytes.
    package func send(_ bytes: [UInt8]) throws {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, 0x4000)
        }
        guard count > 0 else { throw TestSupportError("sending: \(errorText())") }
        rest = rest.dropFirst(count)
      }
    }

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Reads what has come; empty at the end, or when the connection was reset.
    package func read() -> [UInt8] {
      var block = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(descriptor, &block, block.count, 0)
      return count > 0 ? Array(block[..<count]) : []
    }

    package func readToEnd() -> [UInt8] {
      var bytes: [UInt8] = []
      while true {
        let block = read()
        if block.isEmpty { return bytes }
        bytes += block
      }
    }

    /// Reads until the bytes so far hold a text; nil if the connection ended before.
    package func read(until text: String) -> [UInt8]? {
      var bytes: [UInt8] = []
      let wanted = Array(text.utf8)
      while true {
        let block = read()
        if block.isEmpty { return nil }
        let begin = max(bytes.count - wanted.count, 0)
        bytes += block
        if bytes[begin...].indices.contains(where: { bytes[$0...].starts(with: wanted) }) {
          return bytes
        }
      }
    }
  }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return address
  }

  /// A TCP port on which this process listens, without ever answering.
  package final class TakenPort {
    package let port: Int
    private let descriptor: Int32

    package init() throws {
      port = try freePort()
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = loopback(port)
      let file = descriptor
      let isOpen = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && listen(file, 1) == 0
        }
      }
      guard isOpen else {
        close(descriptor)
        throw TestSupportError("port \(port): \(errorText())")
      }
    }

    deinit { close(descriptor) }
  }

  /// Returns a port that is free for TCP and UDP now, unless another program opens it at once.
  package static func freePort() throws -> Int {
    for _ in 0..<20 {
      let files = [SOCK_STREAM, SOCK_DGRAM].map { type in
        socket(AF_INET, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
      }
      defer { for file in files { close(file) } }
      var address = loopback(0)
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isFree = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(files[0], $0, size) == 0 && getsockname(files[0], $0, &size) == 0
            && bind(files[1], $0, size) == 0
        }
      }
      if isFree { return Int(in_port_t(bigEndian: address.sin_port)) }
    }
    throw TestSupportError("no port is free")
  }
}
