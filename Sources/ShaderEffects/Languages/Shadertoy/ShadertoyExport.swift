import ShaderCompiler

/// A shader as exported by shadertoy.com: a JSON object with a text for each pass.
struct ShadertoyExport {
  /// The resource that a channel of a pass is bound to.
  struct Input {
    let channel: Int
    let type: String
    let id: String
    let source: String
    let sourceOffset: Int
    let sampler: [String: String]
  }

  struct Pass {
    let name: String
    let type: String
    let code: String
    /// The path of a file with the text instead, from the export's folder; some programs write this.
    let file: String?
    let offset: Int
    let inputs: [Input]
    let outputs: [String]

    /// The letter of a buffer, from its name.
    var letter: Character? {
      name.uppercased().last.flatMap { "ABCD".contains($0) ? $0 : nil }
    }
  }

  /// A text and its label in messages.
  struct Text {
    let label: String
    let code: String
    /// The file that the text was read from; nil if the text is in the export.
    var file: IncludedFile?
  }

  let passes: [Pass]
  let title: [LocatedJSON.Member]

  init(_ source: String) throws(LocatedError) {
    var root = try LocatedJSONParser.parse(source, takesLast: true).value
    // The site writes a shader in three forms: alone, in a list, or in an object.
    root = (root.field("Shader") ?? root.field("shader"))?.value ?? root
    root = root.listed.first ?? root
    root = root.field("Shader")?.value ?? root
    guard let list = root.field("renderpass")?.value else {
      throw root.mistake("is not a shader as shadertoy.com exports it: it has no \"renderpass\"")
    }
    passes = list.listed.map(Pass.init)
    title = Self.title(root.field("info")?.value)
  }

  private static func title(_ info: LocatedJSON?) -> [LocatedJSON.Member] {
    var members: [LocatedJSON.Member] = []
    for (key, word) in [("name", "DESCRIPTION"), ("username", "CREDIT")] {
      guard let text = info?.field(key)?.value.text else { continue }
      members.append(.init(word, .string(text)))
    }
    let tags = info?.field("tags")?.value.listed.filter { $0.text != nil } ?? []
    if !tags.isEmpty { members.append(.init("CATEGORIES", .array(tags))) }
    return members
  }

  func pass(_ type: String) -> Pass? { passes.first { $0.type == type } }

  /// The buffers, in the order in which they run.
  var buffers: [(letter: Character, pass: Pass)] {
    "ABCD".compactMap { letter in
      passes.first { $0.type == "buffer" && $0.letter == letter }.map { (letter, $0) }
    }
  }

  /// Returns the letter of the buffer that an input shows.
  func buffer(of input: Input) -> Character? {
    if let own = buffers.first(where: { $0.pass.outputs.contains(input.id) }) { return own.letter }
    // The site's own file names for its four buffers.
    let file = input.source.split(separator: "/").last ?? ""
    guard file.hasPrefix("buffer0"), let digit = file.dropFirst(7).first?.wholeNumberValue,
      (0..<4).contains(digit)
    else { return nil }
    return Array("ABCD")[digit]
  }
}

extension ShadertoyExport.Pass {
  fileprivate init(_ json: LocatedJSON) {
    name = json.field("name")?.value.text ?? ""
    type = json.field("type")?.value.text ?? ""
    code = ISFFile.withPlainLineEnds(json.field("code")?.value.text ?? "")
    file = json.field("filename")?.value.text
    offset = json.offset
    inputs = (json.field("inputs")?.value.listed ?? []).compactMap(ShadertoyExport.Input.init)
    outputs = (json.field("outputs")?.value.listed ?? []).compactMap { $0.field("id")?.value.name }
  }
}

extension ShadertoyExport.Pass {
  /// Returns the pass's own text, or the text of the file that it names.
  func text(beside path: String, named name: String) throws(LocatedError) -> ShadertoyExport.Text {
    guard code.isEmpty, let file else {
      return ShadertoyExport.Text(label: "\(path) (\(name))", code: code)
    }
    let place = EffectSearchPath.join(SourceFile.folder(of: path), file)
    do {
      let text = try SourceFile.read(place)
      return ShadertoyExport.Text(
        label: place, code: ISFFile.withPlainLineEnds(text),
        file: IncludedFile(path: place, text: text))
    } catch {
      throw LocatedError(offset: offset, message: "\(place) cannot be read: \(error.reason)")
    }
  }
}

extension ShadertoyExport.Input {
  fileprivate init?(_ json: LocatedJSON) {
    guard let number = json.field("channel")?.value.looseNumber, (0..<4).contains(number) else {
      return nil
    }
    channel = Int(number)
    type = (json.field("ctype") ?? json.field("type"))?.value.text ?? ""
    id = json.field("id")?.value.name ?? ""
    let place = (json.field("src") ?? json.field("filepath"))?.value
    source = place?.text ?? ""
    sourceOffset = place?.offset ?? json.offset
    sampler = (json.field("sampler")?.value.fields ?? []).reduce(into: [:]) { found, member in
      found[member.key] = member.value.text ?? (member.value.looseNumber == 1 ? "true" : "false")
    }
  }
}

extension LocatedJSON {
  /// A word or a number as text, for comparisons.
  fileprivate var name: String? { text ?? looseNumber?.plainText }
}
