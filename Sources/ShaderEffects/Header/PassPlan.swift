import Frames
import GPU

/// The textures that an effect with passes, earlier frames or its own previous result keeps for frames
/// of one size, and which of them each pass reads and writes.
///
/// A persistent target has two layers: a pass writes one and reads the other. They swap with every
/// frame, and a uniform names them for the shader, so that the bindings never change.
struct PassPlan: Sendable, Equatable {
  struct Target: Sendable, Equatable {
    enum Kind { case pass, persistentPass, ownResult }

    /// The name in the shader.
    let name: String
    let kind: Kind
    let shape: TextureDescriptor
    /// The index of the pass that writes the target.
    let pass: Int

    /// The layer that a pass writes, as a GLSL expression.
    var written: String { kind == .pass ? "0" : "(kf_turn + 1) & 1" }

    /// Returns the layer that a pass reads, as a GLSL expression.
    func read(in reader: Int) -> String {
      kind == .pass ? "0" : reader > pass ? written : "kf_turn & 1"
    }
  }

  /// The size in pixels of the input and output frames.
  let width: Int
  let height: Int
  /// How the textures are stored.
  let storage: TextureStorage
  let passCount: Int
  let targets: [Target]
  /// The last input frames, if the effect reads earlier ones: one layer for each, and one for the
  /// current frame.
  let ring: TextureDescriptor?

  /// The number of frames after which every layer is in its first role again.
  var period: Int { 2 * (ring?.layers ?? 1) }

  /// Computes the plan for `values` of the effect's inputs, in their order; with keyframes, each size
  /// is the largest that occurs.
  ///
  /// `precision` is that of earlier frames and of the effect's own result: that of the textures between kernels;
  /// `byte` is how a pass of 8 bits is kept.
  ///
  /// - Throws: `EffectError` for a size that is not allowed.
  init(
    _ shader: EffectShader, values: [ParameterTrack], width: Int, height: Int,
    storage: TextureStorage, precision: Texture.Format = .half, byte: Texture.Format = .byte
  ) throws(EffectError) {
    (self.width, self.height, self.storage) = (width, height, storage)
    let header = shader.file.header
    passCount = max(header.passes.count, 1)
    let moments = SizingMoments(of: shader, values: values, width: width, height: height)
    var targets: [Target] = []
    for (index, pass) in header.passes.enumerated() {
      guard let name = pass.name else { continue }
      func side(_ formula: Expression?, _ own: Int, _ key: String) throws(EffectError) -> Int {
        guard let formula else { return own }
        let value = moments.largest(formula)
        guard let side = PassTarget.side(value) else {
          throw EffectError(
            file: shader.file.path,
            "the \(key) of '\(name)' is \(value.plainText) for a frame of "
              + "\(width)x\(height); it must be from 1 to \(PassTarget.sides.upperBound)")
        }
        return side
      }
      let shape = TextureDescriptor(
        width: try side(pass.width, width, "WIDTH"),
        height: try side(pass.height, height, "HEIGHT"), layers: pass.isPersistent ? 2 : 1,
        format: pass.isFloat ? .float : pass.isHalf ? .half : byte, storage: storage)
      targets.append(
        Target(
          name: name, kind: pass.isPersistent ? .persistentPass : .pass, shape: shape, pass: index))
    }
    if shader.glsl.readsOwnResult {
      targets.append(
        Target(
          name: "previous", kind: .ownResult,
          shape: TextureDescriptor(
            width: width, height: height, layers: 2, format: precision, storage: storage),
          pass: passCount - 1))
    }
    self.targets = targets
    ring = header.history.map { formula in
      let limits = EffectHeader.historyLimits
      let count = min(
        max(Int32(saturating: moments.largest(formula)), limits.lowerBound), limits.upperBound)
      return TextureDescriptor(
        width: width, height: height, layers: Int(count) + 1, format: precision, storage: storage)
    }
  }

  /// Returns the target of a pass; nil for the pass that makes the effect's result.
  func target(of pass: Int) -> Target? {
    pass == passCount - 1 ? nil : targets.first { $0.pass == pass }
  }

  /// The targets that the last pass writes besides the effect's result.
  var kept: [Target] { targets.filter { $0.pass == passCount - 1 } }

  /// Returns the size in pixels of what a pass writes.
  func size(of pass: Int) -> (width: Int, height: Int) {
    target(of: pass).map { ($0.shape.width, $0.shape.height) } ?? (width, height)
  }
}

/// The values of an effect's inputs at the times that matter for sizes, which are decided before the first frame.
struct SizingMoments {
  /// For each time, the variables of a formula: the frame's size, and the components of the inputs.
  private let variables: [[Double]]
  /// In pixels.
  let frameWidth: Double

  init(of shader: EffectShader, values: [ParameterTrack], width: Int, height: Int) {
    frameWidth = Double(width)
    variables = Self.times(of: shader, values: values).map { time in
      [Double(width), Double(height), Double(min(width, height))]
        + values.flatMap { track in
          track.keyframes[0].value.indices.map { track.part($0, at: time) }
        }
    }
  }

  /// Returns the largest value of a formula; NaN if it is NaN at any time, which is a mistake.
  func largest(_ formula: Expression) -> Double {
    let sizes = variables.map { formula.evaluate($0) }
    return sizes.first(where: \.isNaN) ?? sizes.max() ?? .nan
  }

  /// Returns the times at which sizes are evaluated: the keyframes of the inputs that a size uses, and
  /// times between two of them, because a formula may have its largest value anywhere.
  private static func times(of shader: EffectShader, values: [ParameterTrack]) -> [Rational] {
    let header = shader.file.header
    let used = header.sizingInputs
    let times = zip(header.inputs, values).filter { used.contains($0.0.name) }
      .flatMap { $0.1.keyframes.map(\.time) }
    let ordered = Set(times).sorted()
    let places: Int64 = 64
    let between = zip(ordered, ordered.dropFirst()).flatMap { from, to in
      (1..<places).map { from + (to - from) * Rational($0, places) }
    }
    return ordered.isEmpty ? [.zero] : ordered + between
  }
}
