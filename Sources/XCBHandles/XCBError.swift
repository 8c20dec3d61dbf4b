/// A failed request to an X server.
package struct XCBError: Error {
  package enum Reason: Equatable, Sendable {
    /// There is no server of this name, or it does not admit this user.
    case unreachable
    /// The connection has broken: the server has ended.
    case lost
    /// The server has not answered within the time limit.
    case silent
    /// The wait was interrupted.
    case interrupted
    /// The server's error code, such as 3 for a window that is not there any more.
    case refused(UInt8)
    /// The server lacks what is needed.
    case missing
  }

  /// The request, such as "GetGeometry".
  package let call: String
  package let reason: Reason

  package init(call: String, reason: Reason) { (self.call, self.reason) = (call, reason) }

  /// Whether the window or the pixmap is not there any more (BadWindow, BadPixmap, BadDrawable).
  package var meansGone: Bool { [.refused(3), .refused(4), .refused(9)].contains(reason) }

  /// What failed, as the rest of a sentence.
  package var explanation: String {
    switch reason {
    case .unreachable: "the server cannot be reached (\(call))"
    case .lost: "the connection has broken (\(call))"
    case .silent: "the server does not answer (\(call))"
    case .interrupted: "the wait was interrupted (\(call))"
    case .refused(let code): "the server refuses it with error \(code) (\(call))"
    case .missing: "the server does not know it (\(call))"
    }
  }
}
