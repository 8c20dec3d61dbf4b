/// Converts PASSES of an ISF file, and PERSISTENT_BUFFERS of ISF's first version, to the strict form.
struct ISFPassRules {
  /// The names of images that are, or would be, targets of passes.
  private(set) var names: [String] = []
  /// PASSES in the strict form; nil for a file whose only pass makes the result.
  private(set) var strict: LocatedJSON.Member?

  /// The prefix of the names of targets that have no name.
  static let unnamed = "kf_unnamed"

  /// Reads them from the whole header.
  init(_ json: LocatedJSON) {
    let kept = Self.persistentBuffers(json)
    names = kept.keys.sorted()
    var known = Set(names)
    guard let list = json.field("PASSES") else { return }
    let items = list.value.listed.filter { if case .object = $0.value { true } else { false } }
    var passes: [LocatedJSON] = []
    for (index, item) in items.enumerated() {
      let isLast = index == items.count - 1
      var members: [LocatedJSON.Member] = []
      let target = item.field("TARGET").flatMap { $0.value.text?.isEmpty == false ? $0 : nil }
      let name = target?.value.text
      if let target {
        members.append(target)
      } else if !isLast {
        // Hosts draw this pass and then draw over it; no pass can read it.
        members.append(
          .init(
            key: "TARGET", keyOffset: item.offset,
            value: LocatedJSON(value: .string(Self.unnamed + "\(index)"), offset: item.offset)))
      }
      if let name, known.insert(name).inserted { names.append(name) }
      let buffer = name.flatMap { kept[$0] }
      if let buffer, target != nil {
        members.append(
          .init(
            key: "PERSISTENT", keyOffset: buffer.offset,
            value: LocatedJSON(value: .bool(true), offset: buffer.offset)))
      }
      for key in ["PERSISTENT", "FLOAT"] where target != nil {
        guard !members.contains(where: { $0.key == key }),
          let member = item.field(key) ?? buffer?.field(key)
        else { continue }
        members.append(member.with(.bool(member.value.looseNumber ?? 0 > 0)))
      }
      // The last pass makes the result, whatever size it asks for.
      for key in ["WIDTH", "HEIGHT"] where !isLast {
        guard let member = item.field(key) ?? buffer?.field(key),
          let side = Self.side(member.value)
        else { continue }
        members.append(member.with(side))
      }
      passes.append(LocatedJSON(value: .object(members), offset: item.offset))
    }
    guard passes.count > 1 || passes.first?.fields.isEmpty == false else { return }
    strict = list.with(.array(passes))
  }

  /// Returns a number or a formula; nil if the file gives none.
  private static func side(_ json: LocatedJSON) -> LocatedJSON.Value? {
    if case .number(let number) = json.value { return .number(max(number, 1)) }
    guard let text = json.text, text.contains(where: { !$0.isWhitespace }) else { return nil }
    return .string(text)
  }

  /// Returns the buffers by name, each with its settings if it has any.
  private static func persistentBuffers(_ json: LocatedJSON) -> [String: LocatedJSON] {
    guard let buffers = json.field("PERSISTENT_BUFFERS")?.value else { return [:] }
    var found: [String: LocatedJSON] = [:]
    for item in buffers.listed {
      if let name = item.text ?? item.field("NAME")?.value.text { found[name] = item }
    }
    for member in buffers.fields { found[member.key] = member.value }
    return found
  }
}
