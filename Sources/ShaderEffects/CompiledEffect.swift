import Frames
package import ShaderCompiler

/// An effect compiled with the values of its parameters: what the GPU runs, and what it is told
/// for each frame.
///
/// The shader has the uniform block at binding 0 of set 0, the input (sampled) at 1 and the output
/// (rgba16f storage image) at 2; `spirv.localSize` says by what the dispatch is divided.
package struct CompiledEffect: Sendable {
  package let name: String
  package let spirv: SPIRV
  package let uniformByteCount: Int
  /// Sentences about what compiles but looks like a mistake.
  package let warnings: [String]

  let layout: UniformLayout
  private let values: [[Double]]
  private let constants: [EffectHeader.Constant]
  private let variableCount: Int
  private let mix: Double
  private let from: Rational?
  private let to: Rational?

  /// `values` has one value for each input of the file, in its order.
  init(
    _ use: EffectUse, file: EffectFile, values: [[Double]], layout: UniformLayout, spirv: SPIRV,
    warnings: [String]
  ) {
    name = file.name
    self.spirv = spirv
    self.layout = layout
    uniformByteCount = layout.byteCount
    self.warnings = warnings
    self.values = values
    constants = file.header.constants
    variableCount =
      FrameVariables(inputs: file.header.inputs, constants: constants.map(\.name)).count
    (mix, from, to) = (use.mix, use.from, use.to)
  }

  /// Whether the picture goes through the effect at this time, or past it untouched.
  package func isActive(at clock: EffectClock) -> Bool {
    guard mix != 0 else { return false }
    if let from, clock.time < from { return false }
    if let to, clock.time >= to { return false }
    return true
  }

  /// Writes the uniform block of one frame, of at least `uniformByteCount` bytes, for a picture of
  /// `width` by `height` pixels; allocates nothing.
  package func writeUniforms(
    _ clock: EffectClock, width: Int, height: Int, into bytes: UnsafeMutableRawBufferPointer
  ) {
    precondition(bytes.count >= uniformByteCount, "the uniform block does not fit")
    var writer = UniformWriter(layout: layout, bytes: bytes)
    let (time, delta) = (clock.time.doubleValue, clock.timeDelta.doubleValue)
    let (index, rate) = (Double(clock.frameIndex), clock.frameRate.doubleValue)
    let date = clock.date
    writer.append(time)
    writer.append(delta)
    writer.append(index)
    writer.append(0)
    writer.append(Double(width), Double(height))
    writer.append(date.year, date.month, date.day, date.seconds)
    writer.append(rate)
    writer.append(mix)
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
      add(0)
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
