import CMicroHTTPD
import CPosix
import Frames
import Glibc

/// Owns a daemon of libmicrohttpd, which runs on the thread of its owner.
private struct HTTPDaemon: ~Copyable {
  let pointer: OpaquePointer

  deinit { MHD_stop_daemon(pointer) }
}

/// The work of the server's thread: reads requests, lets the site answer, and feeds the streams.
///
/// Only that thread uses it. One thread serves all connections, so a slow reader costs memory, which is
/// limited, and no time.
final class HTTPLoop {
  private let site: Site
  private let interruption: Interruption
  /// Becomes readable when there is something new for streams.
  private let wake: WakeFlag
  /// Whether the server ends, so that no stream may begin.
  private var isEnding = false
  /// What the thread rests after its work; connections must not wait long.
  private var debt = WorkDebt(longest: 0.25)
  private var exchanges: [ObjectIdentifier: HTTPExchange] = [:]

  private var connections = Connections()

  /// Seconds after which a connection that sends and takes nothing is closed.
  static let idleLimit: UInt32 = 15
  /// The largest body in bytes.
  static let bodyLimit = 64 << 10
  /// What a reader of a stream may leave untaken, in bytes: about two pictures.
  fileprivate static let sendLimit: Int32 = 96 << 10

  init(_ site: Site, wake: WakeFlag, interruption: Interruption) {
    (self.site, self.wake, self.interruption) = (site, wake, interruption)
  }

  /// Answers requests until the interruption.
  ///
  /// - Parameter listener: The socket; it is closed at the end.
  func run(listener: Int32) {
    let owner = Unmanaged.passUnretained(self).toOpaque()
    guard
      let started = kf_start_http(
        listener, Connections.room, Self.idleLimit, answerRequest, endRequest, changeConnection,
        owner)
    else {
      close(listener)
      site.fail("the HTTP server does not start")
      return
    }
    let daemon = HTTPDaemon(pointer: started)
    let work = kf_http_descriptor(daemon.pointer)
    while !interruption.isInterrupted {
      // State is looked at ten times a second while somebody listens.
      let wait = kf_http_wait(
        daemon.pointer, !exchanges.isEmpty ? 100 : connections.hasUnknown ? 1000 : 2000)
      var waited = [work, wake.descriptor, interruption.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      poll(&waited, nfds_t(waited.count), wait)
      wake.lower()
      let begin = MonotonicTime.now
      connections.closeLate(now: begin)
      MHD_run(daemon.pointer)
      if feed() { MHD_run(daemon.pointer) }
      debt.rest(after: begin, until: interruption)
    }
    // libmicrohttpd ends the whole program if a connection that waits is closed: all go on, and end.
    isEnding = true
    for exchange in exchanges.values { exchange.end() }
    MHD_run(daemon.pointer)
  }

  /// Lets the streams go on that have something new; returns whether there is one.
  private func feed() -> Bool {
    let now = MonotonicTime.now
    return exchanges.values.reduce(false) { $1.feed(now) || $0 }
  }

  fileprivate func answer(
    _ connection: OpaquePointer, _ exchange: HTTPExchange
  ) -> MHD_Result {
    let answer = site.answer(exchange.request)
    guard case .stream(let stream) = answer.body else { return exchange.send(answer, connection) }
    guard !isEnding else {
      stream.close()
      return .NO
    }
    exchange.stream = stream
    exchanges[ObjectIdentifier(exchange)] = exchange
    kf_http_limit_sending(connection, Self.sendLimit)
    return exchange.send(answer, connection)
  }

  fileprivate func begin(_ exchange: HTTPExchange, _ connection: OpaquePointer) -> MHD_Result {
    if let refusal = site.refusal(of: exchange.request) {
      return exchange.send(refusal, connection)
    }
    if (HTTPRequest.bodyLength(connection) ?? 0) > Self.bodyLimit {
      return exchange.send(.error(413, "the body is too long"), connection)
    }
    connections.noteKnown(connection)
    return .YES
  }

  fileprivate func change(_ connection: OpaquePointer, isNew: Bool) {
    if isNew { connections.add(connection) } else { connections.remove(connection) }
  }

  fileprivate func end(_ exchange: HTTPExchange) {
    exchanges[ObjectIdentifier(exchange)] = nil
    exchange.stream?.close()
  }
}

/// Called by libmicrohttpd when the head of a request is there, for each piece of its body, and at its end.
private func answerRequest(
  _ owner: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ piece: UnsafePointer<CChar>?,
  _ count: UnsafeMutablePointer<Int>?,
  _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let owner, let connection, let count, let context else { return .NO }
  let loop = Unmanaged<HTTPLoop>.fromOpaque(owner).takeUnretainedValue()
  guard let known = context.pointee else {
    let exchange = HTTPExchange(
      HTTPRequest(connection, method: method, path: path), connection)
    context.pointee = Unmanaged.passRetained(exchange).toOpaque()
    return loop.begin(exchange, connection)
  }
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
  guard count.pointee > 0 else { return loop.answer(connection, exchange) }
  // A body without an announced length ends its connection where it is too long.
  guard exchange.request.body.count + count.pointee <= HTTPLoop.bodyLimit, let piece else {
    return .NO
  }
  piece.withMemoryRebound(to: UInt8.self, capacity: count.pointee) {
    exchange.request.body += UnsafeBufferPointer(start: $0, count: count.pointee)
  }
  count.pointee = 0
  return .YES
}

/// Called by libmicrohttpd when a request is over, whatever the reason.
private func endRequest(
  _ owner: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
  guard let owner, let known = context?.pointee else { return }
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue()
  context?.pointee = nil
  Unmanaged<HTTPLoop>.fromOpaque(owner).takeUnretainedValue().end(exchange)
}

/// Called by libmicrohttpd when a connection is there, and when it has ended.
private func changeConnection(
  _ owner: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ change: MHD_ConnectionNotificationCode
) {
  guard let owner, let connection else { return }
  Unmanaged<HTTPLoop>.fromOpaque(owner).takeUnretainedValue()
    .change(connection, isNew: change.rawValue == kf_http_started())
}
