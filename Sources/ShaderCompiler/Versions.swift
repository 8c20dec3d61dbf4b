import CShaderc

/// The SPIR-V that the shaderc in use makes at most, "SPIR-V 1.6"; shaderc has no version of its own
/// to ask for.
package func shadercVersion() -> String {
  var (version, revision): (UInt32, UInt32) = (0, 0)
  shaderc_get_spv_version(&version, &revision)
  // The number is 0 | major | minor | 0, a byte each (SPIR-V specification, section 3.1).
  return "SPIR-V \(version >> 16 & 0xff).\(version >> 8 & 0xff) revision \(revision)"
}
