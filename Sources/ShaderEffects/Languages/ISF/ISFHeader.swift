/// The header of an ISF file, read with the patience of the format's hosts.
///
/// What they put up with (keys that nobody knows, values of a neighbouring type, limits that make no
/// sense) is brought here into the strict form that native effects have, each value in its place of
/// the file.
struct ISFHeader: Sendable, Equatable {
  /// In the strict form.
  let header: EffectHeader
  /// The pictures that the shader may read: image inputs, imported ones, targets.
  private(set) var pictures: [String]
  /// The place of each among these; of one name the first.
  var pictureNumbers: [String: Int] {
    Dictionary(pictures.enumerated().map { ($1, $0) }) { first, _ in first }
  }
  /// Names among these that show another picture in a way of their own.
  private(set) var views: [String: TextureView] = [:]
  /// Told by its inputs.
  let role: EffectRole

  /// The inputs that a host fills with the picture to work on.
  static let frameName = "inputImage"

  init() {
    header = EffectHeader()
    pictures = []
    role = .generator
  }

  init(_ json: LocatedJSON) throws(LocatedError) {
    var members: [LocatedJSON.Member] = []
    var pictures: [String] = []
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
          if input.isPicture { pictures.append(input.name) }
          inputs.append(input.strict)
        }
        members.append(member.with(.array(inputs)))
      case "IMPORTED":
        let imports = Self.imports(member.value)
        pictures += imports.map(\.key)
        if !imports.isEmpty { members.append(member.with(.object(imports))) }
      default: break
      }
    }
    let passes = ISFPassRules(json)
    if let list = passes.strict { members.append(list) }
    let names = Set(pictures)
    role =
      names.contains(Self.frameName)
      ? .filter : names.isSuperset(of: EffectInput.transitionImageNames) ? .transition : .generator
    for name in passes.names where !names.contains(name) { pictures.append(name) }
    self.pictures = pictures
    var header = try EffectHeader(
      LocatedJSON(value: .object(members), offset: json.offset), isForeign: true)
    header.isGenerator = role == .generator
    self.header = header
  }

  /// Adds names to be read that show pictures in ways of their own.
  mutating func add(_ views: [String: TextureView]) {
    self.views.merge(views) { first, _ in first }
    let known = Set(pictures)
    pictures += views.keys.sorted().filter { !known.contains($0) }
  }

  /// Adds a name to be read at which there is nothing.
  mutating func addEmpty(_ name: String) {
    if !pictures.contains(name) { pictures.append(name) }
  }

  /// The imported pictures by name, with nothing said of each but where it is.
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
  /// The same key with another value in its place.
  func with(_ value: LocatedJSON.Value) -> LocatedJSON.Member {
    LocatedJSON.Member(
      key: key, keyOffset: keyOffset, value: LocatedJSON(value: value, offset: self.value.offset))
  }
}

extension LocatedJSON {
  /// The items of an array; none of anything else.
  var listed: [LocatedJSON] { if case .array(let items) = value { items } else { [] } }

  /// The members of an object; none of anything else.
  var fields: [Member] { if case .object(let members) = value { members } else { [] } }

  func field(_ key: String) -> Member? { fields.first { $0.key == key } }

  var text: String? { if case .string(let text) = value { text } else { nil } }

  /// A number, also as a bool or in quotes.
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

  /// A number or a list of numbers; nil of anything else.
  var looseNumbers: [Double]? {
    if let number = looseNumber { return [number] }
    let numbers = listed.compactMap(\.looseNumber)
    return numbers.isEmpty || numbers.count < listed.count ? nil : numbers
  }
}
