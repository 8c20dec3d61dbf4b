import GPU

/// What an effect with passes, earlier frames or its own frame before needs for pictures of one
/// size: the pictures that it keeps, and which of them each pass reads and writes.
///
/// A persistent picture is two: a pass writes one and reads the other. Which is which turns with
/// every frame and is told to the shader, so that what is bound never changes.
struct PassPlan: Sendable, Equatable {
  struct Target: Sendable, Equatable {
    enum Kind { case pass, persistentPass, ownResult }

    /// As the shader calls it.
    let name: String
    let kind: Kind
    let shape: PictureShape
    /// The pass that writes it.
    let pass: Int

    /// Which of its pictures a pass writes, in GLSL.
    var written: String { kind == .pass ? "0" : "(kf_turn + 1) & 1" }

    /// Which of its pictures a pass reads, in GLSL.
    func read(in reader: Int) -> String {
      kind == .pass ? "0" : reader > pass ? written : "kf_turn & 1"
    }
  }

  /// Of the picture that goes in and comes out.
  let width: Int
  let height: Int
  /// What its pictures are kept in.
  let storage: PictureStorage
  let passCount: Int
  let targets: [Target]
  /// The input's last frames, where the effect reads earlier ones: as many and the present one.
  let ring: PictureShape?

  /// After so many frames every kept picture is in its first place again.
  var period: Int { 2 * (ring?.layers ?? 1) }

  /// Works it out for `values` of the effect's inputs, in their order.
  ///
  /// - Throws: What is wrong with a size.
  init(
    _ shader: EffectShader, values: [ValueTrack], width: Int, height: Int, storage: PictureStorage
  ) throws(EffectError) {
    (self.width, self.height, self.storage) = (width, height, storage)
    let header = shader.file.header
    passCount = max(header.passes.count, 1)
    let formulas =
      header.passes.flatMap { [$0.width, $0.height] } + [header.history]
    let used = Set(formulas.flatMap { $0?.names ?? [] }.map { String($0.prefix { $0 != "." }) })
    for (input, value) in zip(header.inputs, values)
    where value.keyframes.count > 1 && used.contains(input.name) {
      throw EffectError.usage(
        "effect '\(shader.file.name)': \(input.name) decides how large its pictures are or how many "
          + "it keeps, so it cannot have keyframes; give one value")
    }
    let variables = [Double(width), Double(height)] + values.flatMap { $0.keyframes[0].value }
    var targets: [Target] = []
    for (index, pass) in header.passes.enumerated() {
      guard let name = pass.name else { continue }
      func side(_ formula: Expression?, _ own: Int, _ key: String) throws(EffectError) -> Int {
        guard let formula else { return own }
        let value = formula.evaluate(variables)
        guard let side = EffectTarget.side(value) else {
          throw EffectError(
            file: shader.file.path,
            "the \(key) of '\(name)' is \(value.plainText) for a picture of "
              + "\(width)x\(height); it must be from 1 to \(EffectTarget.sides.upperBound)")
        }
        return side
      }
      let shape = PictureShape(
        width: try side(pass.width, width, "WIDTH"),
        height: try side(pass.height, height, "HEIGHT"), layers: pass.isPersistent ? 2 : 1,
        format: pass.isFloat ? .float : .byte, storage: storage)
      targets.append(
        Target(
          name: name, kind: pass.isPersistent ? .persistentPass : .pass, shape: shape, pass: index))
    }
    if shader.readsOwnResult {
      targets.append(
        Target(
          name: "previous", kind: .ownResult,
          shape: PictureShape(width: width, height: height, layers: 2, storage: storage),
          pass: passCount - 1))
    }
    self.targets = targets
    ring = header.history.map { formula in
      let limits = EffectHeader.historyLimits
      let count = min(
        max(Int32(saturating: formula.evaluate(variables)), limits.lowerBound), limits.upperBound)
      return PictureShape(
        width: width, height: height, layers: Int(count) + 1, storage: storage)
    }
  }

  /// What a pass makes; nil for the effect's result.
  func target(of pass: Int) -> Target? {
    pass == passCount - 1 ? nil : targets.first { $0.pass == pass }
  }

  /// What the last pass writes besides the effect's result.
  var kept: [Target] { targets.filter { $0.pass == passCount - 1 } }

  /// The size of what a pass makes.
  func size(of pass: Int) -> (width: Int, height: Int) {
    target(of: pass).map { ($0.shape.width, $0.shape.height) } ?? (width, height)
  }
}
