import Frames
import Glibc
import Testing

@testable import Encode

@Suite("Several outputs of one recording")
struct OutputSetTests {
  let folder = TestFolder()

  private func files(_ names: [String]) -> [String] {
    names.map { $0 == "null" || $0.hasPrefix("/") ? $0 : folder.file($0) }
  }

  @Test(
    "outputs that take the same frames go together",
    arguments: [
      ["a.mov", "b.mov"], ["a.mov", "a.y4m", "a.mkv"], ["a.mov", "null"], ["null", "a.png"],
      ["a.png", "b.png"], ["a-%04d.png", "b-%04d.png"], ["a.mov"],
    ])
  func together(_ names: [String]) throws {
    let set = try OutputSet(files(names))
    #expect(set.outputs.map(\.word) == files(names))
    #expect(!set.isPaced && !set.hasBestEffortOutput)
    #expect(set.frameLimit == (names.contains { $0.hasSuffix("a.png") } ? 1 : nil))
    #expect(set.takesAudio == names.contains { $0.hasSuffix(".mov") })
    let format = set.frameFormat(
      width: 63, height: 48, color: ColorDescription.sRGB, hasAlpha: true)
    #expect(format.pixelFormat == (names.contains { $0.hasSuffix(".png") } ? .rgba : .yuv420p))
  }

  @Test(
    "outputs that need different frames are refused",
    arguments: [
      (["a.mov", "b-%04d.png"], "takes yuv420p and "), (["a.png", "a.y4m"], "takes RGB and "),
      (["a.png", "b-%04d.png"], "holds one frame and "),
    ])
  func apart(_ names: [String], _ part: String) throws {
    let error = #expect(throws: EncodeError.self) { try OutputSet(files(names)) }
    #expect(error?.isUsageError == true)
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("run kfrec once for each") == true)
  }

  @Test("outputs at the same place are refused, whatever their names")
  func same() throws {
    symlink(folder.file("a.mov"), folder.file("link.mov"))
    shell("touch \(folder.file("a.mov")); ln -s . \(folder.file("here"))")
    for names in [
      ["a.mov", "a.mov"], ["a.mov", "here/a.mov"], ["a.mov", "link.mov"], ["b.mov", "here/b.mov"],
      ["null", "null"], ["null", "/dev/null"], ["c-%04d.png", "c-0012.png"],
      ["here/c-%d.png", "c-%d.png"], ["c-%d.png", "c-%04d.png"], ["c-7.png", "here/c-%d.png"],
    ] {
      let error = #expect(throws: EncodeError.self) { try OutputSet(files(names)) }
      #expect(error?.isUsageError == true, "\(names)")
      #expect(error?.description.contains("give each output its own name") == true)
    }
    #expect(try OutputSet(files(["c-%04d.png", "c-0.png", "null"].dropLast(2))).outputs.count == 1)
    #expect(try OutputSet(files(["d-%d.png", "e-%d.png"])).outputs.count == 2)
  }

  @Test("--container applies only to outputs whose name has no known extension")
  func container() throws {
    let set = try OutputSet(files(["a.mov", "/dev/full"]), container: "mkv")
    let movies = set.outputs.compactMap { $0.target as? MovieOutput }
    #expect(movies.map(\.container.name) == ["mov", "mkv"])
  }

  @Test("a movie that is asked for twice is on, whoever asks")
  func movieSwitch() {
    let movies = MovieSwitch(settings: EncodeSettings(), nextName: { nil }, say: { _ in })
    for isOn in [false, true, true, false, false] {
      movies.set(on: isOn)
      #expect(movies.isOn == isOn)
    }
    movies.toggle()
    movies.set(on: true)
    #expect(movies.isOn)
  }

  @Test("no file is left if the second output is refused")
  func nothing() throws {
    #expect(throws: EncodeError.self) { try OutputSet(files(["a.mov", "nowhere/b.mov"])) }
    #expect(!OutputPath(folder.file("a.mov.part")).exists)
  }
}
