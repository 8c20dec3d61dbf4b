import TestSupport
import Testing

@testable import ShaderCompiler

@Suite struct ShaderCompilerTests {
  private func diagnostics(_ body: String) throws -> [String] {
    let compiler = try ShaderCompiler()
    let source = "#version 450\nvoid unused() {}\n#line 1 \"a.comp\"\n"
    let line = "#extension GL_GOOGLE_include_directive : require\n"
    do {
      _ = try compiler.compile(
        source: source.replacing("void", with: line + "void", maxReplacements: 1) + body,
        name: "a.comp", original: body)
      return []
    } catch {
      return error.diagnostics.map(\.description)
    }
  }

  @Test("A shader without #version compiles, and prints nothing")
  func noVersion() throws {
    let spirv = try ShaderCompiler().compile(
      source: "layout(local_size_x = 8, local_size_y = 4) in;\nvoid main() {}\n", name: "a.comp")
    #expect(spirv.words.first == 0x0723_0203)
    #expect(spirv.localSize.map { [$0.x, $0.y, $0.z] } == [8, 4, 1])
  }

  @Test(
    "A program that compiles in its own process gets an error for a text that is nested too deeply, and no crash",
    arguments: ["+x", "*x", ".xx"], [190_000, 230_000])
  func deep(_ link: String, _ count: Int) throws {
    // Macros, because the text itself is limited to a megabyte.
    var macros = "#define A0 \(link)\n"
    for bit in 1..<18 { macros += "#define A\(bit) A\(bit - 1) A\(bit - 1)\n" }
    let parts = (0..<18).filter { count >> $0 & 1 == 1 }.map { " A\($0)" }.joined()
    let source = """
      layout(local_size_x = 8) in;
      layout(binding = 0) buffer B { vec2 b; };
      \(macros)
      void main() { vec2 x = b; b = vec2(x\(parts)); }
      """
    let compiler = try ShaderCompiler()
    let error = Result { () throws(ShaderCompileError) in
      try compiler.compile(source: source, name: "deep.comp")
    }
    let isRefused =
      if case .failure(let error) = error { error.description.contains("levels deep") } else {
        false
      }
    #expect(isRefused == (count > 209_715), "\(error)")
  }

