import Frames
import GPU
import Render
import ShaderCompiler
import ShaderEffects

/// Renders a few built-in frames through an effect and checks the pixels.
final class EffectTrial {
  struct Finding {
    let severity: Diagnostic.Severity
    let message: String
  }

  /// Effect times in seconds: consecutive frames first, then later times that an effect may wait for.
  static let times = [
    Rational.zero, Rational(1, 30), Rational(2, 30), Rational(3, 30), Rational(1, 2), .one,
    Rational(5, 2), Rational(5), Rational(10),
  ]

  private let device: Device
  private let compiler: ShaderCompiler
  /// Turns pixels with infinite or NaN values white and all others black.
  private let detector: EffectInstance
  /// The frames rendered without any effect.
  private let plain: [RGBAImage]

  init(device: Device, compiler: ShaderCompiler) throws {
    self.device = device
    self.compiler = compiler
    detector = try EffectLibrary.finiteTest(with: compiler)
    plain = try EffectTrial.render([], device, compiler)
  }

  /// Finds problems in the frames that an effect renders, at most one of each kind.
  ///
  /// - Throws: `UnfinishedFrame` if the effect is too slow; the device cannot be used afterwards.
  func findings(of effect: EffectInstance, hasDefaults: Bool) throws -> [Finding] {
    var findings: [Finding] = []
    let results = try EffectTrial.render([effect], device, compiler)
    if results == plain, !hasDefaults {
      findings.append(
        Finding(severity: .warning, message: "changes no pixel with these values; choose others"))
    } else if results == plain, !effect.isNeutralByDefault {
      findings.append(
        Finding(
          severity: .warning,
          message: """
            changes no pixel with its defaults; choose others, or declare this with IDENTITY in its \
            inputs or with "NEUTRAL": true in its header
            """))
    }
    let marks = try EffectTrial.render(
      [effect, detector], device, compiler, isApart: true)
    for (time, bytes) in zip(EffectTrial.times, marks.map(\.bytes)) {
      let bad = bytes.indices.filter { $0 % 4 == 0 && bytes[$0] > 127 }
      guard let first = bad.first.map({ $0 / 4 }) else { continue }
      let (x, y) = (first % TrialFrame.width, first / TrialFrame.width)
      findings.append(
        Finding(
          severity: .warning,
          message: """
            makes values that are infinite or not a number: \(bad.count) of \
            \(TrialFrame.width * TrialFrame.height) pixels at \(time.doubleValue) s, the first at \
            \(x),\(y); look at divisions, square roots, powers and logarithms, and for loops that never \
            end
            """))
      break
    }
    return findings
  }

  /// Renders the built-in frames.
  ///
  /// With `isApart` each effect has a kernel of its own, and 32-bit floats lie between, and in its passes: a compiler that sees what becomes of a
  /// value may take it for finite. Errors name only the first one then.
  private static func render(
    _ effects: [EffectInstance], _ device: Device, _ compiler: ShaderCompiler,
    isApart: Bool = false
  ) throws -> [RGBAImage] {
    let format = TrialFrame.image(0).format
    let names = (isApart ? Array(effects.prefix(1)) : effects).map(\.name)
    var apart = FusionPolicy.plain
    apart.keepsFaults = true
    let pipeline = try DriverWork(limit: device.frameLimit).run(effects: names, device: device) {
      try RenderPipeline(
        device: device, compiler: compiler, source: format,
        geometry: FrameGeometry(source: format), effects: effects, sink: format,
        policy: isApart ? apart : nil, dithers: isApart)
    }
    var frames: [(frame: Frame, clock: EffectClock)] = []
    var before: Rational?
    for time in times {
      let clock = EffectClock(
        time: time, timeDelta: before.map { time - $0 } ?? .zero,
        frameIndex: Int((time * Rational(30)).floor), frameRate: Rational(30), creationTime: nil)
      before = time
      frames.append((try TrialFrame.image(clock.frameIndex).frame(at: time), clock))
    }
    do {
      return try pipeline.render(frames).map {
        RGBAImage($0.pixels, width: format.width, height: format.height)
      }
    } catch var error as UnfinishedFrame {
      error.effects = names
      throw error
    }
  }
}
