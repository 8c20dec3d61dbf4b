/// Properties of an effect, read from its text, that the pipeline plan needs to choose its kernel.
public struct EffectTraits: Sendable, Equatable {
  /// True if the effect is a whole kernel with its own work group.
  public let hasOwnMain: Bool
  /// True if the effect reads no pixel but its own, so that it can follow another effect in one kernel.
  public private(set) var isPerPixel: Bool
  /// True if the effect has passes or keeps textures, so that it shares no kernel and writes a texture.
  public private(set) var isAlone: Bool
  /// True if the effect takes derivatives, so that it begins a kernel, and this kernel writes a
  /// texture.
  ///
  /// Every pixel of that texture, and some beyond the edge, must have an invocation.
  public private(set) var usesDerivatives: Bool
  /// The estimated number of pixels read for one pixel of the result.
  public private(set) var reads: Int
  /// The number of words in the text, many more if it has loops: the cost of having it in a kernel many
  /// times.
  public let size: Int
  /// The last pass of an effect that runs alone, if its kernel may hold following effects and write the
  /// output's planes; nil if it may not.
  public private(set) var lastPass: LastPass?
  /// True if an invocation may make one pixel only: variables have values at the start of each pixel, or the effect looks
  /// at its invocation.
  public private(set) var isOnePixelEach = false

  public init(
    hasOwnMain: Bool, isPerPixel: Bool, isAlone: Bool = false, usesDerivatives: Bool = false,
    reads: Int, size: Int, lastPass: LastPass? = nil
  ) {
    self.hasOwnMain = hasOwnMain
    self.isPerPixel = isPerPixel
    self.isAlone = isAlone
    self.usesDerivatives = usesDerivatives
    self.reads = reads
    self.size = size
    self.lastPass = lastPass
  }

  /// Finds the traits in the tokens of the text without comments.
  init(tokens: [Substring], hasOwnMain: Bool) {
    var reads = 0
    var isPerPixel = !hasOwnMain
    var isOnePixelEach = false
    var loops = 0
    let hasOwnFrame = Self.declaresFrame(tokens)
    for (index, token) in tokens.enumerated() {
      let next = index + 1 < tokens.count ? tokens[index + 1] : ""
      switch token {
      case "for", "while": loops += 1
      // Without a call, as in `#define SRC frame` and READ(frame), a macro may call it.
      case "frame" where next == "(" || !hasOwnFrame:
        isPerPixel = false
        reads += 4
      case "framePixel":
        reads += 1
        if next != "(" || index + 2 >= tokens.count || tokens[index + 2] != ")" {
          isPerPixel = false
        }
      case "barrier", "shared": (isPerPixel, isOnePixelEach) = (false, true)
      default:
        if token.hasPrefix("gl_") { (isPerPixel, isOnePixelEach) = (false, true) }
        if token.hasPrefix("kf_") { isPerPixel = false }
      }
    }
    // The number of iterations is unknown; a loop counts as sixteen.
    self.init(
      hasOwnMain: hasOwnMain, isPerPixel: isPerPixel,
      reads: loops > 0 || hasOwnMain ? reads * 16 : reads,
      size: loops > 0 ? tokens.count * 16 : tokens.count)
    self.isOnePixelEach = isOnePixelEach
  }

  /// Returns whether a text has a variable `frame`, such as `vec2 frame = vec2(frameSize());`.
  ///
  /// If a macro reads the frame beside such a variable, the effect does not compile behind others in one kernel
  /// (`EffectShader.ownNames`), and each gets its own.
  private static func declaresFrame(_ tokens: [Substring]) -> Bool {
    tokens.indices.dropFirst().dropLast().contains { index in
      tokens[index] == "frame" && tokens[index - 1].first?.isLetter == true
        && ["=", ";", ",", ")", "["].contains(tokens[index + 1])
    }
  }

  /// Returns the traits for an effect that runs alone; if it copies its input first, the copy is its
  /// only read.
  ///
  /// `lastPass` is nil if the last pass keeps what it makes: where a kernel computes some pixels twice,
  /// it would write them twice.
  func alone(passes: Int, copiesInput: Bool, lastPass: LastPass? = nil) -> EffectTraits {
    var traits = self
    (traits.isPerPixel, traits.isAlone) = (false, true)
    traits.reads = copiesInput ? 1 : reads * passes
    traits.lastPass = hasOwnMain || usesDerivatives || isOnePixelEach ? nil : lastPass
    return traits
  }

  /// Returns the traits for an effect with variables that have a value at the start of each pixel.
  func onePixelEach() -> EffectTraits {
    var traits = self
    (traits.isOnePixelEach, traits.lastPass) = (true, nil)
    return traits
  }

  /// Returns the traits for an effect that takes these derivatives.
  func with(_ derivatives: Derivatives) -> EffectTraits {
    guard !derivatives.names.isEmpty else { return self }
    var traits = self
    (traits.isPerPixel, traits.usesDerivatives, traits.lastPass) = (false, true, nil)
    return traits
  }
}
