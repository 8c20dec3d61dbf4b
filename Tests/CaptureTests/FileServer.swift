import Frames
import Glibc
import Synchronization
import TestSupport

/// A server that sends the files of a folder over HTTP to this machine alone, without byte ranges; it
/// stops with its last reference.
///
/// A manner says what else is wrong with it.
final class FileServer: Sendable {
  /// How a file is sent.
  enum Manner: Sendable, Equatable {
    case usual
    /// Without its length: it ends where the connection does.
    case withoutLength
    /// So many bytes are sent, and then the connection is closed.
    case closes(after: Int)
    /// So many bytes are sent, and then none until the server stops.
    case stalls(after: Int)
    /// The request is never answered.
    case silent
  }

  private let state: State
  private let port: UInt16
  private let thread: Mutex<ThreadBox?>

  private struct ThreadBox: ~Copyable { let thread: WorkerThread }

  /// The state that the threads share with the server.
  private final class State: Sendable {
    let listener: Int32
    let folder: String
    let manner: Manner
    let requested = Mutex<[String]>([])

    init(listener: Int32, folder: String, manner: Manner) {
      (self.listener, self.folder, self.manner) = (listener, folder, manner)
    }

    deinit { close(listener) }
  }

  init(_ folder: TemporaryFolder, manner: Manner = .usual) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw TestSupportError("no socket to listen at") }
    port = UInt16(bigEndian: address.sin_port)
    let state = State(listener: listener, folder: folder.path, manner: manner)
    self.state = state
    thread = Mutex(
      ThreadBox(
        thread: try WorkerThread(name: "server") {
          while case let connection = accept(state.listener, nil, nil), connection >= 0 {
            FileServer.answer(connection, state)
          }
        }))
  }

  deinit {
    shutdown(state.listener, Int32(SHUT_RDWR))
    _ = thread.withLock { $0.take() }
  }

  func url(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

  /// The names of the requested files, in order.
  var requested: [String] { state.requested.withLock { $0 } }

  /// Answers a request on its own thread, because a reader may pause one file while it reads another.
  private static func answer(_ connection: Int32, _ state: State) {
    final class Job: Sendable {
      let connection: Int32
      let state: State
      init(_ connection: Int32, _ state: State) {
        (self.connection, self.state) = (connection, state)
      }
    }
    var thread = pthread_t()
    let job = Unmanaged.passRetained(Job(connection, state))
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let job = Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
        FileServer.send(to: job.connection, job.state)
        return nil
      }, job.toOpaque())
    precondition(result == 0, "pthread_create failed with error \(result)")
    pthread_detach(thread)
  }

  private static func send(to connection: Int32, _ state: State) {
    defer { close(connection) }
    var head: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: head, as: UTF8.self).contains("\r\n\r\n") {
      let count = recv(connection, &block, block.count, 0)
      guard count > 0 else { return }
      head += block[..<count]
    }
    let words = String(decoding: head, as: UTF8.self).split(separator: " ")
    guard words.count > 1 else { return }
    let name = String(words[1].dropFirst())
    state.requested.withLock { $0.append(name) }
    let body = try? readFile(state.folder + "/" + name)
    let length =
      state.manner == .withoutLength && body != nil ? "" : "Content-Length: \(body?.count ?? 0)\r\n"
    let answer =
      "HTTP/1.1 \(body == nil ? "404 Not Found" : "200 OK")\r\n"
      + "\(length)Connection: close\r\n\r\n"
    var bytes = (Array(answer.utf8) + (body ?? []))[...]
    switch state.manner {
    case .usual, .withoutLength: break
    case .closes(let count), .stalls(let count): bytes = bytes.prefix(answer.utf8.count + count)
    case .silent: bytes = []
    }
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
    switch state.manner {
    case .usual, .withoutLength, .closes: break
    // The reader closes the connection.
    case .stalls, .silent: while recv(connection, &block, block.count, 0) > 0 {}
    }
  }
}
