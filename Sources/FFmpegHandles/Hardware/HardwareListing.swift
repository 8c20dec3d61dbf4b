/// An encoder or a decoder on hardware, and whether it works on this machine.
public struct HardwareListing: Sendable {
  public enum Work: String, Sendable {
    case encoder, decoder
  }

  public let work: Work
  public let family: HardwareFamily
  /// FFmpeg's name of the encoder, or of the device that decodes.
  public let name: String
  /// FFmpeg's name of the codec; nil for a device that decodes nothing.
  public let codec: String?
  /// Why it does not work, as a part of a sentence; nil if it works.
  public let refusal: String?

  public init(
    _ work: Work, _ family: HardwareFamily, name: String, codec: String?, refusal: String?
  ) {
    (self.work, self.family, self.name) = (work, family, name)
    (self.codec, self.refusal) = (codec, refusal)
  }
}
