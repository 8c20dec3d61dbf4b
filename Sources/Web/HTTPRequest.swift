import CMicroHTTPD

/// A request as it was read: what is needed of its head, and its body.
struct HTTPRequest: Sendable {
  var method = "GET"
  /// The path without the query, unescaped.
  var path = "/"
  /// The query's words in their order; those without `=` have no value.
  var query: [(name: String, value: String?)] = []
  var host: String?
  var origin: String?
  var accept: String?
  var contentType: String?
  var cookie: String?
  var authorization: String?
  /// Where the browser says that the request comes from: `same-origin`, `cross-site`.
  var fetchSite: String?
  /// What the browser says that the request is for: `navigate`, `cors`.
  var fetchMode: String?
  var body: [UInt8] = []

  func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// Whether the answer should be a page for people.
  var wantsPage: Bool { accept?.lowercased().contains("text/html") ?? false }

  var hasJSON: Bool {
    guard let type = contentType?.split(separator: ";").first else { return false }
    return type.lowercased().filter { $0 != " " } == "application/json"
  }
}

extension HTTPRequest {
  init(
    _ connection: OpaquePointer, method: UnsafePointer<CChar>?, path: UnsafePointer<CChar>?
  ) {
    self.method = method.map { String(cString: $0) } ?? ""
    self.path = path.map { String(cString: $0) } ?? "/"
    func header(_ name: String) -> String? {
      MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
    }
    (host, origin, accept) = (header("Host"), header("Origin"), header("Accept"))
    (contentType, cookie) = (header("Content-Type"), header("Cookie"))
    authorization = header("Authorization")
    (fetchSite, fetchMode) = (header("Sec-Fetch-Site"), header("Sec-Fetch-Mode"))
    query = HTTPRequest.query(of: connection)
  }

  private static func query(of connection: OpaquePointer) -> [(name: String, value: String?)] {
    var words: [(name: String, value: String?)] = []
    withUnsafeMutablePointer(to: &words) { words in
      _ = MHD_get_connection_values(
        connection, .GET_ARGUMENT_KIND,
        { words, _, name, value in
          guard let words, let name else { return .YES }
          words.assumingMemoryBound(to: [(name: String, value: String?)].self).pointee.append(
            (String(cString: name), value.map { String(cString: $0) }))
          return .YES
        }, words)
    }
    return words
  }

  /// The length that the body is announced with; nil if it is not.
  static func bodyLength(_ connection: OpaquePointer) -> Int? {
    MHD_lookup_connection_value(connection, .HEADER_KIND, "Content-Length")
      .flatMap { Int(String(cString: $0)) }
  }
}
