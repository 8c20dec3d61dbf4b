import Frames

struct HTTPAnswer {
  enum Body {
    case bytes([UInt8])
    /// Bytes that come little by little, until the reader goes.
    case stream(any HTTPStream)
  }

  var status: UInt32
  var headers: [(name: String, value: String)] = []
  var body: Body

  init(_ status: UInt32, type: String, _ body: Body) {
    (self.status, self.body) = (status, body)
    headers = [
      ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("X-Frame-Options", "DENY"), ("Vary", "Accept"),
    ]
  }

  static func json(_ value: JSONValue, status: UInt32 = 200) -> HTTPAnswer {
    HTTPAnswer(
      status, type: "application/json", .bytes(Array(value.text.utf8)))
  }

  /// An error as a sentence; programs read it as JSON.
  static func error(_ status: UInt32, _ sentence: String) -> HTTPAnswer {
    json(.object([("error", .string(sentence))]), status: status)
  }

  static var nothing: HTTPAnswer { HTTPAnswer(204, type: "application/json", .bytes([])) }

  func with(_ name: String, _ value: String) -> HTTPAnswer {
    var answer = self
    answer.headers.append((name, value))
    return answer
  }
}

/// The body of an answer that does not end by itself; used by the server's thread.
protocol HTTPStream: AnyObject {
  /// What is to be sent now; nil if there is nothing yet.
  func next(now: MonotonicTime) -> [UInt8]?
  func close()
}
