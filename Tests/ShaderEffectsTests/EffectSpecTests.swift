import Frames
import Testing

@testable import ShaderEffects

@Suite struct EffectUseTests {
  @Test("A name, a path and parameters are distinguished")
  func words() throws {
    func pairs(_ text: String) throws -> [String] {
      let use = try EffectSpec(parsing: text)
      return [use.name] + use.parameters.map { "\($0.name)>\($0.value)" }
    }
    #expect(try pairs("blur") == ["blur"])
    #expect(try pairs("blur:radius=4,tint=#ff8000") == ["blur", "radius>4", "tint>#ff8000"])
    #expect(try pairs("vignette:center=0.5/0.25") == ["vignette", "center>0.5/0.25"])
    #expect(try pairs("/a:b/c.comp:x=1/2") == ["/a:b/c.comp", "x>1/2"])
    #expect(try pairs("/a:b/c.comp") == ["/a:b/c.comp"])
    #expect(try pairs("a\\:b:x=1\\,2\\=3\\\\") == ["a:b", "x>1,2=3\\"])
    #expect(try pairs("a:x=1=2") == ["a", "x>1=2"])
    #expect(try pairs("./a=b.comp:x=1") == ["./a=b.comp", "x>1"])
    #expect(try pairs("a:x=\"1, b=2: \\\"3\\\"\\n\",y=4") == ["a", "x>1, b=2: \"3\"\\n", "y>4"])
    #expect(try pairs("a:x=\"1\"2,y=\"3") == ["a", "x>\"1\"2", "y>\"3"])
    // FFmpeg's notation is accepted here, and the search reports it.
    #expect(try pairs("crop=100:100") == ["crop=100:100"])
    #expect(try pairs("a:x@1@2.5,y=0@1") == ["a", "x>@1@2.5", "y>0@1"])
  }

  @Test("mix, from and to belong to every effect")
  func common() throws {
    let use = try EffectSpec(parsing: "a:from=1.5,x=2,mix=0.25,to=01:02:03.004")
    #expect(use.parameters.map(\.name) == ["x"])
    #expect(use.mix == 0.25 && use.from == Rational(3, 2) && use.to == Rational(3_723_004, 1000))
    #expect(try EffectSpec(parsing: "a:from=2:30").from == Rational(150))
  }

  @Test(
    "Wrong words are a usage error that says what is wrong",
    arguments: [
      ("", "effect '' has no name; write NAME or NAME:parameter=value"),
      (":a=1", "effect ':a=1' has no name; write NAME or NAME:parameter=value"),
      ("a:b", "effect 'a': 'b' is not parameter=value; parameters are separated by commas"),
      ("a:", "effect 'a': '' is not parameter=value; parameters are separated by commas"),
      ("a:b=1,,", "effect 'a': '' is not parameter=value; parameters are separated by commas"),
      (
        "text:text=Summer, at last",
        "effect 'text': ' at last' is not parameter=value; parameters are separated by commas; a comma that belongs "
          + "to text needs quotation marks: 'text=\"Summer, at last\"'"
      ),
      (
        "a:b=1,bloom",
        "effect 'a': 'bloom' is not parameter=value; parameters are separated by commas; another effect has an -e "
          + "of its own: -e bloom"
      ),
      ("a:b=1,b=2", "effect 'a': parameter 'b' is given twice; keep one"),
      ("a:mix=2", "effect 'a': mix must be a number from 0 to 1, not '2'"),
      ("a:mix=nan", "effect 'a': mix must be a number from 0 to 1, not 'nan'"),
      (
        "a:from=-1",
        "effect 'a': 'from' must be a time such as 2.5 or 00:01:30.25, not '-1'"
      ),
      ("a:to=1:75", "effect 'a': 'to' must be a time such as 2.5 or 00:01:30.25, not '1:75'"),
      ("a:from=2,to=2", "effect 'a' would never act: 'from' must be before 'to'"),
    ])
  func mistakes(text: String, message: String) {
    #expect(throws: EffectError.usage(message)) { try EffectSpec(parsing: text) }
  }

  @Test("Near names are found by edits and by beginnings, and far ones are not")
  func nearNames() {
    let names = ["separateRGB", "vignette", "boxBlur", "bw"]
    #expect(NearNames.find("seperateRGB", in: names) == ["separateRGB"])
    #expect(NearNames.find("separatergb", in: names) == ["separateRGB"])
    #expect(NearNames.find("vig", in: names) == ["vignette"])
    #expect(NearNames.find("kaleidoscope", in: names) == [])
    #expect(
      NearNames.find("blurr", in: ["boxBlur", "gaussianBlur", "edges"]) == [
        "boxBlur", "gaussianBlur",
      ])
    #expect(NearNames.suggestion("xyz", in: names) == "")
  }
}
