import EffectLab
import GPU
import Glibc
import Recorder
import ShaderCompiler
import ShaderEffects
import TestDevice
import TestSupport
import Testing

@testable import kfrec

/// Compares every effect with its golden images (PNG files, read by FFmpeg), with the code of `kfrec
/// golden`.
@Suite("Golden images of effects", .serialized)
enum GoldenImages {
  @Suite("Each golden image is rendered and compared")
  struct GoldenImageTests {
    private static let folder = "\(repositoryRoot)/Effects"
    private static let library = EffectLibrary(
      folders: [folder], images: { try ImageInputs().loader($0) })
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
