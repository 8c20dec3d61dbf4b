/// Which hardware may decode and encode frames instead of the processor.
public enum HardwarePreference: Sendable, Equatable {
  /// The processor does everything.
  case off
  /// Hardware where it works, else the processor.
  case automatic
  /// Hardware must encode, or there is no recording; it decodes where it works.
  case required
  /// Hardware of this family where it works, else the processor.
  case family(HardwareFamily)

  /// The families that may be used, the best one first.
  public var families: [HardwareFamily] {
    switch self {
    case .off: []
    case .automatic, .required: HardwareFamily.allCases
    case .family(let family): [family]
    }
  }
}

/// A way in which FFmpeg reaches hardware that decodes or encodes.
///
/// The order is the one in which they are tried: what one vendor makes for its own hardware comes before
/// what reaches hardware of several vendors.
public enum HardwareFamily: String, CaseIterable, Sendable {
  case nvidia
  case qsv
  case vaapi
  case v4l2m2m
  case omx
  case vdpau
  case drm

  /// What people call it.
  public var title: String {
    switch self {
    case .nvidia: "NVIDIA"
    case .qsv: "Quick Sync"
    case .vaapi: "VA-API"
    case .v4l2m2m: "V4L2 M2M"
    case .omx: "OpenMAX"
    case .vdpau: "VDPAU"
    case .drm: "DRM"
    }
  }

  /// The end of the names of FFmpeg's encoders, after `_`; nil if the family only decodes.
  public var encoderSuffix: String? {
    switch self {
    case .nvidia: "nvenc"
    case .qsv, .vaapi, .v4l2m2m, .omx: rawValue
    case .vdpau, .drm: nil
    }
  }

  /// FFmpeg's name of the device that decoders use; nil if the family only encodes here.
  public var deviceName: String? {
    switch self {
    case .nvidia: "cuda"
    case .qsv, .vaapi, .vdpau, .drm: rawValue
    case .v4l2m2m, .omx: nil
    }
  }

  /// Finds the family of an encoder by its name; nil if the processor encodes.
  public init?(encoder name: String) {
    let found = Self.allCases.first { $0.encoderSuffix.map { name.hasSuffix("_" + $0) } ?? false }
    guard let found else { return nil }
    self = found
  }
}
