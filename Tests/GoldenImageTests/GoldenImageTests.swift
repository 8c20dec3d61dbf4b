import EffectLab
import Frames
import GPU
import Glibc
import Recorder
import Render
import ShaderCompiler
import ShaderEffects
import TestDevice
import TestSupport
import Testing

@testable import kfrec

/// Compares every effect with its golden images (PNG files, read by FFmpeg), with the code of `kfrec
/// golden`.
@Suite("Golden images of effects", .besideOthers)
enum GoldenImages {
  static let folder = "\(repositoryRoot)/Effects"
  static let library = EffectLibrary(
    folders: [folder], images: { try ImageInputs().loader($0) })

  /// An effect of this checkout with parameters as a golden file has them: paths of images start in its folder.
  static func spec(_ effect: String, _ parameters: String) throws -> EffectSpec {
    var use = try EffectSpec(parsing: parameters.isEmpty ? "_" : "_:\(parameters)")
    use.name = "\(folder)/\(effect).comp"
    for (index, parameter) in use.parameters.enumerated()
    where parameter.value.hasPrefix("goldens/") {
      use.parameters[index].value = "\(folder)/\(parameter.value)"
    }
    return use
  }

  @Suite("Each golden image is rendered and compared")
  struct GoldenImageTests {
    private static let (folder, library) = (GoldenImages.folder, GoldenImages.library)
    private static func cases() throws -> [GoldenCase] {
      try GoldenRunner.cases(of: folder, in: library)
    }

    @Test("Each effect renders its golden images", arguments: try cases())
    func golden(_ golden: GoldenCase) throws {
      let (device, compiler) = try TestDevice.opened()
      let results = GoldenRunner(
        library: Self.library, device: device, compiler: compiler, files: .media
      ).run(golden)
      #expect(results.count == golden.images.count)
      for result in results where !result.passed {
        var message: String
        switch result.outcome {
        case .passed(let difference), .off(let difference):
          message =
            "\(difference) (limits \(result.limit)). See \(try Self.keep(result, difference))"
        case .missing(let reason, _), .failed(let reason): message = reason
        }
        message += "; make golden-update makes anew what is meant"
        Issue.record("\(result.name): \(message)")
      }
    }

    /// The first case of each effect.
    private static func firstCases() throws -> [GoldenCase] {
      var names: Set<String> = []
      return try cases().filter { names.insert($0.effect).inserted }
    }

    @Test("Each effect also writes the planes of a video", arguments: try firstCases())
    func video(_ golden: GoldenCase) throws {
      let (device, compiler) = try TestDevice.opened()
      let format = FrameFormat(width: 54, height: 38, pixelFormat: .rgba, color: .sRGB)
      let color = ColorDescription(matrix: .bt709, range: .limited, primaries: 1, transfer: 1)
      let effect = try Self.library.compile(
        GoldenImages.spec(golden.effect, golden.golden.parameters), with: compiler)
      let pipeline = try RenderPipeline(
        device: device, compiler: compiler, source: format,
        geometry: FrameGeometry(source: format), effects: [effect],
        sink: FrameFormat(width: 54, height: 38, pixelFormat: .yuv420p, color: color))
      let frame = Frame(
        format: format, pixels: try RGBAImage.reference(width: 54, height: 38).pixelBuffer(),
        time: .one)
      let clock = EffectClock(
        time: .one, timeDelta: .zero, frameIndex: 0, frameRate: Rational(25), creationTime: nil)
      #expect(try pipeline.render([(frame: frame, clock: clock)]).count == 1)
    }

    @Test("Golden images are small, and each is compared by a test")
    func pictures() throws {
      let folder = "\(Self.folder)/goldens"
      let files = namesInFolder(folder).filter { $0.hasSuffix(".png") }.map { "\(folder)/\($0)" }
      #expect(Set(files) == Set(try Self.cases().flatMap(\.images)))
      for path in files { #expect(try readFile(path).count <= 8192, "\(path)") }
    }

    @Test("Each effect has a file of golden cases, and there is no file without an effect")
    func writtenDown() throws {
      let names = namesInFolder(Self.folder)
      let suffix = ".golden.json"
      let files = names.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
      #expect(
        try Set(files)
          == Set(
            Self.library.descriptions().filter { $0.path.hasPrefix(Self.folder + "/") }.map(\.name))
      )
    }

    /// Saves the images for inspection and returns their paths.
    private static func keep(
      _ result: GoldenResult, _ difference: ImageDifference
    ) throws -> String {
      let folder = "\(repositoryRoot)/.build/goldens"
      for path in ["\(repositoryRoot)/.build", folder] { mkdir(path, 0o755) }
      for (word, picture) in [
        ("expected", difference.expected), ("actual", difference.actual),
        ("difference", difference.image),
      ] {
        try ImageFileReader.write(picture, to: "\(folder)/\(result.name)-\(word).png")
      }
      return "\(folder)/\(result.name)-{expected,actual,difference}.png"
    }
  }
}
