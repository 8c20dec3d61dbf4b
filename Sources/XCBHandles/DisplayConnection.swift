import CPosix
import CXCB
package import Frames
import Glibc
import Synchronization

/// A connection to an X server, closed when its last owner releases it.
///
/// One thread makes requests.
package final class DisplayConnection: @unchecked Sendable {
  // @unchecked: nothing changes after the opening, and libxcb locks the connection itself.

  /// The name of the display, such as ":0".
  package let name: String
  /// The window of the whole screen.
  package let root: UInt32
  package let hasComposite: Bool
  package let hasPointerImage: Bool
  /// Whether the server can write to this process's memory: not over a network.
  let sharesMemory: Bool

  let connection: OpaquePointer
  private let limit: AnswerLimit

  /// How long an answer of a server is waited for.
  package struct AnswerLimit: Sendable {
    package let interruption: Interruption
    /// In seconds.
    package let patience: Rational

    package init(_ interruption: Interruption, patience: Rational) {
      (self.interruption, self.patience) = (interruption, patience)
    }
  }

  /// Connects to a display; nil for that of the environment's `DISPLAY`.
  package init(_ name: String?, limit: AnswerLimit) throws(XCBError) {
    self.limit = limit
    self.name = name ?? getenv("DISPLAY").map { String(cString: $0) } ?? ""
    var screen: Int32 = 0
    connection = try Self.connect(name, screen: &screen, limit: limit)
    let setup = xcb_get_setup(connection)
    var screens = xcb_setup_roots_iterator(setup)
    while screen > 0, screens.rem > 1 {
      xcb_screen_next(&screens)
      screen -= 1
    }
    root = screens.data.pointee.root
    kf_ask_for_extensions(connection)
    // Every stored property needs a value before the first wait.
    let opened = Opened(connection: connection, limit: limit)
    do throws(XCBError) {
      try opened.roundTrip()
      let hasComposite = kf_has_composite(connection) != 0
      let hasFixes = kf_has_xfixes(connection) != 0
      if hasComposite {
        free(try opened.answer(xcb_composite_query_version(connection, 0, 4).sequence, "Composite"))
      }
      if hasFixes {
        free(try opened.answer(xcb_xfixes_query_version(connection, 5, 0).sequence, "XFixes"))
      }
      let isNear =
        kf_has_shm(connection) != 0 && Self.isLocal(xcb_get_file_descriptor(connection))
      let version =
        isNear ? try opened.answer(xcb_shm_query_version(connection).sequence, "MIT-SHM") : nil
      sharesMemory = version.map(Self.takesFiles) ?? false
      (self.hasComposite, hasPointerImage) = (hasComposite, hasFixes)
    } catch {
      xcb_disconnect(connection)
      throw error
    }
  }

  deinit { xcb_disconnect(connection) }

  /// Whether the server's picture has four bytes for each pixel: blue, green, red and one without meaning.
  package func hasUsualPixels(depth: UInt8) -> Bool {
    let setup = xcb_get_setup(connection)
    guard depth == 24 || depth == 32, let setup,
      setup.pointee.image_byte_order == UInt8(XCB_IMAGE_ORDER_LSB_FIRST.rawValue)
    else { return false }
    var formats = xcb_setup_pixmap_formats_iterator(setup)
    while formats.rem > 0 {
      if formats.data.pointee.depth == depth { return formats.data.pointee.bits_per_pixel == 32 }
      xcb_format_next(&formats)
    }
    return false
  }

  /// Returns the answer to a request, which the caller frees.
  func answer(_ sequence: UInt32, _ call: String) throws(XCBError) -> UnsafeMutableRawPointer {
    try Opened(connection: connection, limit: limit).answer(sequence, call)
  }

  /// Returns the answer to a request, in memory that is freed with it.
  func reply<Value>(_ sequence: UInt32, _ call: String) throws(XCBError) -> Reply<Value> {
    Reply(try answer(sequence, call))
  }

  /// Waits until the server has handled a request that has no answer, and throws its error.
  func complete(_ cookie: xcb_void_cookie_t, _ call: String) throws(XCBError) {
    try Opened(connection: connection, limit: limit).roundTrip()
    // This does not wait: the answer to a later request has come.
    guard let error = xcb_request_check(connection, cookie) else { return }
    defer { free(error) }
    throw XCBError(call: call, reason: .refused(error.pointee.error_code))
  }
}

/// The answer to a request, freed when its single owner releases it.
struct Reply<Value>: ~Copyable {
  let pointer: UnsafeMutablePointer<Value>

