import Frames

/// How a kernel writes its colours: one resource and, for kernels without a `main` of their own, the
/// `main` that calls `vec4 kf_color(ivec2 p)` for each pixel.
public struct PixelStore {
  /// The GLSL after the definition of `kf_color`, and the number of its invocations for a frame.
  struct Main {
    /// Invocations for one frame.
    let invocations: (width: Int, height: Int)
    var group = WorkGroup.square
    let glsl: String
  }

  let main: Main
  /// A `main` that makes several pixels of a row in one invocation, where that is faster; variables of an effect keep
  /// their values from one pixel to the next.
  var wideMain: Main?
  /// A `main` that sets `vec4 kf_own`, the colour that the kernel reads for a pixel, before it calls `kf_color`, and reads
  /// it with `kf_four`.
  var mainByFours: Main?
  /// A short name for messages.
  public let name: String
  /// Declares the resource, and `void kf_store(ivec2 p, vec4 color)` if any pixel may be written at any
  /// time.
  public let fragment: KernelFragment
  /// The texture that is written; nil for a result that is passed when a frame is recorded, and in a
  /// kernel that never runs.
  let texture: Texture?
}
