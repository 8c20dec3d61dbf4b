import CShaderc

/// The highest SPIR-V version that the linked shaderc makes, such as "SPIR-V 1.6"; shaderc cannot
/// report a version of its own.
public func shadercVersion() -> String {
  var (version, revision): (UInt32, UInt32) = (0, 0)
  shaderc_get_spv_version(&version, &revision)
  // The number is 0 | major | minor | 0, one byte each (SPIR-V specification, section 3.1).
  return "SPIR-V \(version >> 16 & 0xff).\(version >> 8 & 0xff) revision \(revision)"
}
