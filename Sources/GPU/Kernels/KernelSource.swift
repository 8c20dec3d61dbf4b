/// The parts of a kernel: how it reads, how it writes, and how it computes colours in between.
public struct KernelSource {
  public let reader: PixelLoad
  public let writer: PixelStore
  /// `#extension` lines, which GLSL requires first.
  public var extensions = ""
  /// Fragments that define `vec4 kf_color(ivec2 p)`, or all of `main` with its work group; they may call
  /// the functions of the reader and the writer.
  public var work: [KernelFragment]
  public var hasOwnMain = false
  /// Invocations for one frame of a kernel with a `main` of its own, if they are not those of the writer.
  public var invocations: (width: Int, height: Int)?
  /// True if an invocation may make one pixel only, because variables have values at its start.
  public var isOnePixelEach = false
  /// Set if invocations form 2x2 quads of pixels, with derivatives; the writer must write a texture.
  public var quads: PixelQuads?

  public init(reader: PixelLoad, writer: PixelStore, work: [KernelFragment]) {
    self.reader = reader
    self.writer = writer
    self.work = work
  }

  /// A kernel that only converts colours from one form to another.
  public static func conversion(from reader: PixelLoad, to writer: PixelStore) -> Self {
    KernelSource(
      reader: reader, writer: writer,
      work: [KernelFragment("vec4 kf_color(ivec2 p) { return kf_ownPixel(p); }")])
  }

  /// The `main` of a kernel that has none of its own.
  private var main: PixelStore.Main {
    if let byFours { return byFours }
    return isOnePixelEach ? writer.main : writer.wideMain ?? writer.main
  }

  /// The `main` that reads four pixels at once; nil if the kernel cannot.
  private var byFours: PixelStore.Main? {
    hasOwnMain || quads != nil || reader.fours == nil ? nil : writer.mainByFours
  }

  /// GLSL for `kf_ownPixel(p)`, the colour that the kernel reads for the pixel of the invocation.
  private var ownPixel: KernelFragment {
    guard byFours != nil, var fours = reader.fours else {
      return KernelFragment("#define kf_ownPixel(p) kf_read(p)")
    }
    fours.glsl += """

      vec4 kf_own;
      #define kf_ownPixel(p) kf_own
      """
    return fours
  }

  private var layout: String {
    "layout(local_size_x = \(main.group.width), local_size_y = \(main.group.height)) in;"
  }

  /// GLSL that defines the pixel of an invocation.
  private var place: String {
    if let quads {
      let (width, height) = writer.main.invocations
      return quads.glsl(width: width, height: height)
    }
    return """
      #define kf_invocation ivec2(gl_GlobalInvocationID.xy)
      \(hasOwnMain ? "" : layout)
      """
  }

  /// Joins the parts into the whole kernel.
  ///
  /// Only this function numbers the bindings: it counts resources as it declares them.
  public func assembled() -> AssembledKernel {
    var resources: [KernelResource] = []
    func glsl(_ fragment: KernelFragment) -> String {
      let declarations = fragment.resources.map { resource in
        defer { resources.append(resource) }
        return resource.glsl(binding: resources.count)
      }
      return (declarations + [fragment.glsl]).joined(separator: "\n")
    }
    // A texel buffer is read without a sampler: SPIR-V 1.6 allows none for it (OpTypeSampledImage).
    let text = """
      #version 450
      #extension GL_EXT_samplerless_texture_functions : require
      #extension GL_GOOGLE_include_directive : require
      \(quads == nil ? "" : "#extension GL_KHR_shader_subgroup_quad : require")
      \(extensions)
      #line 1 "kfrec"
      \(place)
      \(([reader.fragment, ownPixel, writer.fragment] + work).map(glsl).joined(separator: "\n"))
      \(hasOwnMain ? "" : quads == nil ? main.glsl : quadMain)

      """
    let names = [reader.fragment.name] + work.map(\.name) + [writer.fragment.name]
    return AssembledKernel(
      name: names.filter { !$0.isEmpty }.joined(separator: "+"), text: text, resources: resources,
      invocations: invocations ?? quads?.invocations(of: writer)
        ?? (hasOwnMain ? writer.main : main).invocations,
      writes: writer.texture)
  }

  /// A `main` in which all invocations compute colours; neighbours need those beyond the edge.
  private var quadMain: String {
    """
    void main() {
      ivec2 p = kf_invocation;
      vec4 color = kf_color(p);
      if (kf_isInside(p)) kf_store(p, color);
    }
    """
  }
}

/// The text of a kernel with its resources.
public struct AssembledKernel {
  /// Short words for what the kernel reads, does and writes.
  public let name: String
  /// The GLSL of the whole shader.
  public let text: String
  /// In the order of their binding numbers, from 0.
  let resources: [KernelResource]
  /// Invocations for one frame.
  let invocations: (width: Int, height: Int)
  /// The texture that it writes; nil if the result is passed when a frame is recorded.
  let writes: Texture?
}
