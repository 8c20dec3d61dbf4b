import Frames
import Glibc
import ShaderEffects
import TestSupport

/// One picture that an effect must render, and how far off it may be.
///
/// Every effect of the checkout has the case `default`, its defaults at 1.5 s; `further` adds more.
struct GoldenCase: Sendable, CustomStringConvertible {
  let effect: String
  let word: String
  /// As typed after the effect's name.
  var parameters = ""
  var time = Rational(3, 2)
  /// Frames before it, 25 a second, with something that moves; none for a picture that stands alone.
  var leadUp = 0

  private static let further = [
    GoldenCase(
      effect: "separateRGB", word: "amount3", parameters: ":amount=3", time: Rational(37, 10)),
    GoldenCase(effect: "separateRGB", word: "amount10", parameters: ":amount=10", time: .zero),
    GoldenCase(effect: "boxBlur", word: "radius1", parameters: ":radius=1"),
    GoldenCase(effect: "vignette", word: "tint", parameters: ":tint=ff8000,center=0.25/0.75"),
    GoldenCase(effect: "ascii", word: "ink", parameters: ":size=0.2,colors=ink"),
    GoldenCase(effect: "cartoon", word: "smooth", parameters: ":smoothing=0.05,levels=3"),
    GoldenCase(effect: "chromaticAberration", word: "far", parameters: ":amount=-0.05,falloff=0"),
    GoldenCase(effect: "crt", word: "lines13", parameters: ":lines=16,mask=1,curvature=0.5"),
    GoldenCase(effect: "edges", word: "over", parameters: ":colors=over"),
    GoldenCase(
      effect: "glitch", word: "hard", parameters: ":amount=1,bursts=0,block=0.1,shift=0.6"),
    GoldenCase(effect: "halftone", word: "black", parameters: ":inks=black,size=0.1"),
    GoldenCase(effect: "kuwahara", word: "radius4", parameters: ":size=0.1"),
    GoldenCase(effect: "oldFilm", word: "worn", parameters: ":wear=1,weave=0.03", time: .zero),
    GoldenCase(effect: "pixelate", word: "side8", parameters: ":size=0.2"),
    GoldenCase(effect: "posterize", word: "colors", parameters: ":what=colors,levels=3"),
    GoldenCase(effect: "sketch", word: "color", parameters: ":color=1,spacing=0.05"),
    GoldenCase(effect: "vhs", word: "worn", parameters: ":jitter=0.05,bleed=0.06,tracking=1"),
    GoldenCase(effect: "chromaKey", word: "clear", parameters: ":key=14b428,color=00000000"),
    GoldenCase(
      effect: "chromaKey", word: "picture",
      parameters: ":key=14b428,background=\(inputs)/background.png"),
    GoldenCase(effect: "lut", word: "look", parameters: ":file=\(inputs)/look.cube"),
    GoldenCase(effect: "lut", word: "curves", parameters: ":file=\(inputs)/curves.cube,mix=0.5"),
    GoldenCase(
      effect: "colorAdjust", word: "strong",
      parameters: ":exposure=0.7,contrast=1,saturation=0.5,temperature=0.6,tint=-0.4"),
    GoldenCase(effect: "directionalBlur", word: "slanted", parameters: ":amount=0.25,angle=30"),
    GoldenCase(effect: "duotone", word: "clear", parameters: ":shadows=00304080,lights=ffe0a0"),
    GoldenCase(effect: "invert", word: "hue", parameters: ":keepHue=true"),
    GoldenCase(
      effect: "kaleidoscope", word: "wide",
      parameters: ":segments=3,zoom=0.5,center=0.25/0.5,spin=0"),
    GoldenCase(effect: "lensDistortion", word: "corrected", parameters: ":k1=-0.25,k2=0.05"),
    GoldenCase(effect: "lensDistortion", word: "bare", parameters: ":k1=0.6,fill=false"),
    GoldenCase(effect: "mirror", word: "quarter", parameters: ":keep=bottom-right"),
    GoldenCase(effect: "nightVision", word: "whole", parameters: ":gain=16,grain=1,scope=2"),
    GoldenCase(
      effect: "ripple", word: "waves",
      parameters: ":shape=waves,amplitude=0.05,wavelength=0.4"),
    GoldenCase(effect: "sepia", word: "half", parameters: ":amount=0.5,tone=ffa0c0"),
    GoldenCase(
      effect: "skinSmooth", word: "whole",
      parameters: ":skinOnly=false,amount=1,radius=0.04,edges=0.5"),
    GoldenCase(effect: "swirl", word: "far", parameters: ":angle=-400,radius=1.2,center=0.25/0.75"),
    GoldenCase(effect: "thermal", word: "rainbow", parameters: ":palette=rainbow"),
    GoldenCase(effect: "tiltShift", word: "upright", parameters: ":angle=90,blur=0.05,band=0.1"),
    GoldenCase(effect: "zoomBlur", word: "corner", parameters: ":amount=0.5,center=0/0,clear=0"),
    GoldenCase(effect: "gaussianBlur", word: "radius", parameters: ":radius=0.05"),
    GoldenCase(
      effect: "bloom", word: "strong", parameters: ":amount=2,threshold=0.9"),
    GoldenCase(effect: "echo", word: "all", parameters: ":trails=all,fade=2", leadUp: 8),
    GoldenCase(
      effect: "frameDelay", word: "apart", parameters: ":frames=4,apart=true", leadUp: 6),
    GoldenCase(
      effect: "timeSlit", word: "left", parameters: ":frames=8,direction=left", leadUp: 12),
    GoldenCase(
      effect: "motion", word: "tint", parameters: ":tint=00ff00ff,hold=0,dim=1", leadUp: 3),
  ]

