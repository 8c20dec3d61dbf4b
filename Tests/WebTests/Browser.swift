import Frames
import Glibc
import TestSupport
import Testing

/// Headless Chromium, driven through WebDriver by chromedriver.
final class Browser {
  private let driver: ChildProcess
  private let port: Int
  private let folder: TemporaryFolder
  private var session = ""

  /// - Throws: If there is no chromedriver or Chromium; that is a failure of the test, never a reason to skip it.
  init() throws {
    folder = try TemporaryFolder()
    driver = try ChildProcess("chromedriver", ["--port=0"])
    var number: Int?
    guard
      driver.waitForOutput(
        until: { text in
          // "ChromeDriver was started successfully on port 12345."
          number = text.components(after: "started successfully on port ").flatMap { Int($0) }
          return number != nil
        }), let number
    else { throw TestSupportError("chromedriver does not start: \(driver.wait(seconds: 1))") }
    port = number
    let flags = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--hide-scrollbars", "--user-data-dir=\(folder.path)/profile",
    ]
    let wish = JSONValue.object([
      (
        "capabilities",
        .object([
          (
            "alwaysMatch",
            .object([
              ("goog:chromeOptions", .object([("args", .array(flags.map(JSONValue.string)))])),
              ("goog:loggingPrefs", .object([("browser", .string("ALL"))])),
            ])
          )
        ])
      )
    ])
    let answer = try call("POST", "/session", wish)
    guard let id = answer["sessionId"].text else {
      throw TestSupportError("Chromium does not start: \(answer)")
    }
    session = "/session/" + id
  }

  deinit {
    // Without this Chromium would outlive its driver.
    if !session.isEmpty { _ = try? call("DELETE", session) }
    driver.send(SIGTERM)
    _ = driver.wait()
  }

  private func call(_ method: String, _ path: String, _ body: JSONValue? = nil) throws -> JSON {
    let reply = try HTTPClient.request(
      method, path, port: port, headers: ["Content-Type: application/json"],
      body: body.map { Array($0.text.utf8) })
    let value = try JSON(reply.text)["value"]
    guard reply.status == 200 else { throw TestSupportError("\(method) \(path): \(value)") }
    return value
  }

  func open(_ address: String) throws {
    _ = try call("POST", session + "/url", .object([("url", .string(address))]))
  }

  /// Gives the page a size in CSS pixels, as a phone or a desktop has it.
  func resize(_ width: Int, _ height: Int) throws {
    _ = try call(
      "POST", session + "/goog/cdp/execute",
      .object([
        ("cmd", .string("Emulation.setDeviceMetricsOverride")),
        (
          "params",
          .object([
            ("width", .int(width)), ("height", .int(height)), ("deviceScaleFactor", .int(1)),
            ("mobile", .bool(width < 600)),
          ])
        ),
      ]))
  }

  /// Runs a script in the page, and returns what it returns.
  @discardableResult
  func run(_ script: String) throws -> JSON {
    try call(
      "POST", session + "/execute/sync",
      .object([("script", .string(script)), ("args", .array([]))]))
  }

  /// Waits until a script returns true.
  func wait(for script: String, _ child: ChildProcess) throws {
    guard
      try waitUntil(child, every: 0.1, { try run("return Boolean(\(script))").flag == true })
    else { throw TestSupportError("it never became true: \(script)") }
  }

  /// Presses the left button on an element that a CSS selector finds.
  func press(_ selector: String) throws {
    _ = try call("POST", session + "/element/\(try element(selector))/click", .object([]))
  }

  /// Types keys into such an element.
  func type(_ text: String, into selector: String) throws {
    _ = try call(
      "POST", session + "/element/\(try element(selector))/value",
      .object([("text", .string(text))]))
  }

  private func element(_ selector: String) throws -> String {
    let found = try call(
      "POST", session + "/element",
      .object([("using", .string("css selector")), ("value", .string(selector))]))
    guard let key = found.keys.first, let id = found[key].text else {
      throw TestSupportError("nothing is found by \(selector)")
    }
    return id
  }

  /// Errors and warnings of the page, such as what its policy has blocked.
  func complaints() throws -> [String] {
    try call("POST", session + "/se/log", .object([("type", .string("browser"))])).items
      .filter { $0["level"].text != "INFO" }.compactMap { $0["message"].text }
  }

  /// What the page looks like, as a PNG file in base64.
  func screenshot() throws -> String {
    guard let text = try call("GET", session + "/screenshot").text else {
      throw TestSupportError("there is no screenshot")
    }
    return text
  }
}

extension String {
  /// Returns the digits that follow a text.
  fileprivate func components(after text: String) -> String? {
    guard let range = range(of: text) else { return nil }
    let digits = self[range.upperBound...].prefix { $0.isNumber }
    // The end of the number must have been read.
    return digits.endIndex < endIndex && !digits.isEmpty ? String(digits) : nil
  }

  private func range(of text: String) -> Range<String.Index>? { ranges(of: text).first }
}
