import CMicroHTTPD
import Frames
import Glibc

/// The open connections; used by the server's thread.
///
/// A connection that has not asked anything that is answered makes room for others: whoever opens many, or sends a
/// byte now and then, keeps nobody out who may come in.
struct Connections {
  private struct Entry {
    let descriptor: Int32
    let peer: [UInt8]
    let begin: MonotonicTime
    /// Whether a request of it was let through.
    var isKnown = false
  }

  private var entries: [OpaquePointer: Entry] = [:]

  /// More connections than these are closed at once.
  static let limit = 128
  /// libmicrohttpd's own limit; what was closed stays in its list for a moment.
  static let room: UInt32 = 256
  /// Seconds until a connection must have sent a whole request that is let through.
  private static let patience = 10.0

  /// Whether there are connections without a request that was let through.
  var hasUnknown: Bool { entries.values.contains { !$0.isKnown } }

  /// Adds a connection; if there are too many, closes the oldest of the peer that has most that are not known yet,
  /// or this one if all others are known.
  mutating func add(_ connection: OpaquePointer) {
    // The address of the other end.
    var peer = [UInt8](repeating: 0, count: 16)
    let descriptor = kf_http_peer(connection, &peer)
    guard descriptor >= 0 else { return }
    entries[connection] = Entry(descriptor: descriptor, peer: peer, begin: .now)
    guard entries.count > Self.limit else { return }
    let unknown = entries.filter { !$0.value.isKnown }
    let counts = unknown.values.reduce(into: [[UInt8]: Int]()) { $0[$1.peer, default: 0] += 1 }
    guard let busiest = counts.max(by: { $0.value < $1.value })?.key else { return }
    let oldest = unknown.filter { $0.value.peer == busiest }
      .min { $1.value.begin.seconds(since: $0.value.begin) > 0 }
    if let oldest { close(oldest.key) }
  }

  /// Says that a request of a connection was let through.
  mutating func noteKnown(_ connection: OpaquePointer) { entries[connection]?.isKnown = true }

  mutating func remove(_ connection: OpaquePointer) { entries[connection] = nil }

  /// Closes connections that have had their time.
  mutating func closeLate(now: MonotonicTime) {
    for (connection, entry) in entries
    where !entry.isKnown && now.seconds(since: entry.begin) > Self.patience {
      close(connection)
    }
  }

  /// Ends a connection: libmicrohttpd sees its end, and closes the descriptor.
  private mutating func close(_ connection: OpaquePointer) {
    guard let entry = entries.removeValue(forKey: connection) else { return }
    shutdown(entry.descriptor, Int32(SHUT_RDWR))
  }
}
