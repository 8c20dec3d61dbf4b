public import Frames
public import GPU
public import ShaderCompiler
import Text

/// A compiled effect with its parameter values: it provides the kernels' code and each frame's
/// uniforms.
public struct EffectInstance: Sendable {
  public let name: String
  /// The tag of its `EffectSpec`.
  public let tag: Int
  public let uniformByteCount: Int
  /// Warnings about text that compiles but looks like a mistake.
  public let diagnostics: [Diagnostic]
  /// The warnings as sentences.
  public var warnings: [String] { diagnostics.map(\.withoutSeverity) }
  /// The image inputs that need an image and were given none.
  public let missingImages: [String]
  /// The missing images that the effect cannot work without: `"OPTIONAL": false`.
  public var neededImages: [String] {
    let required = shader.file.header.inputs.filter(\.isRequired).map(\.name)
    return missingImages.filter(required.contains)
  }
  /// True if the header says that the effect does nothing with its defaults.
  public let isNeutralByDefault: Bool
  /// True if the effect leads from one clip to the next.
  public var isTransition: Bool { shader.file.role == .transition }
  /// The image input that shows the next clip of a transition; nil for any other effect.
  public var nextImage: String? { isTransition ? EffectInput.HostImage.end.rawValue : nil }
  /// The properties that decide in which kernel the effect runs.
  public var traits: EffectTraits { shader.traits }

  /// The texts that it draws.
  let textInputs: [TextInput]
  /// The subtitles that it shows; nil if it shows none.
  var subtitles: SubtitleScript?
  /// The colours of the frames; those of sRGB until they are known.
  private var color = ColorDescription.sRGB
  private(set) var shader: EffectShader
  var layout: UniformLayout { shader.layout }
  let values: [ParameterTrack]
  /// The values that act instead if the effect is steered while it runs; nil if it is not.
  let live: LiveTracks?
  /// The index of a transition's progress input, if the user gave it no value.
  private let progressInput: Int?
  /// True if the timeline sets the progress of the transition.
  private var followsTimeline = false
  private let kinds: [EffectInput.Kind]
  private let constants: [EffectHeader.Constant]
  private let variableCount: Int
  private let mix: ParameterTrack
  private let from: Rational?
  private let to: Rational?

  /// Creates an instance; `values` has one track for each input of the file, in the file's order.
  ///
  /// `isSteered` means that parameters may change while the effect runs.
  init(
    _ use: EffectSpec, shader: EffectShader, values: [ParameterTrack],
    diagnostics: [Diagnostic], missingImages: [String] = [], textInputs: [TextInput] = [],
    isSteered: Bool = false
  ) {
    let file = shader.file
    (name, tag) = (file.name, use.tag)
    self.shader = shader
    uniformByteCount = shader.layout.byteCount
    self.diagnostics = diagnostics
    self.missingImages = missingImages
    self.textInputs = textInputs
    isNeutralByDefault = file.header.isNeutralByDefault
    self.values = values
    hearsLevels = (values + [use.mix]).contains { $0.formulas.contains(where: \.hears) }
    live = isSteered ? LiveTracks(values: values, mix: use.mix) : nil
    kinds = file.header.inputs.map(\.kind)
    constants = file.header.constants
    variableCount =
      FrameVariables(inputs: file.header.inputs, constants: constants.map(\.name)).count
    let givenNames = Set(use.parameters.map(\.name))
    progressInput = file.header.inputs.firstIndex {
      $0.isProgress && !givenNames.contains($0.name)
    }
    (mix, from, to) = (use.mix, use.from, use.to)
  }

  /// The input that a transition's timeline sets; nil if there is none.
  var followedInput: String? {
    isTransition ? progressInput.map { shader.file.header.inputs[$0].name } : nil
  }

  /// True if a formula needs the audio.
  public let hearsLevels: Bool

  /// The audio inputs of the effect.
  public var audioInputs: [AudioInput] {
    shader.file.header.inputs.filter { $0.imageRole == .audio }.map(AudioInput.init)
  }

  /// The image inputs that were given a video, with the words that name it.
  public var movingInputs: [(input: String, words: String)] {
    let inputs = Set(shader.file.header.inputs.map(\.name))
    return shader.images.compactMap { use in
      use.image.movingInput.flatMap { inputs.contains(use.name) ? (use.name, $0) : nil }
    }
  }

