import ShaderEffects
import TestSupport
import Testing

/// The real program with a page, of one test alone.
final class Served {
  let port: Int
  let child: ChildProcess
  let folder: TemporaryFolder

  /// Starts `kfrec preview --no-window` with a small test pattern, or `words` instead, and waits for the page.
  init(_ words: [String]? = nil, more: [String] = []) throws {
    folder = try TemporaryFolder()
    port = try HTTPClient.freePort()
    let usual = [
      "preview", "--no-window", "-i", "testsrc", "--size", "64x36", "-e", "vignette", "-e", "crt",
    ]
    child = try KfrecProcess.start(
      (words ?? usual) + more + ["--control", "\(port)"], in: folder)
    guard child.waitForError("the page is at http://") else {
      throw TestSupportError("there is no page: \(child.wait(seconds: 1))")
    }
  }

  func get(_ path: String, _ headers: [String] = []) throws -> HTTPClient.Reply {
    try HTTPClient.request(path, port: port, headers: headers)
  }

  /// Asks for a change, as the page does.
  @discardableResult
  func post(_ json: String) throws -> HTTPClient.Reply {
    try HTTPClient.request(
      "POST", "/page/change", port: port, headers: ["Content-Type: application/json"],
      body: Array(json.utf8))
  }

  /// The state that pages show.
  func state() throws -> JSON { try JSON(get("/page/state").text) }

  /// Waits until the state fulfils a condition.
  @discardableResult
  func waitForState(_ condition: (JSON) -> Bool) throws -> JSON {
    var latest = try state()
    let isExpected = try waitUntil(child, every: 0.1) {
      latest = try state()
      return condition(latest)
    }
    guard isExpected else { throw TestSupportError("the state never was as expected: \(latest)") }
    return latest
  }

  /// Asks for a still, until there is a frame to save.
  func saveStill() throws {
    try waitForState { _ in (try? post(#"{"do":"still"}"#).status) == 200 }
  }

  /// Stops the program; it must end without an error.
  func stop() -> ChildResult {
    child.send(2)
    return child.wait()
  }
}

extension HTTPClient {
  static func request(
    _ path: String, port: Int, headers: [String] = []
  ) throws -> Reply {
    try request("GET", path, port: port, headers: headers)
  }
}

/// A JSON value that tests look into.
struct JSON: Equatable, CustomStringConvertible {
  let value: LocatedJSON.Value

  init(_ text: String) throws { value = try LocatedJSONParser.parse(text).value.value }
  private init(_ value: LocatedJSON.Value) { self.value = value }

  subscript(key: String) -> JSON {
    guard case .object(let members) = value,
      let member = members.first(where: { $0.key == key })
    else { return JSON(LocatedJSON.Value.null) }
    return JSON(member.value.value)
  }

  subscript(index: Int) -> JSON {
    guard case .array(let parts) = value, parts.indices.contains(index) else {
      return JSON(LocatedJSON.Value.null)
    }
    return JSON(parts[index].value)
  }

  var items: [JSON] {
    if case .array(let parts) = value { parts.map { JSON($0.value) } } else { [] }
  }
  var keys: [String] {
    if case .object(let members) = value { members.map(\.key) } else { [] }
  }
  var text: String? { if case .string(let text) = value { text } else { nil } }
  var number: Double? { if case .number(let number) = value { number } else { nil } }
  var flag: Bool? { if case .bool(let flag) = value { flag } else { nil } }
  var isNull: Bool { value == .null }
  var numbers: [Double] { items.compactMap(\.number) }

  /// The parameter of this name of an effect.
  func parameter(_ name: String) -> JSON {
    self["parameters"].items.first { $0["name"].text == name } ?? JSON(LocatedJSON.Value.null)
  }

  var description: String {
    switch value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .string(let text): "\"\(text)\""
    case .array: "[" + items.map(\.description).joined(separator: ", ") + "]"
    case .object: "{" + keys.map { "\($0): \(self[$0])" }.joined(separator: ", ") + "}"
    }
  }
}
