package import Frames
import GPU

/// An effect that compiles, with the values of its parameters: what kernels are made of, and what
/// they are told for each frame.
package struct CompiledEffect: Sendable {
  package let name: String
  package let uniformByteCount: Int
  /// Sentences about what compiles but looks like a mistake.
  package let warnings: [String]
  /// What decides in which kernel it runs.
  package var traits: EffectTraits { shader.traits }

  let shader: EffectShader
  var layout: UniformLayout { shader.layout }
  private let values: [[Double]]
  private let constants: [EffectHeader.Constant]
  private let variableCount: Int
  private let mix: Double
  private let from: Rational?
  private let to: Rational?

  /// `values` has one value for each input of the file, in its order.
  init(
    _ use: EffectUse, shader: EffectShader, values: [[Double]], warnings: [String]
  ) {
    let file = shader.file
    name = file.name
    self.shader = shader
    uniformByteCount = shader.layout.byteCount
    self.warnings = warnings
    self.values = values
    constants = file.header.constants
    variableCount =
      FrameVariables(inputs: file.header.inputs, constants: constants.map(\.name)).count
    (mix, from, to) = (use.mix, use.from, use.to)
  }

  /// Whether the picture goes through the effect at this time, or past it untouched.
  package func isActive(at clock: EffectClock) -> Bool {
    isActive(at: clock.time)
  }

  package func isActive(at time: Rational) -> Bool {
    guard mix != 0 else { return false }
    if let from, time < from { return false }
    if let to, time >= to { return false }
    return true
  }

  /// The times at which it begins or ends to act.
  package var changes: [Rational] { [from, to].compactMap(\.self) }

  /// What it needs to act on pictures of a size.
  func passPlan(
    width: Int, height: Int, storage: PictureStorage
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
    writer.append(time)
    writer.append(delta)
    writer.append(index)
    writer.append(Double(pass.index))
    writer.append(Double(pass.width), Double(pass.height))
    writer.append(date.year, date.month, date.day, date.seconds)
    writer.append(rate)
    writer.append(mix)
    writer.append(Double(pass.age))
    writer.append(Double(pass.turn))
    for value in values { writer.append(value) }
    guard !constants.isEmpty else { return }

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
      for value in values { for part in value { add(part) } }
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
