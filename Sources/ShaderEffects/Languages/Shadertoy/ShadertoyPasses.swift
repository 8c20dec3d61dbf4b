import ShaderCompiler

extension ForeignFile {
  /// Reads a shader that shadertoy.com exported.
  init(export source: String, path: String) throws(LocatedError) {
    let export = try ShadertoyExport(source)
    guard let image = export.pass("image") else {
      let types = export.passes.map { "\"\($0.type)\"" }.joined(separator: ", ")
      throw LocatedError(
        offset: 0,
        message: "has no pass of the type \"image\", which makes the frame"
          + (types.isEmpty ? "" : "; it has \(types)"))
    }
    var binding = ShadertoyBinding(export, path: path)
    let buffers = export.buffers
    let passes = buffers.map { ($0.pass, "Buffer \($0.letter)") } + [(image, "Image")]
    let common = try export.pass("common").map { pass throws(LocatedError) in
      try pass.text(beside: path, named: "Common")
    }
    var runs: [ForeignRun] = []
    var sources: [String: String] = [:]
    var files: [IncludedFile] = []
    var allWords: Set<String> = []
    func segment(_ text: ShadertoyExport.Text) -> ForeignRun.Segment {
      if let file = text.file, !files.contains(file) { files.append(file) }
      sources[EffectShader.quoted(text.label)] = text.code
      return .init(label: text.label, text: GLSLText.withoutComments(text.code))
    }
    for (pass, name) in passes {
      let own = try pass.text(beside: path, named: name)
      let parts = [common, own].compactMap(\.self).map(segment)
      let words = parts.reduce(into: Set()) { $0.formUnion(ForeignRun.words($1.text)) }
      allWords.formUnion(words)
      let channels = binding.channels(of: pass, named: name, words: words)
      var names: [String: String] = [:]
      for (number, channel) in channels.enumerated() { names["iChannel\(number)"] = channel }
      runs.append(
        ForeignRun(
          lead: ShadertoyPrelude.text(words: words, channels: channels), parts,
          tail: ShadertoyPrelude.main(of: parts.map(\.text), isImage: name == "Image"),
          names: names))
    }
    let targets = buffers.map {
      HeaderText.keptPass(ShadertoyBinding.name(ofBuffer: $0.letter))
    }
    var header = try ISFHeader(
      HeaderText.object(
        nil, inputs: binding.inputs + PointerInput.inputs(for: allWords), imports: binding.imports,
        passes: targets + [HeaderText.lastPass], more: export.title))
    header.add(binding.views)
    header.addEmpty(ShadertoyBinding.nothing)
    self.init(isf: header, runs: runs)
    self.source = source
    self.sources = sources
    otherFiles = files
    warnings = binding.warnings
  }
}

/// Finds what the channels of an export's passes are bound to.
struct ShadertoyBinding {
  private let export: ShadertoyExport
  private let folder: String
  private(set) var inputs: [LocatedJSON] = []
  private(set) var imports: [LocatedJSON.Member] = []
  private(set) var views: [String: TextureView] = [:]
  private(set) var warnings: [String] = []
  /// The names of the images that files hold, by the export's names of the files.
  private var images: [String: String] = [:]

  static let nothing = "iNothing"
  private static let audioTypes = ["music", "musicstream", "mic"]

  init(_ export: ShadertoyExport, path: String) {
    self.export = export
    folder = SourceFile.folder(of: path)
  }

  static func name(ofBuffer letter: Character) -> String { "iBuffer\(letter)" }

  /// Returns, for each channel that a pass names in its text, the name of its image or of a view of one.
  mutating func channels(
    of pass: ShadertoyExport.Pass, named name: String, words: Set<String>
  ) -> [String?] {
    (0..<4).map { number in
      let input = pass.inputs.first { $0.channel == number }
      guard
        words.contains("iChannel\(number)")
          || input != nil && words.contains("iChannelResolution")
      else { return nil }
      return channel(number, input, in: name)
    }
  }

  private mutating func channel(
    _ number: Int, _ input: ShadertoyExport.Input?, in pass: String
  ) -> String {
    guard let input else { return number == 0 ? frame() : Self.nothing }
    // Old exports have no sampler settings; the site repeats textures.
    let isImage = input.type == "texture" || input.type.isEmpty
    let isClamped = (input.sampler["wrap"] ?? (isImage ? "repeat" : "clamp")) != "repeat"
    let isNearest = input.sampler["filter"] == "nearest"
    if ["video", "webcam"].contains(input.type) {
      return view(frame(), isNearest, !isClamped)
    }
    if Self.audioTypes.contains(input.type) { return audio() }
    if let letter = export.buffer(of: input) {
      return view(Self.name(ofBuffer: letter), isNearest, !isClamped)
    }
    guard input.type == "texture" || input.type.isEmpty else {
      let kind = input.type == "buffer" ? "a buffer that does not exist" : "a \(input.type)"
      warnings.append("\(pass): iChannel\(number) is \(kind), which is black here")
      return Self.nothing
    }
    // The site flips images vertically so that they are upright, unless `vflip` is false.
    return view(image(input), isNearest, !isClamped, input.sampler["vflip"] == "false")
  }

  private mutating func frame() -> String {
    add(HeaderText.image(ISFHeader.frameName))
    return ISFHeader.frameName
  }

  private mutating func add(_ input: LocatedJSON) {
    if !inputs.contains(input) { inputs.append(input) }
  }

  /// Returns the image of a file beside the export; if there is no file, an image that the user may
  /// give.
  private mutating func image(_ input: ShadertoyExport.Input) -> String {
    if let known = images[input.source] { return known }
    let name = "iTexture\(images.count + 1)"
    images[input.source] = name
    let file = String(input.source.split(separator: "/").last ?? "")
    if !file.isEmpty, SourceFile.canonical(EffectSearchPath.join(folder, file)) != nil {
      let path = LocatedJSON(value: .string(file), offset: input.sourceOffset)
      imports.append(
        .init(name, .object([.init(key: "PATH", keyOffset: 0, value: path)])))
    } else {
      add(HeaderText.image(name, file))
    }
    return name
  }

  /// Returns the audio view: 512 columns, the spectrum below and the waveform above, as on the site.
  private mutating func audio() -> String {
    add(HeaderText.input("iSpectrum", "audioFFT", ["MAX": 512]))
    add(HeaderText.input("iWave", "audio", ["MAX": 512]))
    views["iSound"] = TextureView(image: "iSpectrum", above: "iWave")
    return "iSound"
  }

  private mutating func view(
    _ image: String, _ isNearest: Bool, _ isRepeating: Bool, _ isUpsideDown: Bool = false
  ) -> String {
    guard isNearest || isRepeating || isUpsideDown else { return image }
    let name =
      image + (isNearest ? "_nearest" : "") + (isRepeating ? "_repeating" : "")
      + (isUpsideDown ? "_turned" : "")
    views[name] = TextureView(
      image: image, isNearest: isNearest, isRepeating: isRepeating,
      isUpsideDown: isUpsideDown)
    return name
  }
}
