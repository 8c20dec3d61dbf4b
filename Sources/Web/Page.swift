/// The page for people: one file, which loads nothing from elsewhere.
enum Page {
  /// Where the nonce of an answer stands in the file.
  private static let mark = "NONCE"

  /// The parts of the file between the places of the nonce.
  private static let parts: [[UInt8]] = {
    let text = String(decoding: PackageResources.Page_html, as: UTF8.self)
    return text.split(separator: mark, omittingEmptySubsequences: false).map { Array($0.utf8) }
  }()

  /// Only what has the nonce of this answer may run, so that no text of an effect can.
  static var answer: HTTPAnswer {
    let nonce = AccessRule.randomToken()
    let body = Array(parts.joined(separator: Array(nonce.utf8)))
    return HTTPAnswer(200, type: "text/html; charset=utf-8", .bytes(body)).with(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src 'self' data:; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ).with("Cross-Origin-Opener-Policy", "same-origin")
  }
}
