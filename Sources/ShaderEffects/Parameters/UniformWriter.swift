/// Fills a uniform block field by field, in the order of its layout.
struct UniformWriter {
  let layout: UniformLayout
  let bytes: UnsafeMutableRawBufferPointer
  private var index = 0

  init(layout: UniformLayout, bytes: UnsafeMutableRawBufferPointer) {
    self.layout = layout
    self.bytes = bytes
  }

  /// Writes the next field, whose type has one component.
  mutating func append(_ value: Double) {
    put(value, part: 0)
    index += 1
  }

  mutating func append(_ x: Double, _ y: Double) {
    put(x, part: 0)
    put(y, part: 1)
    index += 1
  }

  mutating func append(_ x: Double, _ y: Double, _ z: Double, _ w: Double) {
    put(x, part: 0)
    put(y, part: 1)
    put(z, part: 2)
    put(w, part: 3)
    index += 1
  }

  mutating func append(_ parts: UnsafeBufferPointer<Double>) {
    for (part, value) in parts.enumerated() { put(value, part: part) }
    index += 1
  }

  private func put(_ value: Double, part: Int) {
    let field = layout.fields[index]
    let offset = field.offset + 4 * part
    switch field.type {
    case .int: bytes.storeBytes(of: Int32(saturating: value), toByteOffset: offset, as: Int32.self)
    case .bool: bytes.storeBytes(of: value != 0 ? 1 : 0, toByteOffset: offset, as: UInt32.self)
    case .float, .vec2, .vec4:
      bytes.storeBytes(of: Float(value), toByteOffset: offset, as: Float.self)
    }
  }
}