  @Test("A text with a mistake in each of its words is refused at once, with the first of them")
  func mistakes() throws {
    let words = (0..<5_000).map { "a\($0)" }.joined(separator: ";")
    let compiler = try ShaderCompiler()
    let error = #expect(throws: ShaderCompileError.self) {
      try compiler.compile(source: "void main() { \(words); }", name: "wrong.comp")
    }
    #expect(error?.diagnostics.count == 100)
    #expect(
      error?.diagnostics.first?.message.contains("'a0'") == true,
      "\(error?.diagnostics.first?.message ?? "")")
  }

  @Test(
    "The depth of a text counts operators and brackets, and begins anew behind a statement, an argument and an element",
    arguments: [
      ("x = a+a+a+a;", 4), ("f(a,b,c,d,e);", 1), ("(a,b,c,d,e);", 5), ("x.x.x.x;1.5+2.5;", 3),
      ("float t[4] = { {1,2},{3,4},{5,6} };", 5), ("a=1;b=2;c=3+4;", 2), ("{{{{}}}}", 5),
      ("if(a){b;}else if(c){d;}else{e;}", 12), ("void f(){a;}\nvoid g(){a;}\nvoid h(){b;}", 5),
    ])
  func depth(_ text: String, _ levels: Int) {
    #expect(NestingDepth(text.utf8).levels == levels)
  }

  @Test("An undefined name is shown at its place")
  func undefinedName() throws {
    #expect(
      try diagnostics("void main() {\n\tfloat a = nope + 1.0;\n}\n").first == """
        a.comp:2:12: error: 'nope': undeclared identifier
        \tfloat a = nope + 1.0;
        \t          ^
        """)
  }

  @Test("A caret is under the mistake, not under the same word before it or in a comment")
  func carets() throws {
    #expect(
      try diagnostics("void main() {\n float a = 1.0; float b = 2.0; float a = 3.0;\n}\n") == [
        """
        a.comp:2:38: error: 'a': redefinition
         float a = 1.0; float b = 2.0; float a = 3.0;
        \(String(repeating: " ", count: 37))^
        """
      ])
    #expect(
      try diagnostics("void main() {\n/* é nope */ float a = nope2 + nope;\n}\nint nope2;").last
        == """
        a.comp:2:32: error: 'nope': undeclared identifier
        /* é nope */ float a = nope2 + nope;
        \(String(repeating: " ", count: 31))^
        """)
  }

  @Test("A letter outside ASCII gives one error, at its own place")
  func foreignLetter() throws {
    #expect(
      try diagnostics("void main() {\n/* ü */ float a = éx;\n}\n") == [
        """
        a.comp:2:19: error: the non-ASCII character 'é' (U+00E9) is in the code; GLSL allows such \
        characters only in comments
        /* ü */ float a = éx;
        \(String(repeating: " ", count: 18))^
        """
      ])
  }

  @Test("A shader longer than the limit is refused before it is compiled")
  func tooLong() throws {
    let compiler = try ShaderCompiler()
    let text = String(repeating: " ", count: SourceFile.maximumLength + 1)
    #expect {
      try compiler.compile(source: text, name: "a.comp")
    } throws: {
      "\($0)" == "a.comp: error: is longer than 1024 KiB"
    }
  }

  @Test("A file's byte order mark is not part of its text")
  func byteOrderMark() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([0xEF, 0xBB, 0xBF] + Array("void".utf8), to: "a.comp")
    #expect(try SourceFile.read(path).utf8.elementsEqual("void".utf8))
  }

  @Test("A carriage return alone ends a line, and before a line feed it is kept")
  func lineEnds() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("a\r\rb\r\nc\n\r".utf8), to: "a.comp")
    #expect(try SourceFile.read(path).utf8.elementsEqual("a\n\nb\r\nc\n\n".utf8))
  }

  @Test("One compiler serves many threads at a time")
  func threads() async throws {
    let compiler = try ShaderCompiler()
    let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
      for size in 1...16 {
        group.addTask {
          try compiler.compile(
            source: "layout(local_size_x = \(size)) in;\nvoid main() {}", name: "\(size)"
          ).localSize?.x ?? 0
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sizes.sorted() == Array(1...16))
  }

  @Test("Comments are blanked without moving the text after them")
  func comments() {
    let text = "a /* b\n c */ d // e\nf"
    let blanked = GLSLText.withoutComments(text)
    #expect(blanked == "a     \n      d     \nf")
    let atTheEnd = [
      ("a/", "a/"), ("a//", "a  "), ("a/*", "a  "), ("a/*/b", "a    "), ("a/**/b", "a    b"),
      ("a/* *", "a    "), ("a/ /b", "a/ /b"), ("//a\r\nb", "   \r\nb"), ("/*//*/b", "      b"),
    ]
    for (text, expected) in atTheEnd { #expect(GLSLText.withoutComments(text) == expected) }
    #expect(GLSLText.tokens("x1+=y.z;") == ["x1", "+", "=", "y", ".", "z", ";"])
  }

  @Test(
    "Of a long line only the part around the mistake is shown",
    arguments: [(0, "", "..."), (99, "", "..."), (5000, "...", "..."), (9999, "...", "")])
  func longLine(place: Int, before: String, behind: String) {
    var line = Array(repeating: Character("\u{e9}"), count: 10_000)
    line[place] = "X"
    let text = "first\n\(String(line))\nlast"
    let offset = 6 + line[..<place].reduce(0) { $0 + $1.utf8.count }
    let diagnostic = Diagnostic(
      file: "a.comp", source: SourceText(text), utf8Offset: offset, message: "wrong")
    #expect(diagnostic.line == 2 && diagnostic.column == place + 1)
    let lines = diagnostic.description.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 3 && lines[0] == "a.comp:2:\(place + 1): error: wrong")
    #expect(lines[1].count <= 206 && lines[1].hasPrefix(before) && lines[1].hasSuffix(behind))
    #expect((lines[1].first == ".") == (before != "") && (lines[1].last == ".") == (behind != ""))
    let caret = lines[2].count - 1
    #expect(lines[2].last == "^" && Array(lines[1])[caret] == "X")
  }
}
