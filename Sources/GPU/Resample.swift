import Frames
package import ShaderCompiler

/// Brings the picture to its size on the canvas: a Catmull-Rom filter, widened when it shrinks so
/// that nothing aliases, across and then down.
///
/// It works on the coded values, as video scalers by convention do, with colours weighted by alpha.
/// Where a length stays the same there is no pass.
package final class Resample {
  private let passes: [Pass]
  private let slots: [[Slot]]

  private struct Pass {
    let width: Int
    let height: Int
  }

  private struct Slot {
    let image: Image
    let bindings: BindingSet
  }

  /// Makes the passes from the upright source to the geometry's picture; nil where none is needed.
  package init?(
    device: Device, compiler: ShaderCompiler, sourceWidth: Int, sourceHeight: Int,
    geometry: PictureGeometry, slotCount: Int
  ) throws {
    let across = ResampleWeights(
      from: geometry.sourceX, length: geometry.sourceWidth, count: geometry.width)
    let down = ResampleWeights(
      from: geometry.sourceY, length: geometry.sourceHeight, count: geometry.height)
    var passes: [(Pass, ResampleWeights, axis: Int)] = []
    if !across.isIdentity(sourceLength: sourceWidth) {
      passes.append((Pass(width: geometry.width, height: sourceHeight), across, 0))
    }
    if !down.isIdentity(sourceLength: sourceHeight) {
      passes.append((Pass(width: geometry.width, height: geometry.height), down, 1))
    }
    guard !passes.isEmpty else { return nil }
    self.passes = passes.map { $0.0 }
    var slots = [[Slot]](repeating: [], count: slotCount)
    for (index, (pass, weights, axis)) in passes.enumerated() {
      let kernel = try ComputeKernel(
        device: device,
        spirv: compiler.compile(
          source: Resample.source(
            pass, taps: weights.taps, axis: axis, isFirst: index == 0,
            isLast: index == passes.count - 1), name: "resample"),
        bindings: [.sampledImage, .storageImage, .storageBuffer])
      let table = try Buffer(
        device: device, byteCount: weights.table.count * 4, use: .upload)
      weights.table.withUnsafeBytes { table.bytes.copyBytes(from: $0) }
      for slot in slots.indices {
        let image = try Image(
          device: device, width: pass.width, height: pass.height, format: .rgba16Float)
        slots[slot].append(
          Slot(
            image: image,
            bindings: try BindingSet(kernel: kernel, [nil, .image(image), .buffer(table)])))
      }
    }
    self.slots = slots
  }

  /// Records the passes; the commands after may read the picture.
  package func record(slot: Int, picture: Image, into commands: Commands) -> Image {
    var picture = picture
    for (pass, step) in zip(passes, slots[slot]) {
      commands.makeReady(step.image)
      step.bindings.bind(.image(picture), at: 0)
      commands.dispatch(step.bindings, width: pass.width, height: pass.height)
      commands.dispatchBeforeDispatch()
      picture = step.image
    }
    return picture
  }

  /// The filter's negative weights leave sums of a few thousandths, of either sign, beside what is
  /// opaque: their colours would be noise, or infinite.
  private static let undoWeighting = """
    sum.rgb = sum.a > 1.0 / 512.0 ? sum.rgb / sum.a : vec3(0);
        sum.a = clamp(sum.a, 0.0, 1.0);
    """

  private static func source(
    _ pass: Pass, taps: Int, axis: Int, isFirst: Bool, isLast: Bool
  ) -> String {
    let side = ComputeKernel.groupSide
    let coordinate = axis == 0 ? "ivec2(first + t, pixel.y)" : "ivec2(pixel.x, first + t)"
    return """
      #version 450
      layout(local_size_x = \(side), local_size_y = \(side)) in;
      layout(set = 0, binding = 0) uniform sampler2D source;
      layout(set = 0, binding = 1, rgba16f) uniform writeonly image2D result;
      layout(set = 0, binding = 2, std430) readonly buffer Weights { uint table[]; };
      void main() {
        ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
        if (pixel.x >= \(pass.width) || pixel.y >= \(pass.height)) return;
        ivec2 last = textureSize(source, 0) - 1;
        uint row = uint(pixel[\(axis)]) * \(taps + 1);
        int first = int(table[row]);
        vec4 sum = vec4(0);
        for (int t = 0; t < \(taps); t++) {
          vec4 v = texelFetch(source, clamp(\(coordinate), ivec2(0), last), 0);
          \(isFirst ? "v.rgb *= v.a;" : "")
          sum += v * uintBitsToFloat(table[row + 1 + t]);
        }
        \(isLast ? Resample.undoWeighting : "")
        imageStore(result, pixel, sum);
      }
      """
  }
}
