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

  /// Opens the GPU of this number or with this part of a name; nil selects the best one, or none if there is none.
  ///
  /// `readable` are folders from which the files of effects may come, besides those of the effects themselves; `frameLimit`
  /// is the longest time that the GPU may work on one frame, in seconds; `warn` gets each warning as one sentence.
  ///
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
        preference: GPUPreference(selector: gpu), cache: DiskCache(userFolder: "pipelines"),
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
    let paths = SourceFile.isFolder(word) ? EffectLibrary.paths(inFolder: word) : []
    return paths.isEmpty ? [word] : paths
  }

  /// Checks one effect, with any parameters typed after its name; the report lists the problems.
  package func check(_ word: String) throws -> EffectReport {
    let use: EffectSpec
    let path: String
    func unknown(_ message: String) -> EffectReport {
      EffectReport(
        name: word, path: nil,
        diagnostics: [Diagnostic(file: word, severity: .error, message: message)],
        isRendered: false, isUnknown: true)
    }
    guard !SourceFile.isFolder(word) else {
      return unknown("there is no effect in this folder; name another one, or an effect")
    }
    do {
      // A path may contain characters that have a meaning in the notation.
      use = access(word, F_OK) == 0 ? EffectSpec(name: word) : try EffectSpec(parsing: word)
      path = try library.path(of: use.name)
    } catch {
      return unknown(error.description)
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
    let frame = try TrialFrame.image(TrialFrame.width / 4).frame(at: .zero)
    if let input = effect.nextImage { _ = effect.setImage(input, to: EffectImage(frame)) }
    return effect
  }

  private func render(
    _ effect: EffectInstance, hasDefaults: Bool
  ) throws -> [EffectTrial.Finding] {
    guard let trial else { return [] }
    do {
      return try trial.findings(of: effect, hasDefaults: hasDefaults)
    } catch {
      switch error {
      // The next effect would run into its time limit too.
      case is UnfinishedFrame: renderingProblem = "the GPU is still busy with \(effect.name)"
      case is UnfinishedCompilation:
        renderingProblem = "the GPU's driver is still busy with \(effect.name)"
      case let error as VulkanError where error.losesGPU:
        renderingProblem = "the GPU was lost while it rendered \(effect.name)"
      case is VulkanError: break
      default: throw error
      }
      if renderingProblem != nil { self.trial = nil }
      return [EffectTrial.Finding(severity: .error, message: "\(error)")]
    }
  }
}
