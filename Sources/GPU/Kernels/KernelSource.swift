package import ShaderCompiler

/// A kernel's GLSL: how it reads, how it writes, and between the two what makes a colour.
package struct KernelSource: Sendable {
  package let reader: PictureReader
  package let writer: PictureWriter
  /// `#extension` lines, which GLSL wants first.
  package var extensions = ""
  /// Defines `vec4 kf_color(ivec2 p)`, or all of `main` with its work group; may use the functions
  /// of the reader and the writer and binding numbers from `firstFreeBinding`.
  package var body: String
  package var hasOwnMain = false
  /// Its invocations stand for squares of pixels, with derivatives; the writer must be a picture's.
  package var quads: PixelQuads?
  /// What its body does, for people; empty where it only brings colours to another form.
  package var work: [String] = []

  /// What it reads, does and writes, in short words.
  package var name: String { ([reader.word] + work + [writer.word]).joined(separator: "+") }

  package init(reader: PictureReader, writer: PictureWriter, body: String) {
    self.reader = reader
    self.writer = writer
    self.body = body
  }

  /// The kernel that only brings colours from one form to another.
  package static func conversion(from reader: PictureReader, to writer: PictureWriter) -> Self {
    KernelSource(
      reader: reader, writer: writer, body: "vec4 kf_color(ivec2 p) { return kf_read(p); }")
  }

  /// The first binding number after the reader's and the writer's.
  package static func firstFreeBinding(after reader: PictureReader) -> Int {
    reader.bindings.count + 1
  }

  /// The pixel of an invocation, and what says so.
  private var place: String {
    if let quads {
      let (width, height) = writer.invocations
      return quads.glsl(width: width, height: height)
    }
    let side = ComputeKernel.groupSide
    return """
      #define kf_invocation ivec2(gl_GlobalInvocationID.xy)
      \(hasOwnMain ? "" : "layout(local_size_x = \(side), local_size_y = \(side)) in;")
      """
  }

  /// The whole shader.
  package var text: String {
    return """
      #version 450
      #extension GL_GOOGLE_include_directive : require
      \(quads == nil ? "" : "#extension GL_KHR_shader_subgroup_quad : require")
      \(extensions)
      #line 1 "kfrec"
      \(place)
      \(reader.glsl(firstBinding: 0))
      \(writer.glsl(binding: reader.bindings.count))
      \(body)
      \(hasOwnMain ? "" : quads == nil ? writer.mainGLSL : quadMain)

      """
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

extension ShaderCompiler {
  /// Compiles a kernel without an author's text.
  package func compile(
    _ source: KernelSource, name: String
  ) throws(ShaderCompileError) -> SPIRV {
    try compile(source: source.text, name: name, label: source.name)
  }
}
