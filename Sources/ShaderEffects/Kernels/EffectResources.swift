import ShaderCompiler

extension ResourceRule {
  /// The rule that an effect declares no resources: kfrec provides all that it reads and writes.
  static let effects = ResourceRule(prefix: "kf_") { name in
    """
    an effect may not declare resources of its own ('\(name)'); values and pictures come from INPUTS \
    and IMPORTED in its header, what it keeps is in PASSES
    """
  }
}
