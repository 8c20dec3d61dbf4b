/// What the plan of a line asks of an effect before it decides in which kernel it runs; read off the
/// text.
package struct EffectTraits: Sendable, Equatable {
  /// It is a whole kernel, with a work group of its own.
  package let hasOwnMain: Bool
  /// It sees no other pixel than its own, so that it can follow another effect in one kernel.
  package let isPerPixel: Bool
  /// It has passes or keeps pictures, so that it shares no kernel and makes a picture.
  package let isAlone: Bool
  /// It takes derivatives, for which every pixel of the picture that it makes, and some beyond the edge,
  /// must have an invocation: it begins a kernel, and that makes a picture.
  package let usesDerivatives: Bool
  /// Pixels that it reads for one of its own, at a guess.
  package let reads: Int
  /// Words of its text, many more where there are loops: what it costs to have it in a kernel many
  /// times.
  package let size: Int

  package init(
    hasOwnMain: Bool, isPerPixel: Bool, isAlone: Bool = false, usesDerivatives: Bool = false,
    reads: Int, size: Int
  ) {
    self.hasOwnMain = hasOwnMain
    self.isPerPixel = isPerPixel
    self.isAlone = isAlone
    self.usesDerivatives = usesDerivatives
    self.reads = reads
    self.size = size
  }

  /// Reads them off the tokens of the text without comments.
  init(tokens: [Substring], hasOwnMain: Bool) {
    var reads = 0
    var isPerPixel = !hasOwnMain
    var loops = 0
    for (index, token) in tokens.enumerated() {
      let next = index + 1 < tokens.count ? tokens[index + 1] : ""
      switch token {
      case "for", "while": loops += 1
      case "frame" where next == "(":
        isPerPixel = false
        reads += 4
      case "framePixel":
        reads += 1
        if next != "(" || index + 2 >= tokens.count || tokens[index + 2] != ")" {
          isPerPixel = false
        }
      case "barrier", "shared": isPerPixel = false
      default: if token.hasPrefix("gl_") || token.hasPrefix("kf_") { isPerPixel = false }
      }
    }
    self.hasOwnMain = hasOwnMain
    self.isPerPixel = isPerPixel
    isAlone = false
    usesDerivatives = false
    // Nobody can tell how often a loop runs; sixteen times stands for often.
    self.reads = loops > 0 || hasOwnMain ? reads * 16 : reads
    size = loops > 0 ? tokens.count * 16 : tokens.count
  }

  /// The same for an effect that runs alone; where it copies its input first, that is the only read.
  func alone(passes: Int, copiesInput: Bool) -> EffectTraits {
    EffectTraits(
      hasOwnMain: hasOwnMain, isPerPixel: false, isAlone: true,
      usesDerivatives: usesDerivatives, reads: copiesInput ? 1 : reads * passes, size: size)
  }

  /// The same for an effect that takes derivatives.
  func with(_ derivatives: Derivatives) -> EffectTraits {
    guard !derivatives.names.isEmpty else { return self }
    return EffectTraits(
      hasOwnMain: hasOwnMain, isPerPixel: false, isAlone: isAlone, usesDerivatives: true,
      reads: reads, size: size)
  }
}
