/// An encoder or a decoder on hardware, and whether it works on this machine.
package struct HardwareListing: Sendable {
  package enum Work: String, Sendable {
    case encoder, decoder
  }

  package let work: Work
  package let family: HardwareFamily
  /// FFmpeg's name of the encoder, or of the device that decodes.
  package let name: String
  /// FFmpeg's name of the codec; nil for a device that decodes nothing.
  package let codec: String?
  /// Why it does not work, as a part of a sentence; nil if it works.
  package let refusal: String?

  package init(
    _ work: Work, _ family: HardwareFamily, name: String, codec: String?, refusal: String?
  ) {
    (self.work, self.family, self.name) = (work, family, name)
    (self.codec, self.refusal) = (codec, refusal)
  }
}