  init(_ answer: UnsafeMutableRawPointer) {
    pointer = answer.assumingMemoryBound(to: Value.self)
  }

  deinit { free(pointer) }

  var value: Value { pointer.pointee }
}

extension DisplayConnection {
  /// A connection that waits for answers.
  private struct Opened {
    let connection: OpaquePointer
    let limit: AnswerLimit

    func answer(_ sequence: UInt32, _ call: String) throws(XCBError) -> UnsafeMutableRawPointer {
      xcb_flush(connection)
      let deadline = MonotonicTime.now + limit.patience
      while true {
        var reply: UnsafeMutableRawPointer?
        var error: UnsafeMutablePointer<xcb_generic_error_t>?
        if xcb_poll_for_reply(connection, sequence, &reply, &error) != 0 {
          if let reply { return reply }
          guard let error else { throw XCBError(call: call, reason: .lost) }
          defer { free(error) }
          throw XCBError(call: call, reason: .refused(error.pointee.error_code))
        }
        if limit.interruption.isInterrupted { throw XCBError(call: call, reason: .interrupted) }
        guard
          DisplayConnection.wait(
            for: xcb_get_file_descriptor(connection), or: limit.interruption, until: deadline)
        else { throw XCBError(call: call, reason: .silent) }
      }
    }

    func roundTrip() throws(XCBError) {
      free(try answer(xcb_get_input_focus(connection).sequence, "GetInputFocus"))
    }
  }

  /// Waits until something can be read, or the interruption; false if neither has come at the deadline.
  private static func wait(
    for descriptor: Int32, or interruption: Interruption, until deadline: MonotonicTime
  ) -> Bool {
    let left = (deadline.nanoseconds - MonotonicTime.now.nanoseconds + 999_999) / 1_000_000
    guard left > 0 else { return false }
    var waited = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    return poll(&waited, 2, Int32(clamping: left)) != 0
  }

  /// Connects on a thread of its own: libxcb waits without end for a server that does not answer.
  private static func connect(
    _ name: String?, screen: inout Int32, limit: AnswerLimit
  ) throws(XCBError) -> OpaquePointer {
    /// What the thread has made; nobody takes it if the wait has ended before.
    final class Attempt: Sendable {
      struct State {
        var connection: UInt?
        var screen: Int32 = 0
        var isAbandoned = false
      }
      let state = Mutex(State())
      let end = Interruption()
    }
    let attempt = Attempt()
    let thread: WorkerThread
    do throws(ThreadError) {
      thread = try WorkerThread(.decode) {
        var screen: Int32 = 0
        let made = xcb_connect(name, &screen)
        let isAbandoned = attempt.state.withLock { state in
          (state.connection, state.screen) = (UInt(bitPattern: made), screen)
          return state.isAbandoned
        }
        if isAbandoned, let made { xcb_disconnect(made) }
        attempt.end.interrupt()
      }
    } catch {
      throw XCBError(call: "connect", reason: .unreachable)
    }
    thread.detach()
    _ = wait(
      for: attempt.end.descriptor, or: limit.interruption, until: .now + limit.patience)
    let made: UInt? = attempt.state.withLock { state in
      state.isAbandoned = state.connection == nil
      screen = state.screen
      return state.connection
    }
    guard let made else {
      throw XCBError(
        call: "connect", reason: limit.interruption.isInterrupted ? .interrupted : .silent)
    }
    guard let connection = OpaquePointer(bitPattern: made) else {
      throw XCBError(call: "connect", reason: .unreachable)
    }
    guard xcb_connection_has_error(connection) == 0 else {
      xcb_disconnect(connection)
      throw XCBError(call: "connect", reason: .unreachable)
    }
    return connection
  }

  /// Whether the server is reached through a socket of this machine, which carries files.
  private static func isLocal(_ descriptor: Int32) -> Bool {
    var address = sockaddr()
    var length = socklen_t(MemoryLayout<sockaddr>.size)
    return getsockname(descriptor, &address, &length) == 0
      && address.sa_family == sa_family_t(AF_UNIX)
  }

  /// Whether the server's shared memory comes as a file: since version 1.2 of the extension.
  private static func takesFiles(_ answer: UnsafeMutableRawPointer) -> Bool {
    let reply = Reply<xcb_shm_query_version_reply_t>(answer)
    return (reply.value.major_version, reply.value.minor_version) >= (1, 2)
  }
}
