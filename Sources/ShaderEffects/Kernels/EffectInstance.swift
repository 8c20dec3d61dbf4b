package import Frames
package import GPU
package import ShaderCompiler

/// An effect that compiles, with the values of its parameters: what kernels are made of, and what
/// they are told for each frame.
package struct EffectInstance: Sendable {
  package let name: String
  package let uniformByteCount: Int
  /// Warnings of what compiles but looks like a mistake.
  package let diagnostics: [Diagnostic]
  /// The same as sentences.
  package var warnings: [String] { diagnostics.map(\.withoutSeverity) }
  /// Image inputs that were given no picture and need one.
  package let missingImages: [String]
  /// Of those the ones without which it makes nothing: `"OPTIONAL": false`.
  package var neededImages: [String] {
    let required = shader.file.header.inputs.filter(\.isRequired).map(\.name)
    return missingImages.filter(required.contains)
  }
  /// Its header says that it does nothing with its defaults.
  package let isNeutralByDefault: Bool
  /// It leads from one clip to the next.
  package var isTransition: Bool { shader.file.role == .transition }
  /// The image input that shows the clip that a transition leads to; nil for any other effect.
  package var nextImage: String? { isTransition ? EffectInput.nextImageName : nil }
  /// What decides in which kernel it runs.
  package var traits: EffectTraits { shader.traits }

  private(set) var shader: EffectShader
  var layout: UniformLayout { shader.layout }
  private let values: [ParameterTrack]
  /// The place among the inputs of a transition's progress, where nobody gave that a value.
  private let progressInput: Int?
  /// The timeline says how far the transition is.
  private var followsTimeline = false
  private let kinds: [EffectInput.Kind]
  private let constants: [EffectHeader.Constant]
  private let variableCount: Int
  private let mix: ParameterTrack
  private let from: Rational?
  private let to: Rational?

  /// `values` has one track for each input of the file, in its order.
  init(
    _ use: EffectSpec, shader: EffectShader, values: [ParameterTrack],
    diagnostics: [Diagnostic], missingImages: [String] = []
  ) {
    let file = shader.file
    name = file.name
    self.shader = shader
    uniformByteCount = shader.layout.byteCount
    self.diagnostics = diagnostics
    self.missingImages = missingImages
    isNeutralByDefault = file.header.isNeutralByDefault
    self.values = values
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

  /// The sound that it wants to see.
  package var audioInputs: [AudioInput] {
    shader.file.header.inputs.filter { $0.imageRole == .sound }.map(AudioInput.init)
  }

  /// The image inputs that were given what moves, with the words that name it.
  package var films: [(input: String, words: String)] {
    let inputs = Set(shader.file.header.inputs.map(\.name))
    return shader.images.compactMap { use in
      use.image.film.flatMap { inputs.contains(use.name) ? (use.name, $0) : nil }
    }
  }

  /// Gives an image input another picture, before kernels are made of the effect; false where it has
  /// no image of the name.
  package mutating func setImage(_ name: String, to image: EffectImage) -> Bool {
    guard let index = shader.images.firstIndex(where: { $0.name == name }) else { return false }
    shader.images[index].image = image
    return true
  }

  /// Lets the clock say how far a transition is, before kernels are made of it; a value that was given
  /// stays.
  package mutating func followTimeline() { followsTimeline = true }

  /// Whether the picture goes through the effect at this time, or past it untouched.
  package func isActive(at clock: EffectClock) -> Bool {
    isActive(at: clock.time)
  }

  /// Where `mix` has keyframes it acts also at the one moment in which it goes from 0 or comes to it.
  package func isActive(at time: Rational) -> Bool {
    guard mix.isPositive(around: time) else { return false }
    if let from, time < from { return false }
    if let to, time >= to { return false }
    return true
  }

  /// The times at which it begins or ends to act.
  package var changes: [Rational] {
    [from, to].compactMap(\.self) + (mix.keyframes.count > 1 ? mix.keyframes.map(\.time) : [])
  }

  /// What it adds to the bindings of a kernel, where pictures are kept in `storage`.
  package func bindings(_ storage: TextureStorage) -> [BindingKind] {
    FusedKernelSource.part(BoundEffect(shader), index: 0, isShared: false, storage: storage)
      .flatMap(\.bindings)
  }

  /// What it needs to act on pictures of a size.
  func passPlan(
    width: Int, height: Int, storage: TextureStorage
  ) throws(EffectError) -> PassPlan {
    try PassPlan(shader, values: values, width: width, height: height, storage: storage)
  }

  /// Writes the uniform block of one frame, for a picture of `width` by `height` pixels.
  ///
  /// The block takes `uniformByteCount` bytes; `pass` tells it of one of several. Allocates nothing.
  package func writeUniforms(
    _ clock: EffectClock, width: Int, height: Int, pass: PassMoment? = nil,
    into bytes: UnsafeMutableRawBufferPointer
  ) {
    let pass = pass ?? PassMoment(width: width, height: height)
    precondition(bytes.count >= uniformByteCount, "the uniform block does not fit")
    var writer = UniformWriter(layout: layout, bytes: bytes)
    let (time, delta) = (clock.time.doubleValue, clock.timeDelta.doubleValue)
    let (index, rate) = (Double(clock.frameIndex), clock.frameRate.doubleValue)
    let date = clock.date
    // Only the first frame has none before it.
    let before = delta > 0 ? clock.time - clock.timeDelta : nil
    writer.append(time)
    writer.append(delta)
    writer.append(index)
    writer.append(Double(pass.index))
    writer.append(Double(pass.width), Double(pass.height))
    writer.append(date.year, date.month, date.day, date.seconds)
    writer.append(rate)
    writer.append(mix.part(0, at: clock.time))
    writer.append(Double(pass.age))
    writer.append(Double(pass.turn))
    withUnsafeTemporaryAllocation(of: Double.self, capacity: variableCount) { variables in
      variables.initialize(repeating: 0)
      var next = 0
      func add(_ value: Double) {
        variables[next] = value
        next += 1
      }
      // In the order of FrameVariables.builtIns.
      add(time)
      add(delta)
      add(index)
      add(Double(pass.index))
      add(rate)
      add(Double(width))
      add(Double(height))
      for (place, (value, kind)) in zip(values, kinds).enumerated() where kind.glsl != nil {
        let first = next
        if kind == .event {
          add(value.fires(at: clock.time, after: before) ? 1 : 0)
        } else if followsTimeline, place == progressInput {
          add(clock.progress.doubleValue)
        } else {
          for part in 0..<kind.partCount { add(value.part(part, at: clock.time)) }
        }
        writer.append(UnsafeBufferPointer(rebasing: variables[first..<next]))
      }
      for constant in constants {
        let value = constant.expression.evaluate(UnsafeBufferPointer(variables))
        // What the shader sees is what later constants see.
        let kept = constant.type == .int ? Double(Int32(saturating: value)) : value
        add(kept)
        writer.append(kept)
      }
    }
  }
}

extension Int32 {
  /// The whole part; what does not fit becomes the nearest that does, and what is no number 0.
  init(saturating value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    self = Int32(Swift.min(Swift.max(value, Double(Int32.min)), Double(Int32.max)))
  }
}
