/// How a picture is made, and with it the GLSL that reads and writes it.
package struct PictureShape: Sendable, Equatable {
  package let width: Int
  package let height: Int
  /// Pictures of the size, told apart by a number from 0.
  package let layers: Int
  package let format: Picture.Format
  package let storage: PictureStorage

  package init(
    width: Int, height: Int, layers: Int = 1, format: Picture.Format = .half,
    storage: PictureStorage
  ) {
    self.width = width
    self.height = height
    self.layers = layers
    self.format = format
    self.storage = storage
  }

  package var readBinding: BindingKind { storage == .images ? .sampledImage : .texelBuffer }
  package var writeBinding: BindingKind {
    storage == .images ? .storageImage : .storageTexelBuffer
  }

  /// `vec4 NAME(int layer, ivec2 p)`, which reads a pixel that lies inside.
  package func reading(_ name: String, binding: Int) -> String {
    let type =
      switch storage {
      case .images: layers > 1 ? "sampler2DArray" : "sampler2D"
      case .buffers: "samplerBuffer"
      }
    let place =
      switch storage {
      case .images: layers > 1 ? "ivec3(p, layer), 0" : "p, 0"
      case .buffers: texel
      }
    return """
      layout(set = 0, binding = \(binding)) uniform \(type) \(name)_texels;
      vec4 \(name)(int layer, ivec2 p) { return texelFetch(\(name)_texels, \(place)); }
      """
  }

  /// `void NAME(int layer, ivec2 p, vec4 color)`, which writes a pixel that lies inside.
  package func writing(_ name: String, binding: Int) -> String {
    let type =
      switch storage {
      case .images: layers > 1 ? "image2DArray" : "image2D"
      case .buffers: "imageBuffer"
      }
    let place =
      switch storage {
      case .images: layers > 1 ? "ivec3(p, layer)" : "p"
      case .buffers: texel
      }
    return """
      \(format.declaration(binding: binding, type: type, name: "\(name)_texels"))
      void \(name)(int layer, ivec2 p, vec4 color) {
        imageStore(\(name)_texels, \(place), \(format.stored("color")));
      }
      """
  }

  /// A texel's number in a buffer.
  private var texel: String {
    let inLayer = "p.y * \(width) + p.x"
    return layers > 1 ? "layer * \(width * height) + \(inLayer)" : inLayer
  }

  /// Reads it as a kernel's input; of several the one that `int kf_readLayer()` tells, which the
  /// kernel then defines.
  package var reader: PictureReader {
    PictureReader(
      width: width, height: height, bindings: [readBinding], isDear: false, name: "picture",
      word: "picture"
    ) { binding in
      """
      \(reading("kf_picture", binding: binding))
      \(layers > 1 ? "int kf_readLayer();" : "")
      vec4 kf_read(ivec2 p) { return kf_picture(\(layers > 1 ? "kf_readLayer()" : "0"), p); }
      """
    }
  }

  /// Writes it, one invocation a pixel; of several the one that `int kf_resultLayer()` tells, which
  /// the kernel then defines.
  package var writer: PictureWriter {
    PictureWriter(
      binding: writeBinding, invocations: (width, height), name: "picture",
      word: "picture",
      main: """
        void main() {
          ivec2 p = ivec2(gl_GlobalInvocationID.xy);
          if (p.x < \(width) && p.y < \(height)) kf_store(p, kf_color(p));
        }
        """
    ) { binding in
      """
      \(writing("kf_result", binding: binding))
      \(layers > 1 ? "int kf_resultLayer();" : "")
      void kf_store(ivec2 p, vec4 color) {
        kf_result(\(layers > 1 ? "kf_resultLayer()" : "0"), p, color);
      }
      """
    }
  }
}
