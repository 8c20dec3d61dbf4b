package import ShaderCompiler

/// What a kernel is made of: how it reads, how it writes, and between the two what makes a colour.
package struct KernelSource {
  package let reader: PixelLoad
  package let writer: PixelStore
  /// `#extension` lines, which GLSL wants first.
  package var extensions = ""
  /// Define `vec4 kf_color(ivec2 p)`, or all of `main` with its work group; may use the functions of the
  /// reader and the writer.
  package var work: [KernelFragment]
  package var hasOwnMain = false
  /// Its invocations stand for squares of pixels, with derivatives; the writer must be a picture's.
  package var quads: PixelQuads?

  package init(reader: PixelLoad, writer: PixelStore, work: [KernelFragment]) {
    self.reader = reader
    self.writer = writer
    self.work = work
  }

  /// The kernel that only brings colours from one form to another.
  package static func conversion(from reader: PixelLoad, to writer: PixelStore) -> Self {
    KernelSource(
      reader: reader, writer: writer,
      work: [KernelFragment("vec4 kf_color(ivec2 p) { return kf_read(p); }")])
  }

  /// The pixel of an invocation, and what says so.
  private var place: String {
    if let quads {
      let (width, height) = writer.invocations
      return quads.glsl(width: width, height: height)
    }
    let side = ComputePipeline.groupSide
    return """
      #define kf_invocation ivec2(gl_GlobalInvocationID.xy)
      \(hasOwnMain ? "" : "layout(local_size_x = \(side), local_size_y = \(side)) in;")
      """
  }

  /// The whole kernel.
  ///
  /// Bindings get their numbers here and nowhere else: resources are counted as they are declared.
  package func assembled() -> AssembledKernel {
    var resources: [KernelResource] = []
    func glsl(_ fragment: KernelFragment) -> String {
      let declarations = fragment.resources.map { resource in
        defer { resources.append(resource) }
        return resource.glsl(binding: resources.count)
      }
      return (declarations + [fragment.glsl]).joined(separator: "\n")
    }
    let text = """
      #version 450
      #extension GL_GOOGLE_include_directive : require
      \(quads == nil ? "" : "#extension GL_KHR_shader_subgroup_quad : require")
      \(extensions)
      #line 1 "kfrec"
      \(place)
      \(([reader.fragment, writer.fragment] + work).map(glsl).joined(separator: "\n"))
      \(hasOwnMain ? "" : quads == nil ? writer.main : quadMain)

      """
    let names = [reader.fragment.name] + work.map(\.name) + [writer.fragment.name]
    return AssembledKernel(
      name: names.filter { !$0.isEmpty }.joined(separator: "+"), text: text, resources: resources,
      invocations: quads?.invocations(of: writer) ?? writer.invocations, writes: writer.picture)
  }

  /// All invocations make their colours, those beyond the edge for the sake of the others.
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

/// A kernel's text with what it is bound to.
package struct AssembledKernel {
  /// What it reads, does and writes, in short words.
  package let name: String
  /// The whole shader.
  package let text: String
  /// In the order of their binding numbers, from 0.
  let resources: [KernelResource]
  /// What a frame needs.
  let invocations: (width: Int, height: Int)
  /// The picture that it writes; nil if the result is told when a frame is recorded.
  let writes: Texture?
}

extension ShaderCompiler {
  /// Compiles a kernel without an author's text.
  package func compile(
    _ kernel: AssembledKernel, name: String
  ) throws(ShaderCompileError) -> SPIRV {
    try compile(source: kernel.text, name: name, label: kernel.name)
  }
}
