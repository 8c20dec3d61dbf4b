import ShaderCompiler

/// An effect as it stands in its file: header and GLSL.
struct EffectFile: Sendable, Equatable {
  /// As searched for; messages use it.
  let path: String
  let source: String
  let header: EffectHeader
  let kind: EffectKind
  /// What only an ISF file has.
  let isf: ISFFile?
  /// What only a file of Shadertoy or gl-transitions has.
  let foreign: ForeignFile?
  /// All that it was made from, itself and what stands beside it, each as it was read: texts are
  /// compared with these and with none that was worked on.
  let files: [IncludedFile]
  /// The header of a file that is not native.
  var foreignHeader: ISFHeader? { isf?.header ?? foreign?.header }

  /// What an input's value is called in GLSL.
  func glslName(of input: EffectInput) -> String {
    kind != .native ? ISFNames.glslName(ofInput: input.name) : input.name
  }

  /// The GLSL of the file, for what its words tell.
  var texts: [String] {
    guard let foreign else { return [source] + [isf?.vertex].compactMap(\.self) }
    let shown = foreign.header.views.values.flatMap { [$0.picture, $0.above ?? ""] }
    return foreign.runs.map(\.text) + [shown.joined(separator: " ")]
  }

  /// The file's name without folder and ending.
  var name: String { Self.name(ofPath: path) }

  static func name(ofPath path: String) -> String {
    let file = path.split(separator: "/").last ?? path[...]
    let suffix = EffectKind(path: path)?.suffix ?? ""
    return String(file.dropLast(suffix.count))
  }

  init(path: String) throws(EffectError) {
    let source = try Self.read(path)
    guard EffectKind(path: path) == .isf else {
      try self.init(path: path, source: source)
      return
    }
    let vertex = ISFFile.vertexPaths(beside: path).first { SourceFile.canonical($0) != nil }
    try self.init(
      path: path, source: source,
      vertex: try vertex.map { path throws(EffectError) in (path, try Self.read(path)) })
  }

  private static func read(_ path: String) throws(EffectError) -> String {
    do {
      return try SourceFile.read(path)
    } catch {
      // Names of a folder's files are text here, in which bytes that are no UTF-8 became this sign.
      let isMended = path.unicodeScalars.contains("\u{FFFD}") && SourceFile.canonical(path) == nil
      throw EffectError(
        file: path,
        "cannot be read as an effect: "
          + (isMended ? "its name is not UTF-8; rename the file" : error.reason))
    }
  }

  /// `vertex` is the vertex shader that belongs to an ISF file.
  init(
    path: String, source: String, vertex: (path: String, source: String)? = nil
  ) throws(EffectError) {
    self.path = path
    kind = EffectKind(path: path) ?? .native
    var files = [IncludedFile(path: path, text: source)]
    let source = kind != .native ? ISFFile.withPlainLineEnds(source) : source
    self.source = source
    do {
      switch kind {
      case .native:
        header = try Self.header(of: source)
        (isf, foreign) = (nil, nil)
      case .isf:
        let isf = try ISFFile(source: source, vertex: vertex)
        files += [vertex.map { IncludedFile(path: $0.path, text: $0.source) }].compactMap(\.self)
        header = isf.header.header
        (self.isf, foreign) = (isf, nil)
      case .fragment, .function, .export:
        let foreign =
          kind == .export
          ? try ForeignFile(export: source, path: path)
          : try ForeignFile(function: source, path: path)
        header = foreign.header.header
        files += foreign.files
        (isf, self.foreign) = (nil, foreign)
      }
      self.files = files
    } catch {
      throw EffectError(
        Diagnostic(
          file: path, source: SourceText(source), utf8Offset: error.offset, message: error.message))
    }
  }

  /// The object in the comment that the file begins with; an empty header where there is none.
  private static func header(of source: String) throws(LocatedError) -> EffectHeader {
    guard let start = headerStart(of: source) else { return EffectHeader() }
    let (json, end) = try LocatedJSONParser.parse(source, at: start)
    let rest = source.utf8.dropFirst(end).drop { " \t\r\n".utf8.contains($0) }
    guard rest.starts(with: "*/".utf8) else {
      throw LocatedError(
        offset: source.utf8.distance(from: source.startIndex, to: rest.startIndex),
        message: "the header's comment must end with */ after the closing }")
    }
    return try EffectHeader(json)
  }

  /// Where the `{` of the first comment that begins with one stands; only comments, blanks and
  /// `#version` may come before it.
  static func headerStart(of source: String) -> Int? {
    let bytes = Array(source.utf8)
    var at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    func isBlank(_ index: Int) -> Bool {
      index < bytes.count && " \t\r\n".utf8.contains(bytes[index])
    }
    while at < bytes.count {
      if isBlank(at) {
        at += 1
      } else if bytes[at...].starts(with: "/*".utf8) {
        at += 2
        var first = at
        while isBlank(first) { first += 1 }
        if first < bytes.count, bytes[first] == UInt8(ascii: "{") { return first }
        while at < bytes.count, !bytes[at...].starts(with: "*/".utf8) { at += 1 }
        at += 2
      } else if bytes[at...].starts(with: "//".utf8) || bytes[at...].starts(with: "#version".utf8) {
        while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
      } else {
        return nil
      }
    }
    return nil
  }
}
