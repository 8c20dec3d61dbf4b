import ShaderCompiler

extension ResourceRule {
  /// An effect gets all that it reads and writes from kfrec.
  static let effects = ResourceRule(prefix: "kf_") { name in
    """
    an effect may not declare resources of its own ('\(name)'); values and pictures come from INPUTS \
    and IMPORTED in its header, what it keeps is in PASSES
    """
  }
}
