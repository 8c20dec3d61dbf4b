/// The properties of a texture, which define the GLSL that reads and writes it.
public struct TextureDescriptor: Sendable, Equatable {
  public let width: Int
  public let height: Int
  /// Number of textures of this size; layer indexes start at 0.
  public let layers: Int
  public let format: Texture.Format
  public let storage: TextureStorage
  /// Whether kernels read a buffer by its words and not as texels, of which a device may allow few.
  private(set) var isInWords = false

  public init(
    width: Int, height: Int, layers: Int = 1, format: Texture.Format = .half,
    storage: TextureStorage
  ) {
    self.width = width
    self.height = height
    self.layers = layers
    self.format = format
    self.storage = storage
  }

  /// Makes the shape of a texture that the CPU writes and kernels only read.
  public init(written width: Int, _ height: Int, format: Texture.Format, on device: Device) {
    self.init(width: width, height: height, format: format, storage: .buffers)
    isInWords = width * height > device.facts.maxTexels
  }

  /// GLSL for `vec4 NAME(int layer, ivec2 p)`, which reads a pixel inside the texture.
  public func reading(_ name: String, from bound: KernelResource.Bound) -> KernelFragment {
    if isInWords {
      return KernelFragment(
        "vec4 \(name)(int layer, ivec2 p) { int i = \(texel); return \(format.fromWords(name + "_texels")); }",
        resources: [
          KernelResource(
            .storageBuffer, "readonly buffer \(name)_Words { uint \(name)_texels[]; }",
            qualifier: "std430", bound: bound)
        ])
    }
    let (kind, type, place): (BindingKind, String, String) =
      switch storage {
      case .images:
        layers > 1
          ? (.sampledImage, "sampler2DArray", "ivec3(p, layer), 0")
          : (.sampledImage, "sampler2D", "p, 0")
      case .buffers: (.texelBuffer, "textureBuffer", texel)
      }
    return KernelFragment(
      "vec4 \(name)(int layer, ivec2 p) { return texelFetch(\(name)_texels, \(place)); }",
      resources: [KernelResource(kind, "uniform \(type) \(name)_texels", bound: bound)])
  }

  /// GLSL for `void NAME(int layer, ivec2 p, vec4 color)`, which writes a pixel inside the texture.
  public func writing(_ name: String, to bound: KernelResource.Bound) -> KernelFragment {
    let (kind, type, place): (BindingKind, String, String) =
      switch storage {
      case .images:
        layers > 1
          ? (.storageImage, "image2DArray", "ivec3(p, layer)") : (.storageImage, "image2D", "p")
      case .buffers: (.storageTexelBuffer, "imageBuffer", texel)
      }
    return KernelFragment(
      """
      void \(name)(int layer, ivec2 p, vec4 color) {
        imageStore(\(name)_texels, \(place), \(format.stored("color")));
      }
      """,
      resources: [
        KernelResource(
          kind, "uniform writeonly \(type) \(name)_texels", qualifier: format.qualifier,
          bound: bound)
      ])
  }

  /// GLSL for a texel's index in a buffer.
  private var texel: String {
    let inLayer = "p.y * \(width) + p.x"
    return layers > 1 ? "layer * \(width * height) + \(inLayer)" : inLayer
  }

  /// Reads a texture of this shape that does not exist yet.
  public var reader: PixelLoad { reader(from: .nothing) }

  /// Writes a texture of this shape that does not exist yet.
  public var writer: PixelStore { writer(to: nil) }

  /// Reads a texture as a kernel's input; if it has several layers, the kernel defines
  /// `int kf_readLayer()`, which selects one.
  func reader(from bound: KernelResource.Bound) -> PixelLoad {
    var fragment = reading("kf_picture", from: bound)
    fragment.name = "texture"
    fragment.glsl += """

      \(layers > 1 ? "int kf_readLayer();" : "")
      vec4 kf_read(ivec2 p) { return kf_picture(\(layers > 1 ? "kf_readLayer()" : "0"), p); }
      """
    return PixelLoad(
      width: width, height: height, isExpensive: false, name: "texture", fragment: fragment)
  }

  /// Writes a texture; if it has several layers, the kernel defines `int kf_resultLayer()`, which selects one.
  func writer(to texture: Texture?) -> PixelStore {
    var fragment = writing("kf_result", to: texture.map { .always($0.resource) } ?? .nothing)
    fragment.name = "texture"
    fragment.glsl += """

      \(layers > 1 ? "int kf_resultLayer();" : "")
      void kf_store(ivec2 p, vec4 color) {
        kf_result(\(layers > 1 ? "kf_resultLayer()" : "0"), p, color);
      }
      """
    return PixelStore(
      main: main, wideMain: storage == .buffers ? wideMain : nil, name: "texture",
      fragment: fragment, texture: texture)
  }

  private var main: PixelStore.Main {
    PixelStore.Main(
      invocations: (width, height),
      glsl: """
        void main() {
          ivec2 p = ivec2(gl_GlobalInvocationID.xy);
          if (p.x < \(width) && p.y < \(height)) kf_store(p, kf_color(p));
        }
        """)
  }

  /// Pixels of a row that one invocation makes on the software driver.
  private static let run = 4

  /// Makes a few pixels of a row in one invocation, for the software driver.
  ///
  /// There an invocation costs time even if it does nothing, 1.1 core-milliseconds for all pixels of 1280x720, and
  /// neighbours read many of the same pixels, which the driver then reads once: nine reads around a pixel
  /// took 8.1 core-milliseconds with one pixel per invocation, 6.7 with four of a column, and 4.7 with four of a row.
  private var wideMain: PixelStore.Main {
    let count = (width + Self.run - 1) / Self.run
    return PixelStore.Main(
      invocations: (count, height), group: .row(of: count),
      glsl: """
        void main() {
          ivec2 p = ivec2(gl_GlobalInvocationID.xy) * ivec2(\(Self.run), 1);
          if (p.x >= \(width) || p.y >= \(height)) return;
          for (int kf_next = 0; kf_next < \(Self.run); kf_next++) {
            ivec2 q = p + ivec2(kf_next, 0);
            \(width % Self.run == 0 ? "" : "if (q.x < \(width)) ")kf_store(q, kf_color(q));
          }
        }
        """)
  }
}
