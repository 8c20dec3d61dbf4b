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

  /// The whole shader.
  package var text: String {
    let side = ComputeKernel.groupSide
    return """
      #version 450
      \(extensions)
      #line 1 "kfrec"
      \(hasOwnMain ? "" : "layout(local_size_x = \(side), local_size_y = \(side)) in;")
      \(reader.glsl(firstBinding: 0))
      \(writer.glsl(binding: reader.bindings.count))
      \(body)
      \(hasOwnMain ? "" : writer.mainGLSL)

      """
  }
}
