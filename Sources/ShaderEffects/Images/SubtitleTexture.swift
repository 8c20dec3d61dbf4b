public import Frames
import GPU
public import ShaderCompiler
import Text

/// A texture with the subtitles of a frame: colours times opacity, and opacity.
///
/// It has as many pixels as the frame. The rectangle in which something is shown begins at its first one, and the row
/// after them tells where in the frame it lies: a texel with its left and its upper edge, and one with its size.
final class SubtitleTexture: DrawnTexture, @unchecked Sendable {
  // @unchecked: the thread that records commands alone calls `fill`, while the slot's frame is not on the GPU.
  let shape: TextureDescriptor
  let slots: [MappedTexture]
  /// The `version` that each slot shows; -1 while nothing was written, for memory is not cleared.
  private var shown: [Int]
  private let painter: SubtitlePainter
  private let color: ColorDescription
  /// What was drawn last: its rectangle, and its number from 1.
  private var area = SubtitlePainter.Area()
  private var version = 0
  private var texels: [UInt8]

  /// Makes textures for frames of a size in pixels, whose width in parts of their height is `pixelAspect`.
  ///
  /// - Throws: `TextError` if the libraries fail, `VulkanError` if memory is short.
  init(
    device: Device, script: SubtitleScript, width: Int, height: Int, pixelAspect: Double,
    color: ColorDescription, slotCount: Int
  ) throws {
    self.color = color
    painter = try SubtitlePainter(script, width: width, height: height, pixelAspect: pixelAspect)
    // The row after the frame needs two pixels.
    let stride = max(width, 2)
    texels = Array(repeating: 0, count: 4 * stride * height)
    shape = TextureDescriptor(written: stride, height + 1, format: .byte, on: device)
    slots = try shape.mapped(on: device, slotCount: slotCount)
    shown = slots.map { _ in -1 }
  }

  func fill(slot: Int, _ clock: EffectClock) {
    let time = ((clock.inputTime ?? clock.time) * Rational(1000)).floor
    let drawn = texels.withUnsafeMutableBytes { texels in
      painter.draw(at: time, into: texels) { color.coded(graphics: $0) }
    }
    if let drawn { (area, version) = (drawn, version + 1) }
    guard shown[slot] != version else { return }
    let bytes = slots[slot].buffer.bytes
    texels.withUnsafeBytes {
      bytes.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: $0[..<(4 * area.width * area.height)]))
    }
    let place = 4 * shape.width * (shape.height - 1)
    func store(_ first: Int, _ second: Int, at offset: Int) {
      let code = UInt32(first) | UInt32(second) << 16
      bytes.storeBytes(of: code.littleEndian, toByteOffset: place + offset, as: UInt32.self)
    }
    store(area.x, area.y, at: 0)
    store(area.width, area.height, at: 4)
    shown[slot] = version
  }
}

extension EffectLibrary {
  /// Returns the effect that puts subtitles over frames; its texture is made with the pipeline.
  public static func subtitles(
    _ script: SubtitleScript, with compiler: ShaderCompiler
  ) throws(EffectError) -> EffectInstance {
    let file = try EffectFile(path: "subtitles.comp", source: subtitleSource)
    var effect = try EffectLibrary(folders: []).compile(
      EffectSpec(name: file.name), file, with: compiler)
    effect.subtitles = script
    return effect
  }

  /// Reads the rectangle row after row of its own width.
  private static let subtitleSource = """
    /*{
      "DESCRIPTION": "Puts subtitles over the frame.",
      "INPUTS": [{"NAME": "words", "TYPE": "image", "DESCRIPTION": "The words, and where they lie"}]
    }*/

    ivec2 subtitleCode(int x) {
      ivec4 code = ivec4(wordsPixel(ivec2(x, wordsSize().y - 1)) * 255.0 + 0.5);
      return ivec2(code.r | code.g << 8, code.b | code.a << 8);
    }

    vec4 effect(vec2 uv) {
      vec4 pixel = framePixel();
      ivec2 size = subtitleCode(1), here = ivec2(PIXEL) - subtitleCode(0);
      if (any(lessThan(here, ivec2(0))) || any(greaterThanEqual(here, size))) return pixel;
      int place = here.y * size.x + here.x, width = wordsSize().x;
      vec4 front = wordsPixel(ivec2(place % width, place / width));
      float alpha = 1 - (1 - front.a) * (1 - pixel.a);
      return vec4((front.rgb + pixel.rgb * (pixel.a * (1 - front.a))) / max(alpha, 1e-6), alpha);
    }
    """
}