  /// Replaces the image of an image input, before kernels are made; false if there is no image of that
  /// name.
  public mutating func setImage(_ name: String, to image: EffectImage) -> Bool {
    guard let index = shader.images.firstIndex(where: { $0.name == name }) else { return false }
    shader.images[index].image = image
    return true
  }

  /// Tells effects that see light how the colours of the frames are coded, before kernels are made.
  public mutating func take(_ color: ColorDescription) {
    shader.transfer = color.transfer
    self.color = color
  }

  /// Lets the clock set the progress of a transition, before kernels are made; a value that the user
  /// gave stays.
  public mutating func followTimeline() { followsTimeline = true }

  /// Returns whether the effect acts at this time; if not, frames pass unchanged.
  public func isActive(at clock: EffectClock) -> Bool {
    isActive(at: clock.time)
  }

  /// Returns whether the effect acts; with keyframes of `mix`, also at the moment when `mix` leaves or
  /// reaches 0.
  ///
  /// An effect that is steered acts whatever its `mix` is, so that the kernels and what the effect keeps do
  /// not depend on when somebody changes it.
  public func isActive(at time: Rational) -> Bool {
    guard live != nil || mix.isPositive(around: time) else { return false }
    if let from, time < from { return false }
    if let to, time >= to { return false }
    return true
  }

  /// Whether the effect may make opaque pixels transparent with the values it was given, as its header says.
  public var makesTransparency: Bool {
    guard live != nil || !mix.isAlways([0]) else { return false }
    switch shader.file.header.transparency {
    case .never: return false
    case .always: return true
    case .whereTranslucent(let input):
      guard let place = shader.file.header.inputs.firstIndex(where: { $0.name == input }) else {
        return false
      }
      let track = values[place]
      return live != nil || !track.formulas.isEmpty
        || track.keyframes.contains { ($0.value.last ?? 1) < 1 }
    }
  }

  /// The times at which the effect may start or stop acting.
  public var changes: [Rational] {
    let fades = live == nil && mix.keyframes.count > 1
    return [from, to].compactMap(\.self) + (fades ? mix.keyframes.map(\.time) : [])
  }

  /// Returns the bindings that the effect adds to a kernel, for textures kept in `storage`.
  public func bindings(_ storage: TextureStorage) -> [BindingKind] {
    let header = shader.file.header
    let kept = header.passes.count { $0.name != nil } + (header.history == nil ? 0 : 1)
    return FusedKernelSource.part(BoundEffect(shader), index: 0, isShared: false, storage: storage)
      .flatMap(\.bindings)
      + Array(repeating: storage == .images ? .sampledImage : .texelBuffer, count: kept)
  }

  /// True if the effect keeps a result for the next frame, which then depends on all frames before it.
  public var keepsResults: Bool {
    shader.glsl.readsOwnResult || shader.file.header.passes.contains(where: \.isPersistent)
  }

  /// Returns the number of earlier input frames that the effect reads.
  public func framesBefore(width: Int, height: Int) -> Int {
    guard shader.file.header.history != nil else { return 0 }
    let plan = try? passPlan(width: width, height: height, storage: .images)
    return plan?.ring.map { $0.layers - 1 } ?? Int(EffectHeader.historyLimits.upperBound)
  }

  /// True if it writes the date or the time of day of a frame.
  public var writesDate: Bool { textInputs.contains(where: \.template.needsDate) }

  /// Makes the textures of its texts for frames of a size in pixels, which show the words from then on.
  ///
  /// `pixelAspect` is the width of a frame's pixels in parts of their height. The textures are to be filled for each frame.
  ///
  /// - Throws: An error for a size that is not allowed, a font that cannot be read, or memory.
  public mutating func makeTexts(
    device: Device, width: Int, height: Int, pixelAspect: Double, slotCount: Int
  ) throws -> [any DrawnTexture] {
    if let subtitles {
      let texture = try SubtitleTexture(
        device: device, script: subtitles, width: width, height: height, pixelAspect: pixelAspect,
        color: color, slotCount: slotCount)
      _ = setImage("words", to: EffectImage(subtitles: texture))
      return [texture]
    }
    let moments = SizingMoments(of: shader, values: values, width: width, height: height)
    return try textInputs.map { text in
      let texture = try TextTexture(
        device: device, text: text, style: try text.style(moments, of: shader.file),
        limit: (width, height), slotCount: slotCount)
      _ = setImage(text.name, to: EffectImage(text: texture))
      return texture
    }
  }

