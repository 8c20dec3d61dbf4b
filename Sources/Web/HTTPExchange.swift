import CMicroHTTPD
import Frames
import Glibc

/// One request, from its head to the end of its answer.
final class HTTPExchange {
  var request: HTTPRequest
  var stream: (any HTTPStream)?
  private let connection: OpaquePointer
  private var isSuspended = false
  private var isEnding = false
  /// Bytes of the stream that the connection has not taken yet.
  private var pending: ArraySlice<UInt8> = []

  init(_ request: HTTPRequest, _ connection: OpaquePointer) {
    (self.request, self.connection) = (request, connection)
  }

  func send(_ answer: HTTPAnswer, _ connection: OpaquePointer) -> MHD_Result {
    let response: OpaquePointer?
    switch answer.body {
    case .bytes(let bytes):
      response = bytes.withUnsafeBytes {
        MHD_create_response_from_buffer(
          bytes.count, UnsafeMutableRawPointer(mutating: $0.baseAddress),
          MHD_ResponseMemoryMode.RESPMEM_MUST_COPY)
      }
    case .stream:
      // The exchange lives until `endRequest`, which comes after the last call for bytes.
      response = MHD_create_response_from_callback(
        kf_http_unknown_size(), 32 << 10, giveBytes, Unmanaged.passUnretained(self).toOpaque(), nil)
    }
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
    return MHD_queue_response(connection, answer.status, response)
  }

  /// Copies what is there into a buffer of the connection; without anything the connection waits.
  func give(_ buffer: UnsafeMutablePointer<CChar>, _ room: Int) -> Int {
    if isEnding { return kf_http_end_of_stream() }
    if pending.isEmpty { pending = (stream?.next(now: .now) ?? [])[...] }
    guard !pending.isEmpty else {
      MHD_suspend_connection(connection)
      isSuspended = true
      return 0
    }
    let part = pending.prefix(room)
    pending = pending.dropFirst(part.count)
    part.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { memcpy(buffer, base, bytes.count) }
    }
    return part.count
  }

  /// Lets a waiting connection go on if its stream has something new.
  func feed(_ now: MonotonicTime) -> Bool {
    guard isSuspended, let next = stream?.next(now: now) else { return false }
    pending = next[...]
    resume()
    return true
  }

  func end() {
    isEnding = true
    resume()
  }

  private func resume() {
    guard isSuspended else { return }
    isSuspended = false
    MHD_resume_connection(connection)
  }
}

/// Called by libmicrohttpd when a connection can take more bytes of a stream.
private func giveBytes(
  _ exchange: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
  _ room: Int
) -> Int {
  guard let exchange, let buffer else { return kf_http_end_of_stream() }
  return Unmanaged<HTTPExchange>.fromOpaque(exchange).takeUnretainedValue().give(buffer, room)
}
