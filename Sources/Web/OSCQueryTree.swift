import Frames
import ShaderEffects

/// The tree of OSC addresses with their types, ranges and values, as OSCQuery describes it.
///
/// See https://github.com/Vidvox/OSCQueryProposal.
struct OSCQueryTree {
  private let port: Int
  private let root: Node

  /// What an address has: attributes by their OSCQuery names, and addresses below it.
  private struct Node {
    var attributes: [(String, JSONValue)]
    var children: [(name: String, node: Node)] = []
  }

  /// - Parameters:
  ///   - effects: The chain.
  ///   - port: The UDP port at which OSC is received.
  init(_ effects: [SteeredEffect], port: Int) {
    self.port = port
    let chain = effects.enumerated().map { place, effect in
      let path = "/effect/\(place + 1)"
      let parameters = effect.reachable.map { parameter in
        (parameter.name, Node(attributes: Self.attributes(parameter, path + "/" + parameter.name)))
      }
      let text = effect.name + (effect.description.isEmpty ? "" : ": " + effect.description)
      return ("\(place + 1)", Self.container(path, text, parameters))
    }
    // Not /glide: nobody can read the glide that the OSC port has now, and some clients refuse a whole tree for an
    // address without a value.
    root = Self.container(
      "/", "kfrec", [("effect", Self.container("/effect", "the chain of effects", chain))])
  }

  private static func container(
    _ path: String, _ text: String, _ children: [(String, Node)]
  ) -> Node {
    Node(
      attributes: [
        ("FULL_PATH", .string(path)), ("ACCESS", .int(0)), ("DESCRIPTION", .string(text)),
      ], children: children)
  }

  /// Returns the attributes of a parameter's address.
  private static func attributes(
    _ parameter: SteeredEffect.Parameter, _ path: String
  ) -> [(String, JSONValue)] {
    var attributes: [(String, JSONValue)] = [("FULL_PATH", .string(path))]
    let isEvent = parameter.type == "event"
    let one =
      switch parameter.type {
      case "bool": "T"
      case "long": "i"
      case "event": "I"
      default: "f"
      }
    attributes.append(
      ("TYPE", .string(String(repeating: one, count: max(parameter.value.count, 1)))))
    // The value of an event is null, as OSCQuery has it for this type.
    let values = isEvent ? [.null] : parameter.value.map { value($0, of: parameter) }
    attributes += [("ACCESS", .int(3)), ("VALUE", .array(values))]
    let ranges = range(of: parameter)
    if !ranges.isEmpty { attributes.append(("RANGE", .array(ranges))) }
    attributes.append(("DESCRIPTION", .string(parameter.description)))
    return attributes
  }

  private static func value(_ value: Double, of parameter: SteeredEffect.Parameter) -> JSONValue {
    switch parameter.type {
    case "bool": .bool(value != 0)
    case "long": .int(Int64(value))
    default: .number(value)
    }
  }

  private static func range(of parameter: SteeredEffect.Parameter) -> [JSONValue] {
    if !parameter.choices.isEmpty {
      return [
        .object([("VALS", .array(parameter.choices.map { value($0.value, of: parameter) }))])
      ]
    }
    guard parameter.minimum != nil || parameter.maximum != nil, parameter.type != "bool" else {
      return []
    }
    return parameter.value.indices.map { part in
      var members: [(String, JSONValue)] = []
      if let minimum = parameter.minimum {
        members.append(("MIN", value(minimum[part], of: parameter)))
      }
      if let maximum = parameter.maximum {
        members.append(("MAX", value(maximum[part], of: parameter)))
      }
      return .object(members)
    }
  }

  /// Answers a request for an address, or for one attribute of it, which was the only word of the query.
  func answer(path: String, attribute: String?) -> HTTPAnswer {
    if attribute == "HOST_INFO" { return .json(hostInfo) }
    var node = root
    for name in path.split(separator: "/") {
      guard let child = node.children.first(where: { $0.name == name }) else {
        return .error(404, "there is no address '\(path.prefix(100))'")
      }
      node = child.node
    }
    guard let attribute else { return .json(json(node)) }
    guard Self.known.contains(attribute) else {
      return .error(400, "there is no attribute '\(attribute.prefix(40))'")
    }
    if attribute == "CONTENTS", !node.children.isEmpty {
      return .json(.object([contents(node)]))
    }
    // The proposal wants no content for an attribute that this address lacks.
    guard let found = node.attributes.first(where: { $0.0 == attribute }) else { return .nothing }
    return .json(.object([found]))
  }

  private static let known: Set<String> = [
    "FULL_PATH", "CONTENTS", "TYPE", "ACCESS", "VALUE", "RANGE", "DESCRIPTION",
  ]

  private func json(_ node: Node) -> JSONValue {
    .object(node.attributes + (node.children.isEmpty ? [] : [contents(node)]))
  }

  private func contents(_ node: Node) -> (String, JSONValue) {
    ("CONTENTS", .object(node.children.map { ($0.name, json($0.node)) }))
  }

  private var hostInfo: JSONValue {
    let extensions = ["ACCESS", "VALUE", "RANGE", "DESCRIPTION"].map { ($0, JSONValue.bool(true)) }
    let missing = [
      "TAGS", "EXTENDED_TYPE", "UNIT", "CRITICAL", "CLIPMODE", "OVERLOADS", "HTML", "LISTEN",
      "PATH_CHANGED", "PATH_ADDED", "PATH_REMOVED", "PATH_RENAMED",
    ].map { ($0, JSONValue.bool(false)) }
    return .object([
      ("NAME", .string("kfrec")), ("OSC_IP", .string("127.0.0.1")), ("OSC_PORT", .int(port)),
      ("OSC_TRANSPORT", .string("UDP")), ("EXTENSIONS", .object(extensions + missing)),
    ])
  }
}