  /// Returns the passes and textures that the effect needs for frames of this size.
  func passPlan(
    width: Int, height: Int, storage: TextureStorage, precision: Texture.Format = .half,
    byte: Texture.Format = .byte
  ) throws(EffectError) -> PassPlan {
    try PassPlan(
      shader, values: values, width: width, height: height, storage: storage, precision: precision,
      byte: byte)
  }

  /// Writes the uniform block for one frame of `width` by `height` pixels.
  ///
  /// The block takes `uniformByteCount` bytes; `pass` describes one of several passes. Allocates
  /// nothing.
  public func writeUniforms(
    _ clock: EffectClock, width: Int, height: Int, pass: PassMoment? = nil,
    into bytes: UnsafeMutableRawBufferPointer
  ) {
    let pass = pass ?? PassMoment(width: width, height: height)
    precondition(bytes.count >= uniformByteCount, "the uniform block does not fit")
    var writer = UniformWriter(layout: layout, bytes: bytes)
    let (time, delta) = (clock.time.doubleValue, clock.timeDelta.doubleValue)
    let (index, rate) = (Double(clock.frameIndex), clock.frameRate.doubleValue)
    let date = clock.date
    // Only the first frame has no frame before it.
    let before = delta > 0 ? clock.time - clock.timeDelta : nil
    writer.append(time)
    writer.append(delta)
    writer.append(index)
    writer.append(Double(pass.index))
    writer.append(Double(pass.width), Double(pass.height))
    writer.append(date.year, date.month, date.day, date.seconds)
    writer.append(rate)
    writer.append((live?.mix ?? mix).part(0, at: clock))
    writer.append(Double(pass.age))
    writer.append(Double(pass.turn))
    writer.append(clock.pixelAspect)
    withUnsafeTemporaryAllocation(of: Double.self, capacity: variableCount) { variables in
      variables.initialize(repeating: 0)
      var next = 0
      func add(_ value: Double) {
        variables[next] = value
        next += 1
      }
      // The order is that of FrameVariables.builtIns.
      add(time)
      add(delta)
      add(index)
      add(Double(pass.index))
      add(rate)
      add(Double(width))
      add(Double(height))
      add(Double(min(width, height)))
      for (place, (value, kind)) in zip(live?.values ?? values, kinds).enumerated()
      where kind.glsl != nil {
        let first = next
        if kind == .event {
          add(value.fires(at: clock, after: before) ? 1 : 0)
        } else if followsTimeline, place == progressInput {
          add(clock.progress.doubleValue)
        } else {
          for part in 0..<kind.partCount { add(value.part(part, at: clock)) }
        }
        writer.append(UnsafeBufferPointer(rebasing: variables[first..<next]))
      }
      for constant in constants {
        let value = constant.expression.evaluate(UnsafeBufferPointer(variables))
        // Later constants see the same value as the shader.
        let kept = constant.type == .int ? Double(Int32(saturating: value)) : value
        add(kept)
        writer.append(kept)
      }
    }
  }
}

extension Int32 {
  /// Takes the whole part, limited to the range of Int32; NaN becomes 0.
  init(saturating value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    self = Int32(Swift.min(Swift.max(value, Double(Int32.min)), Double(Int32.max)))
  }
}

extension EffectInstance {
  /// A file that was read for an effect, or several that one name stands for.
  public struct ReadFile: Sendable {
    public let path: String
    /// The path is text as `-i` accepts it: a URL or a pattern of numbered images too.
    public var isSource = false
    /// What the file is for the effect, in words.
    public let role: String
  }

  /// The effect's own file and all files that it uses.
  public var readFiles: [ReadFile] {
    shader.file.files.map { ReadFile(path: $0.path, role: "the text of effect '\(name)'") }
      + shader.included.map {
        ReadFile(path: $0.path, role: "a text that effect '\(name)' includes")
      }
      + shader.images.map(\.image).filter { !$0.name.isEmpty }
      .map { ReadFile(path: $0.name, isSource: true, role: "an image of effect '\(name)'") }
      + textInputs.compactMap(\.font.path).map {
        ReadFile(path: $0, role: "a font of effect '\(name)'")
      }
  }
}
