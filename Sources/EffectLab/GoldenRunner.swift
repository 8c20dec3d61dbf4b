import DiskCache
package import Frames
package import GPU
import Render
package import ShaderCompiler
package import ShaderEffects
import Glibc

/// Renders effects over frames that are always the same, and compares the results with the golden
/// images.
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
  /// The name of the effect that keeps the GPU busy; nothing can be rendered after it.
  private var stuck: String?

  /// Opens the GPU of this number or with this part of a name; nil selects the best one.
  ///
  /// `readable` are folders from which the files of effects may come, besides those of the effects themselves; `frameLimit`
  /// is the longest time that the GPU may work on one frame, in seconds; `warn` gets each warning as one sentence.
  ///
  /// - Throws: If there is no such GPU.
  package convenience init(
    folders: [String], readable: [String] = [], files: ImageFiles, gpu: String?,
    frameLimit: Rational = Device.usualFrameLimit,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    self.init(
      library: EffectLibrary(folders: folders, readable: readable, images: files.images),
      device: try Device(
        preference: GPUPreference(selector: gpu), cache: DiskCache(userFolder: "pipelines"),
        frameLimit: frameLimit),
      compiler: try ShaderCompiler(
        cache: DiskCache(userFolder: "spirv"), dump: ShaderDump(warn: warn),
        limit: frameLimit.doubleValue), files: files)
  }

  /// Uses a GPU that is already open.
  package init(
    library: EffectLibrary, device: Device, compiler: ShaderCompiler, files: ImageFiles
  ) {
    self.files = files
    self.library = library
    self.device = device
    self.compiler = compiler
    renderer = GoldenRenderer(device: device, compiler: compiler, files: files)
  }

  /// Returns the cases of one effect, given by name or path, or of every effect in a folder.
  ///
  /// A golden file that cannot be understood gives one case, whose rendering fails with the reason.
  ///
  /// - Throws: A usage error if there is no such effect.
  package static func cases(of word: String, in library: EffectLibrary) throws -> [GoldenCase] {
    guard let paths = try paths(ofFolder: word) else {
      return cases(ofEffect: try library.path(of: word))
    }
    return paths.flatMap(cases(ofEffect:))
  }

  /// Returns the paths of the effects in a folder; nil if the word names none.
  private static func paths(ofFolder word: String) throws(EffectLabError) -> [String]? {
    guard SourceFile.isFolder(word) else { return nil }
    let paths = EffectLibrary.paths(inFolder: word)
    guard !paths.isEmpty else {
      throw EffectLabError(
        "there is no effect in the folder \(word); name another one, or an effect",
        isUsageError: true)
    }
    return paths
  }

  /// Returns the cases of all effects in the search path that have a golden file.
  package static func cases(in library: EffectLibrary) throws -> [GoldenCase] {
    try library.descriptions().map(\.path)
      .filter { access(GoldenCase.filePath(ofEffect: $0), F_OK) == 0 }
      .flatMap(cases(ofEffect:))
  }

  static func cases(ofEffect path: String) -> [GoldenCase] {
    let filePath = GoldenCase.filePath(ofEffect: path)
    let isWritten = access(filePath, F_OK) == 0
    let name = EffectLibrary.name(ofPath: path)
    let file: GoldenFile
    do throws(EffectError) {
      file = isWritten ? try GoldenFile(path: filePath) : GoldenFile()
    } catch {
      return GoldenFile().cases.map {
        GoldenCase(
          effect: name, path: path, golden: $0, file: GoldenFile(), mistake: "\(error)")
      }
    }
    return file.cases.map {
      GoldenCase(effect: name, path: path, golden: $0, file: file, isUnwritten: !isWritten)
    }
  }

  /// Renders a case and compares the images: one result for each image, or a single one if it fails.
  package func run(_ golden: GoldenCase) -> [GoldenResult] {
    let limits = golden.golden.limits
    let limit = device.isLavapipe ? limits.software : limits.others
    func result(_ image: String, _ outcome: GoldenOutcome) -> GoldenResult {
      GoldenResult(golden: golden, image: image, limit: limit, outcome: outcome)
    }
    if let mistake = golden.mistake {
      return [result(GoldenCase.filePath(ofEffect: golden.path), .failed(mistake))]
    }
    let images = golden.images
    do {
      for variant in [golden] + (try golden.livelier(in: library)) {
        let (rendered, isNeutral) = try render(variant)
        let plain = try renderer.render(nil, variant)
        // Both are of one device: what devices may differ by is no measure of an effect.
        guard
          isNeutral
            || zip(rendered, plain).contains(where: { !isNear($0, $1, limits.software) })
        else { continue }
        return zip(images, rendered).map { path, image in
          result(path, compare(image, with: path, limit))
        }
      }
      return [result(images.first ?? "", .failed(Self.nothingSeen(golden)))]
    } catch {
      return [result(images.first ?? "", .failed("\(error)"))]
    }
  }

  /// Says that an image tells nothing of its effect.
  private static func nothingSeen(_ golden: GoldenCase) -> String {
    let file = GoldenCase.filePath(ofEffect: golden.path)
    let remedy = "other \"parameters\" or \"times\", or \"frame\": \"moving\" with \"leadUp\": 8"
    return "shows nothing of the effect: without it the picture is the same, within the limits; "
      + (golden.isUnwritten
        ? "write \(file) with a case that has \(remedy)" : "give the case \(remedy)")
  }

  private func isNear(_ a: RGBAImage, _ b: RGBAImage, _ limit: GoldenLimit) -> Bool {
    ImageDifference(a, b).map { $0.isWithin(limit) } ?? false
  }

  /// Writes the rendered image as the new golden image, never through a link.
  package func update(_ result: GoldenResult) throws {
    guard let actual = result.actual else { return }
    let folder = SourceFile.folder(of: result.image)
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw EffectLabError("cannot make the folder \(folder): \(String(cString: strerror(errno)))")
    }
    let opened = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else {
      throw EffectLabError(
        "\(folder) is a link or no folder, and golden images go into a folder; move it away")
    }
    close(opened)
    do throws(WholeFile.Failure) { try WholeFile(result.image, replacing: .file).check() } catch {
      throw EffectLabError("\(result.image) \(error.words)")
    }
    try files.write(actual, result.image)
  }

  /// Renders a case; also says whether its golden file means it to change nothing: the defaults of a neutral effect.
  private func render(
    _ golden: GoldenCase
  ) throws -> (images: [RGBAImage], isNeutral: Bool) {
    if let stuck { throw EffectLabError("not rendered: the GPU is still busy with \(stuck)") }
    let effect: EffectInstance?
    let problem: String?
    do throws(EffectError) {
      let use = try golden.use(in: library)
      problem = try golden.problem(of: use, in: library)
      effect = problem == nil ? try library.compile(use, with: compiler) : nil
    } catch {
      guard error.isUsageError else { throw error }
      let message = golden.file.problem(error.description, in: golden.golden)
      throw EffectLabError(message?.description ?? error.description)
    }
    guard var effect else { throw EffectLabError(problem ?? "there is no effect") }
    if let next = effect.nextImage, effect.missingImages.contains(next) {
      _ = effect.setImage(next, to: try GoldenRenderer.nextPicture())
    }
    do {
      let isNeutral =
        effect.isNeutralByDefault && golden.golden.parameters.isEmpty && !golden.isUnwritten
      return (try renderer.render(effect, golden), isNeutral)
    } catch {
      if error is UnfinishedFrame || error is UnfinishedCompilation { stuck = effect.name }
      throw error
    }
  }

  private func compare(
    _ image: RGBAImage, with path: String, _ limit: GoldenLimit
  ) -> GoldenOutcome {
    guard access(path, F_OK) == 0 else {
      return .missing("there is no \(path); --update makes it", actual: image)
    }
    let stored: RGBAImage
    do { stored = try files.read(path) } catch {
      return .missing("\(error); --update makes it again", actual: image)
    }
    guard let difference = ImageDifference(stored, image) else {
      return .missing(
        """
        \(path) is \(stored.width)x\(stored.height) and the rendered image is \
        \(image.width)x\(image.height); --update makes it again
        """, actual: image)
    }
    return difference.isWithin(limit) ? .passed(difference) : .off(difference)
  }
}
