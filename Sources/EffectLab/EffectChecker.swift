import DiskCache
package import Frames
import GPU
import Render
package import ShaderCompiler
package import ShaderEffects
import Glibc

/// The result of checking one effect.
package struct EffectReport: Sendable {
  /// The effect's name without folder and extension; the words as typed if no file was found.
  package let name: String
  /// The path of the effect's file; nil if no file was found.
  package let path: String?
  /// The diagnostics, in the order of the checks.
  package let diagnostics: [Diagnostic]
  /// Whether frames were rendered through it.
  package let isRendered: Bool
  /// True for a usage error: an unknown effect, or a wrong parameter, while no file is wrong.
  package let isUnknown: Bool

  /// True if no diagnostic is an error.
  package var passed: Bool { !diagnostics.contains { $0.severity == .error } }
}

/// Checks effects without an input video: compiles each one, and renders a few built-in frames through
/// it if there is a GPU.
///
/// Used by one thread.
package final class EffectChecker {
  /// Why effects are compiled but not rendered; nil if they are rendered.
  package private(set) var renderingProblem: String?
  /// The name of the GPU that renders the effects; nil if there is none.
  package let gpu: String?

  private let library: EffectLibrary
  private let compiler: ShaderCompiler
  private var trial: EffectTrial?

  /// Opens the GPU.
  ///
  /// - Parameters:
  ///   - folders: Folders to search for effects before the standard folders.
  ///   - readable: Folders from which the files of effects may come, besides those of the effects themselves.
  ///   - images: Loads the images that effects use.
  ///   - gpu: The number of a GPU or a part of its name; nil selects the best GPU, or none if there is
  ///     none.
  ///   - frameLimit: The longest time that the GPU may work on one frame, in seconds.
  ///   - warn: Receives each warning as one sentence.
  /// - Throws: If there is no GPU of that name.
  package init(
    folders: [String], readable: [String] = [], images: @escaping ImageLoader, gpu: String?,
    frameLimit: Rational = Device.usualFrameLimit,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    library = EffectLibrary(folders: folders, readable: readable, images: images)
    compiler = try ShaderCompiler(
      cache: DiskCache(userFolder: "spirv"), dump: ShaderDump(warn: warn), marksFaults: true,
      limit: frameLimit.doubleValue)
    do {
      let device = try Device(
        wish: GPUWish(selector: gpu), cache: DiskCache(userFolder: "pipelines"),
        frameLimit: frameLimit)
      trial = try EffectTrial(device: device, compiler: compiler)
      self.gpu = device.name
    } catch let error as VulkanError {
      guard gpu == nil else { throw error }
      self.gpu = nil
      renderingProblem = error.description
    }
  }

  /// Returns the paths of the effects in a folder, sorted by name; returns any other word, or a folder
  /// without effects, unchanged.
  package static func words(of word: String) -> [String] {
    let paths = isFolder(word) ? EffectLibrary.paths(inFolder: word) : []
    return paths.isEmpty ? [word] : paths
  }

  /// Returns whether a path leads to a folder.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Checks one effect, with any parameters typed after its name; the report lists the problems.
  package func check(_ word: String) throws -> EffectReport {
    let use: EffectSpec
    let path: String
    guard !Self.isFolder(word) else {
      let message = "there is no effect in this folder; name another one, or an effect"
      let diagnostic = Diagnostic(file: word, severity: .error, message: message)
      return EffectReport(
        name: word, path: nil, diagnostics: [diagnostic], isRendered: false, isUnknown: true)
    }
    do {
      // A path may contain characters that have a meaning in the notation.
      use = access(word, F_OK) == 0 ? EffectSpec(name: word) : try EffectSpec(parsing: word)
      path = try library.path(of: use.name)
    } catch {
      let diagnostic = Diagnostic(file: word, severity: .error, message: error.description)
      return EffectReport(
        name: word, path: nil, diagnostics: [diagnostic], isRendered: false, isUnknown: true)
    }
    var diagnostics: [Diagnostic] = []
    var isMistyped = false
    let isRendered = trial != nil
    do {
      var effect = try library.compile(use, with: compiler)
      try library.tryReading(effect, with: compiler)
      diagnostics = effect.diagnostics + library.vocabularyWarnings(path: path)
      if effect.isTransition { effect = try trialTransition(use) }
      diagnostics += try render(effect, hasDefaults: use == EffectSpec(name: use.name)).map {
        Diagnostic(file: path, severity: $0.severity, message: $0.message)
      }
    } catch let error as EffectError {
      isMistyped = error.isUsageError
      diagnostics +=
        isMistyped
        ? [Diagnostic(file: path, severity: .error, message: error.description)]
        : error.diagnostics
    }
    diagnostics += GoldenCheck(library).diagnostics(ofEffect: path)
    return EffectReport(
      name: EffectLibrary.name(ofPath: path), path: path, diagnostics: diagnostics,
      isRendered: isRendered && trial != nil, isUnknown: isMistyped)
  }

  /// Compiles a transition from the built-in frames to another built-in image.
  private func trialTransition(_ use: EffectSpec) throws -> EffectInstance {
    var use = use
    let last = EffectTrial.times[EffectTrial.times.count - 1].doubleValue
    if !use.parameters.contains(where: { $0.name == "progress" }) {
      use.parameters.append(("progress", "0@0..1@\(last)"))
    }
    var effect = try library.compile(use, with: compiler)
    let picture = TrialFrame()
    let frame = Frame(
      format: TrialFrame.format,
      pixels: try picture.pixels(ofFrame: TrialFrame.width / 4), time: .zero)
    if let input = effect.nextImage { _ = effect.setImage(input, to: EffectImage(frame)) }
    return effect
  }

  private func render(
    _ effect: EffectInstance, hasDefaults: Bool
  ) throws -> [EffectTrial.Finding] {
    guard let trial else { return [] }
    do {
      return try trial.findings(of: effect, hasDefaults: hasDefaults)
    } catch let error as UnfinishedFrame {
      // The GPU is still busy with this frame, and the next effect would run into its time limit too.
      self.trial = nil
      renderingProblem = "the GPU is still busy with \(effect.name)"
      return [EffectTrial.Finding(severity: .error, message: error.description)]
    } catch let error as UnfinishedCompilation {
      self.trial = nil
      renderingProblem = "the GPU's driver is still busy with \(effect.name)"
      return [EffectTrial.Finding(severity: .error, message: error.description)]
    } catch let error as VulkanError {
      if error.losesGPU {
        self.trial = nil
        renderingProblem = "the GPU was lost while it rendered \(effect.name)"
      }
      return [EffectTrial.Finding(severity: .error, message: error.description)]
    }
  }
}
