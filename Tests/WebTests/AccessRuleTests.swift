import Testing

@testable import Web

@Suite struct AccessRuleTests {
  private func status(_ rule: AccessRule, _ change: (inout HTTPRequest) -> Void) -> UInt32? {
    var request = HTTPRequest()
    request.host = "127.0.0.1:9000"
    change(&request)
    return rule.refusal(of: request)?.status
  }

  @Test(
    "without a token only addresses of this machine are answered",
    arguments: [
      ("127.0.0.1:9000", true), ("localhost:9000", true), ("LOCALHOST", true), ("[::1]:9000", true),
      ("127.1.2.3", true), ("192.168.1.5:9000", false), ("evil.example:9000", false), ("", false),
      ("localhost.evil.example", false), ("127.0.0.1.evil.example", false), ("[::1", false),
      ("127.0.0.1:x", false), ("::1", false),
    ])
  func hosts(host: String, isFine: Bool) {
    let rule = AccessRule(token: nil, port: 9000)
    #expect((status(rule) { $0.host = host } == nil) == isFine)
  }

  @Test("a request without a host is refused")
  func noHost() {
    #expect(status(AccessRule(token: nil, port: 1)) { $0.host = nil } == 403)
  }

  @Test("with a token any numeric address is answered, and names of others are not")
  func tokenHosts() {
    let rule = AccessRule(token: "secretsecret", port: 9000)
    #expect(status(rule) { $0.host = "192.168.1.5:9000" } == nil)
    #expect(status(rule) { $0.host = "[fe80::1]:9000" } == nil)
    #expect(status(rule) { $0.host = "evil.example" } == 403)
  }

  @Test("pages of other web sites are refused, and a link to the page is not")
  func origins() {
    let rule = AccessRule(token: nil, port: 9000)
    #expect(status(rule) { $0.origin = "http://127.0.0.1:9000" } == nil)
    #expect(status(rule) { $0.origin = "http://127.0.0.1:9001" } == 403)
    #expect(status(rule) { $0.origin = "http://evil.example" } == 403)
    #expect(status(rule) { $0.origin = "null" } == 403)
    #expect(status(rule) { $0.fetchSite = "same-origin" } == nil)
    #expect(status(rule) { $0.fetchSite = "none" } == nil)
    #expect(status(rule) { $0.fetchSite = "cross-site" } == 403)
    #expect(status(rule) { $0.fetchSite = "same-site" } == 403)
    #expect(
      status(rule) {
        $0.fetchSite = "cross-site"
        $0.fetchMode = "navigate"
      } == nil)
    #expect(
      status(rule) {
        $0.fetchSite = "cross-site"
        $0.fetchMode = "navigate"
        $0.path = "/page/state"
      } == 403)
    #expect(
      status(rule) {
        $0.fetchSite = "cross-site"
        $0.fetchMode = "navigate"
        $0.method = "POST"
      } == 403)
  }

  @Test("a token is taken from the query, the cookie of this port, or as Bearer")
  func tokens() {
    let rule = AccessRule(token: "secretsecret", port: 9000)
    func token(_ change: (inout HTTPRequest) -> Void) -> AccessRule.Token {
      var request = HTTPRequest()
      change(&request)
      return rule.token(of: request)
    }
    #expect(token { _ in } == .missing)
    #expect(token { $0.query = [("token", "secretsecret")] } == .inQuery)
    #expect(token { $0.query = [("token", "secretsecre")] } == .wrong)
    #expect(token { $0.authorization = "Bearer secretsecret" } == .fine)
    #expect(token { $0.authorization = "bearer secretsecret" } == .fine)
    #expect(token { $0.authorization = "Basic secretsecret" } == .missing)
    #expect(token { $0.authorization = "Bearer x" } == .wrong)
    #expect(token { $0.cookie = "a=b; kfrec-9000=secretsecret; c=d" } == .fine)
    #expect(token { $0.cookie = "kfrec-9001=secretsecret" } == .missing)
    #expect(token { $0.cookie = "kfrec-9000=secretsecrex" } == .wrong)
    #expect(AccessRule(token: nil, port: 9000).token(of: HTTPRequest()) == .fine)
  }

  @Test("random tokens have 128 bits, and differ")
  func random() {
    let tokens = (0..<8).map { _ in AccessRule.randomToken() }
    #expect(Set(tokens).count == 8)
    #expect(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }
}
