import Control
import Glibc

/// Who may use the server: checks the token, and that no other web site uses a browser of this machine to get in.
package struct AccessRule: Sendable {
  private let token: String?
  private let cookieName: String
  /// Names of this machine, in small letters.
  private let names: Set<String>

  /// - Parameters:
  ///   - token: What everybody must show; nil lets in everybody who uses an address of this machine only.
  ///   - port: The server's port, which the name of its cookie has: browsers share cookies between ports.
  package init(token: String?, port: Int) {
    (self.token, cookieName) = (token, "kfrec-\(port)")
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let own = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
      .lowercased()
    names = token == nil ? ["localhost"] : ["localhost", own, own + ".local"]
  }

  /// A token that nobody can guess: 128 random bits.
  package static func randomToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in hexadecimal(random.next()) }.joined()
  }

  /// What a request shows of the token.
  enum Token: Equatable {
    /// None is needed, or it was shown in a header.
    case fine
    /// It is in the query; `answer` puts it into a cookie.
    case inQuery
    case missing, wrong
  }

  func token(of request: HTTPRequest) -> Token {
    guard let token else { return .fine }
    func isRight(_ given: String) -> Bool { Self.isEqual(Array(given.utf8), Array(token.utf8)) }
    if let given = request.query("token") { return isRight(given) ? .inQuery : .wrong }
    if let words = request.authorization?.split(separator: " ", maxSplits: 1), words.count == 2,
      words[0].lowercased() == "bearer"
    {
      return isRight(String(words[1])) ? .fine : .wrong
    }
    for pair in (request.cookie ?? "").split(separator: ";") {
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0] == cookieName else { continue }
      return isRight(String(parts[1])) ? .fine : .wrong
    }
    return .missing
  }

  /// Compares in a time that does not depend on how many of the first bytes are right.
  static func isEqual(_ given: [UInt8], _ expected: [UInt8]) -> Bool {
    var difference: UInt8 = given.count == expected.count ? 0 : 1
    for index in expected.indices {
      difference |= expected[index] ^ (index < given.count ? given[index] : 0)
    }
    return difference == 0
  }

  /// The answer that keeps the token in a cookie of the browser, and takes it out of the address.
  var answerWithCookie: HTTPAnswer {
    HTTPAnswer(303, type: "text/plain", .bytes([])).with("Location", "/").with(
      "Set-Cookie", "\(cookieName)=\(token ?? ""); Path=/; HttpOnly; SameSite=Lax")
  }

  /// Says why a request is not answered; nil if it is.
  ///
  /// A web site whose name leads here (DNS rebinding) sends its own name as Host. A page of another site sends its
  /// Origin, or Sec-Fetch-Site, which its scripts cannot change.
  func refusal(of request: HTTPRequest) -> HTTPAnswer? {
    guard let host = request.host, isOwn(host) else {
      return .error(403, "this server has another name; use its numeric address, or localhost")
    }
    if let origin = request.origin, origin != "http://" + host, origin != "https://" + host {
      return .error(403, "requests of other web sites are not answered")
    }
    // A link on another site may lead to the page, and nothing else.
    let isLink =
      request.method == "GET" && request.path == "/" && request.fetchMode == "navigate"
    if let site = request.fetchSite, site != "same-origin", site != "none", !isLink {
      return .error(403, "requests of other web sites are not answered")
    }
    return nil
  }

  private func isOwn(_ host: String) -> Bool {
    var name = Substring(host)
    if let end = host.lastIndex(of: ":"), host[host.index(after: end)...].allSatisfy(\.isNumber),
      host.hasPrefix("[") == host[..<end].hasSuffix("]")
    {
      name = host[..<end]
    }
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    if let address = NumericAddress(String(name)) { return token != nil || address.isLoopback }
    return names.contains(name.lowercased())
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
