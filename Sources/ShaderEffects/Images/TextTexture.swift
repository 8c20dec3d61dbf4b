import GPU
import Text

/// A texture that the CPU draws words into when they change: red is how much of a pixel letters cover, green how much
/// letters with their outline do.
///
/// Each frame in flight has its own copy. A row after the pixels tells how many of them the words take.
final class TextTexture: DrawnTexture, @unchecked Sendable {
  // @unchecked: the thread that records commands alone calls `fill`, while the slot's frame is not on the GPU.
  let shape: TextureDescriptor
  let slots: [MappedTexture]
  /// The words that each slot shows.
  private var shown: [String?]
  private let template: TextTemplate
  private let painter: TextPainter
  private let room: TextExtent
  /// The words that `texels` has, and their extent.
  private var drawn: (text: String, extent: TextExtent)?
  private var texels: [UInt8]

  /// Makes textures that are large enough for the words, and not larger than the frame, whose size in pixels is the limit.
  ///
  /// - Throws: `TextError` if the libraries fail, `VulkanError` if memory is short.
  init(
    device: Device, text: TextInput, style: TextStyle, limit: (width: Int, height: Int),
    slotCount: Int
  ) throws {
    template = text.template
    painter = try TextPainter(style, height: limit.height)
    let longest = painter.draw(text.template.longest)
    // Words that change may need a line more, and a wider part of the line.
    let spare = text.template.isConstant ? 0 : Int(style.size)
    room = TextExtent(
      width: max(text.template.isConstant ? longest.width : style.width + 4 * spare, 2),
      // The words alone may be as high as the frame.
      height: max(min(longest.height + spare, limit.height + 2 * style.margin), 1))
    texels = Array(repeating: 0, count: 4 * room.width * room.height)
    shape = TextureDescriptor(written: room.width, room.height + 1, format: .byte, on: device)
    slots = try shape.mapped(on: device, slotCount: slotCount)
    shown = slots.map { _ in nil }
  }

  /// Returns the shape of a texture; any will do for a kernel that never runs.
  static func shape(of text: TextTexture?) -> TextureDescriptor {
    text?.shape ?? TextureDescriptor(width: 2, height: 2, format: .byte, storage: .buffers)
  }

  /// Shows the words of a frame in its slot; does nothing if the slot shows them already.
  func fill(slot: Int, _ clock: EffectClock) {
    let text = template.text(at: clock)
    guard shown[slot] != text else { return }
    if drawn?.text != text {
      let extent = texels.withUnsafeMutableBytes { painter.draw(text, into: $0, room: room) }
      drawn = (text, extent)
    }
    guard let extent = drawn?.extent else { return }
    let bytes = slots[slot].buffer.bytes
    let count = 4 * room.width * extent.height
    texels.withUnsafeBytes {
      bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
    let code = UInt32(extent.width) | UInt32(extent.height) << 16
    bytes.storeBytes(
      of: code.littleEndian, toByteOffset: 4 * room.width * room.height, as: UInt32.self)
    shown[slot] = text
  }

  /// Returns the name of the function that gives the height of a line in the texture's pixels.
  static func lineName(_ name: String) -> String { name + "Line" }

  /// Returns the functions that read a text: those of an image, with the size that the words take, and the height of
  /// a line.
  ///
  /// The function `read` reads a texel. `pixel` is GLSL for the colour at `p` in a text of `size` pixels.
  static func glsl(
    _ name: String, read: String, of text: TextTexture?, pixel: String
  ) -> String {
    let row = Self.shape(of: text).height - 1
    return """
      ivec2 \(read)_size() {
        ivec4 code = ivec4(\(read)(0, ivec2(0, \(row))) * 255.0 + 0.5);
        return ivec2(code.r | code.g << 8, code.b | code.a << 8);
      }
      float \(lineName(name))() { return float(\(text?.painter.style.size ?? 1)); }
      \(ImageReading.glsl(name, size: "\(read)_size()", pixel: pixel))
      """
  }
}
