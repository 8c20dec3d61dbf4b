import DiskCache
package import Frames
package import GPU
import Render
package import ShaderCompiler
package import ShaderEffects
import Glibc

/// Renders effects over frames that are always the same, and compares with the pictures that are
/// kept beside them.
///
/// Used by one thread.
package final class GoldenRunner {
  /// The GPU's name.
  package var gpu: String { device.name }

  private let library: EffectLibrary
  private let files: ImageFiles
  private let device: Device
  private let compiler: ShaderCompiler
  private let renderer: GoldenRenderer
  /// The effect that keeps the GPU busy, after which nothing can be rendered.
  private var stuck: String?

  /// Opens the GPU.
  ///
  /// - Parameters:
  ///   - folders: Searched for effects before the standard ones.
  ///   - files: Reads and writes pictures.
  ///   - gpu: A GPU's number or part of its name; nil takes the best.
  ///   - frameLimit: How long a frame may keep the GPU busy, in seconds.
  ///   - warn: Told of what does not stop it, one sentence each.
  /// - Throws: Where there is no such GPU.
  package convenience init(
    folders: [String], files: ImageFiles, gpu: String?,
    frameLimit: Rational = Device.usualFrameLimit,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    self.init(
      library: EffectLibrary(folders: folders, images: files.images),
      device: try Device(
        selector: gpu, cache: DiskCache(userFolder: "pipelines"), frameLimit: frameLimit),
      compiler: try ShaderCompiler(
        cache: DiskCache(userFolder: "spirv"), dump: ShaderDump(warn: warn)), files: files)
  }

  /// Uses a GPU that is open.
  package init(
    library: EffectLibrary, device: Device, compiler: ShaderCompiler, files: ImageFiles
  ) {
    self.files = files
    self.library = library
    self.device = device
    self.compiler = compiler
    renderer = GoldenRenderer(device: device, compiler: compiler, files: files)
  }

  /// The cases of an effect, named or by path, or of every effect in a folder.
  ///
  /// - Throws: Where there is no such effect, or what it asks to render cannot be understood.
  package static func cases(of word: String, in library: EffectLibrary) throws -> [GoldenCase] {
    var status = stat()
    if stat(word, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      let paths = EffectLibrary.paths(inFolder: word)
      guard !paths.isEmpty else { throw EffectLabError("there is no effect in the folder \(word)") }
      return try paths.flatMap(cases(ofEffect:))
    }
    return try cases(ofEffect: library.path(of: word))
  }

  /// The cases of all effects that are found by name and have them written down.
  package static func cases(in library: EffectLibrary) throws -> [GoldenCase] {
    try library.descriptions().map(\.path)
      .filter { access(GoldenCase.filePath(ofEffect: $0), F_OK) == 0 }
      .flatMap(cases(ofEffect:))
  }

  private static func cases(ofEffect path: String) throws -> [GoldenCase] {
    let filePath = GoldenCase.filePath(ofEffect: path)
    let file =
      access(filePath, F_OK) == 0 ? try GoldenFile(path: filePath) : GoldenFile()
    return file.cases.map { golden in
      GoldenCase(
        effect: EffectLibrary.name(ofPath: path), path: path, golden: golden, file: file)
    }
  }

  /// Renders a case and compares it: a result for each of its pictures, or one where it fails.
  package func run(_ golden: GoldenCase) -> [GoldenResult] {
    let limits = golden.golden.limits
    let limit = device.kind == .cpu ? limits.software : limits.others
    func result(_ image: String, _ outcome: GoldenOutcome) -> GoldenResult {
      GoldenResult(golden: golden, image: image, limit: limit, outcome: outcome)
    }
    let images = golden.images
    do {
      let pictures = try render(golden)
      return zip(images, pictures).map { image, picture in
        result(image, compare(picture, with: image, limit))
      }
    } catch {
      return [result(images.first ?? "", .failed("\(error)"))]
    }
  }

  /// Keeps what was rendered as the picture to compare with from now on.
  package func update(_ result: GoldenResult) throws {
    guard let actual = result.actual else { return }
    let folder = GoldenCase.folder(of: result.image)
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw EffectLabError("cannot make the folder \(folder): \(String(cString: strerror(errno)))")
    }
    try files.write(actual, result.image)
  }

  private func render(_ golden: GoldenCase) throws -> [RGBAImage] {
    if let stuck { throw EffectLabError("not rendered: the GPU is still busy with \(stuck)") }
    let effect: EffectInstance
    do throws(EffectError) {
      // The path may have characters that mean something on the command line.
      var use = try EffectSpec(
        parsing: golden.golden.parameters.isEmpty ? "_" : "_:\(golden.golden.parameters)")
      use.name = golden.path
      try resolvePictures(of: &use, in: golden.folder)
      effect = try library.compile(use, with: compiler)
    } catch {
      guard error.isUsageError else { throw error }
      let message = golden.file.problem(error.description, in: golden.golden)
      throw EffectLabError(message?.description ?? error.description)
    }
    do {
      return try renderer.render(effect, golden.golden, folder: golden.folder)
    } catch {
      if error is UnfinishedFrame || error is UnfinishedCompilation { stuck = effect.name }
      throw error
    }
  }

  /// Paths of pictures begin where the effect lies, and not where somebody happens to work.
  private func resolvePictures(
    of use: inout EffectSpec, in folder: String
  ) throws(EffectError) {
    let pictures = try library.describe(use.name).inputs.filter { $0.type == "image" }.map(\.name)
    for (index, parameter) in use.parameters.enumerated() {
      guard pictures.contains(parameter.name), !parameter.value.isEmpty,
        !parameter.value.hasPrefix("/")
      else { continue }
      use.parameters[index].value = "\(folder)/\(parameter.value)"
    }
  }

  private func compare(
    _ picture: RGBAImage, with image: String, _ limit: GoldenLimit
  ) -> GoldenOutcome {
    guard access(image, F_OK) == 0 else {
      return .missing("there is no \(image); --update makes it", actual: picture)
    }
    let stored: RGBAImage
    do { stored = try files.read(image) } catch {
      return .missing("\(error); --update makes it anew", actual: picture)
    }
    guard let difference = ImageDifference(stored, picture) else {
      return .missing(
        """
        \(image) is \(stored.width)x\(stored.height) and what comes is \
        \(picture.width)x\(picture.height); --update makes it anew
        """, actual: picture)
    }
    let isNear =
      Double(difference.maximum) <= limit.maximum
      && difference.rootMeanSquare <= limit.rootMeanSquare
    return isNear ? .passed(difference) : .off(difference)
  }
}
