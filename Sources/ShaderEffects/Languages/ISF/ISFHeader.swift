/// The header of an ISF file, read as leniently as the format's hosts read it.
///
/// Unknown keys, values of a similar type and limits that make no sense are accepted. The result has
/// the strict form of native effects, each value with its place in the file.
struct ISFHeader: Sendable, Equatable {
  /// The header in the strict form.
  let header: EffectHeader
  /// The images that the shader may read: image inputs, imported ones, targets.
  private(set) var images: [String]
  /// The index of each name in `images`; the first index if a name is repeated.
  var imageNumbers: [String: Int] {
    Dictionary(images.enumerated().map { ($1, $0) }) { first, _ in first }
  }
  /// The names in `images` that show another image with settings of their own.
  private(set) var views: [String: TextureView] = [:]
  /// The role, derived from the inputs.
  let role: EffectRole

  static let rules = HeaderRules(renames: true, hasHalf: false)
  /// The name of the input that a host fills with the frame to work on.
  static let frameName = EffectInput.HostImage.frame.rawValue

  init() {
    header = EffectHeader()
    images = []
    role = .generator
  }

  init(_ json: LocatedJSON) throws(LocatedError) {
    var members: [LocatedJSON.Member] = []
    var images: [String] = []
    for member in try json.members("the header") {
      switch member.key {
      case "DESCRIPTION", "CREDIT": if case .string = member.value.value { members.append(member) }
      case "CATEGORIES":
        let words = member.value.listed.filter {
          if case .string = $0.value { true } else { false }
        }
        members.append(member.with(.array(words)))
      case "INPUTS":
        var inputs: [LocatedJSON] = []
        for item in member.value.listed {
          let input = try ISFInputRules(item)
          if input.isImage { images.append(input.name) }
          inputs.append(input.strict)
        }
        members.append(member.with(.array(inputs)))
      case "IMPORTED":
        let imports = Self.imports(member.value)
        images += imports.map(\.key)
        if !imports.isEmpty { members.append(member.with(.object(imports))) }
      default: break
      }
    }
    let passes = ISFPassRules(json)
    if let list = passes.strict { members.append(list) }
    let names = Set(images)
    role =
      names.contains(Self.frameName)
      ? .filter
      : names.isSuperset(of: EffectInput.HostImage.ofTransition) ? .transition : .generator
    for name in passes.names where !names.contains(name) { images.append(name) }
    self.images = images
    var header = try EffectHeader(
      LocatedJSON(value: .object(members), offset: json.offset), Self.rules)
    header.isGenerator = role == .generator
    self.header = header
  }

  /// Adds names that show images with settings of their own.
  mutating func add(_ views: [String: TextureView]) {
    self.views.merge(views) { first, _ in first }
    let known = Set(images)
    images += views.keys.sorted().filter { !known.contains($0) }
  }

  /// Adds a name that reads an empty image.
  mutating func addEmpty(_ name: String) {
    if !images.contains(name) { images.append(name) }
  }

  /// Returns the imported images by name, each with only its PATH.
  private static func imports(_ json: LocatedJSON) -> [LocatedJSON.Member] {
    var entries = json.fields
    for item in json.listed {
      guard let name = item.field("NAME"), let text = name.value.text else { continue }
      entries.append(.init(key: text, keyOffset: name.value.offset, value: item))
    }
    return entries.map { $0.with(.object($0.value.fields.filter { $0.key == "PATH" })) }
  }
}

extension LocatedJSON.Member {
  /// Returns the same key with another value at the same place.
  func with(_ value: LocatedJSON.Value) -> LocatedJSON.Member {
    LocatedJSON.Member(
      key: key, keyOffset: keyOffset, value: LocatedJSON(value: value, offset: self.value.offset))
  }
}

extension LocatedJSON {
  /// The value as a number, also from a bool or a quoted text; nil for any other value.
  var looseNumber: Double? {
    switch value {
    case .number(let number): return number
    case .bool(let bool): return bool ? 1 : 0
    case .string(let text):
      let words: [String: Double] = ["true": 1, "yes": 1, "false": 0, "no": 0]
      return words[text.lowercased()] ?? Double(plainDecimal: text)
    case .null, .array, .object: return nil
    }
  }

  /// The value as a number or a list of numbers; nil for any other value.
  var looseNumbers: [Double]? {
    if let number = looseNumber { return [number] }
    let numbers = listed.compactMap(\.looseNumber)
    return numbers.isEmpty || numbers.count < listed.count ? nil : numbers
  }
}