  /// Frames before the picture with the defaults, of effects that look back.
  private static let leads = ["echo": 8, "frameDelay": 8, "motion": 4, "timeSlit": 26]

  /// Effects whose pictures only have pixels moved, so that every driver must give the same bytes.
  private static let exact: Set<String> = ["mirror", "separateRGB"]

  static func all() throws -> [GoldenCase] {
    try EffectRenderer.effectNames().map {
      GoldenCase(effect: $0, word: "default", leadUp: leads[$0] ?? 0)
    } + further
  }

  /// What the effect makes of the reference, or of its last one where something moves.
  func render(width: Int, height: Int) throws -> RGBAPicture {
    guard leadUp > 0 else {
      return try EffectRenderer.render(
        .reference(width: width, height: height), [use], time: time)
    }
    let steps = Array(-leadUp...0)
    let pictures = steps.map { RGBAPicture.moving(width: width, height: height, step: $0) }
    let times = steps.map { time + Rational(Int64($0), 25) }
    return try EffectRenderer.render(pictures, [use], times: times)[leadUp]
  }

  static let folder = "\(repositoryRoot)/Tests/Goldens"
  /// Pictures and tables that cases give to effects.
  private static let inputs = "\(folder)/inputs"

  /// The names of the pictures there are, without `.png`.
  static var storedNames: [String] {
    namesInFolder(folder).filter { $0.hasSuffix(".png") }.map { String($0.dropLast(4)) }
  }

  var name: String { "\(effect)-\(word)" }
  var use: String { effect + parameters }
  var path: String { "\(Self.folder)/\(name).png" }
  var description: String { name }

  /// The most a part may be off, and the root of the mean square, in codes of 8 bits.
  var limits: (maximum: Double, rootMeanSquare: Double) {
    Self.exact.contains(effect) ? (0, 0) : (1.5, 0.2)
  }

  /// Whether a result is as near to the golden picture as it must be.
  func allows(_ difference: PictureDifference) -> Bool {
    Double(difference.maximum) <= limits.maximum
      && difference.rootMeanSquare <= limits.rootMeanSquare
  }
}
