import CFFmpeg
import FFmpegHandles
import Frames

/// The encoder that makes an output, and the result of the search for hardware.
struct EncoderDecision {
  var plan: EncoderPlan
  /// How the rest is encoded if hardware stops working; nil if `plan` is of the processor.
  var fallback: EncoderPlan?
  /// Why encoders on hardware are not used, as "NAME: REASON".
  var refusals: [String] = []
  var notices: [Notice] = []
}

extension EncoderChoice {
  /// Chooses between the hardware that works and the processor.
  ///
  /// Throws if only hardware is wanted and none works, or if an encoder on hardware was named and does not work.
  func decide(
    settings: EncodeSettings, request: SinkRequest, timeBase: Rational, container: Container,
    output: String
  ) throws(EncodeError) -> EncoderDecision {
    let own = try plan(settings: settings, request: request, timeBase: timeBase)
    if HardwareEncoder(own.codec) != nil {
      let reason = HardwareTrial.refusal(own, globalHeader: container.wantsGlobalHeader)
      if let reason { throw own.refusal(because: reason) }
      // The preset and the options are those of the other encoder.
      var plain = settings
      (plain.preset, plain.options) = (nil, [])
      return EncoderDecision(
        plan: own,
        fallback: EncoderCatalog.software(own.codec.pointee.id).flatMap {
          try? plan($0, plain, request, timeBase, container)
        })
    }
    guard settings.hardware != .off, !settings.isPart else { return EncoderDecision(plan: own) }
    var decision = EncoderDecision(plan: own)
    if settings.namesEncoder {
      decision.refusals = ["\(name) was named with --codec"]
    } else {
      let families = settings.hardware.families
      for encoder in HardwareEncoder.all(own.codec.pointee.id, of: families) {
        do throws(EncodeError) {
          let plan = try plan(encoder.name, settings, request, timeBase, container)
          let reason = HardwareTrial.refusal(plan, globalHeader: container.wantsGlobalHeader)
          guard let reason else {
            return EncoderDecision(plan: plan, fallback: own, refusals: decision.refusals)
          }
          decision.refusals.append("\(encoder.name): \(reason)")
        } catch {
          decision.refusals.append("\(error)")
        }
      }
      if decision.refusals.isEmpty {
        let codec = String(cString: avcodec_get_name(own.codec.pointee.id))
        decision.refusals = ["this FFmpeg has no such encoder for \(codec)"]
      }
    }
    guard settings.hardware != .required else {
      throw EncodeError(
        "\(output) cannot be encoded by hardware (\(decision.refusals.joined(separator: "; "))): use --hw "
          + "auto, which takes the processor then")
    }
    decision.notices = [
      Notice(
        .outputHardware, output,
        "\(output) is encoded by the processor (\(name)), because no hardware for it works here; --verbose says why"
      )
    ]
    return decision
  }

  /// Whether the first hardware that would be tried takes both parts of chroma in one plane; what encodes in the end takes
  /// both.
  func wantsSemiPlanar(
    _ settings: EncodeSettings,
    isPresent: (HardwareFamily) -> Bool = { HardwareReason.missing($0) == nil }
  ) -> Bool {
    guard let codec = avcodec_find_encoder_by_name(name) else { return false }
    if let own = HardwareEncoder(codec) { return own.takesThemTogether && isPresent(own.family) }
    guard !settings.isPart, !settings.namesEncoder else { return false }
    let encoders = HardwareEncoder.all(codec.pointee.id, of: settings.hardware.families)
    return encoders.first { isPresent($0.family) }?.takesThemTogether ?? false
  }

  /// The plan of another encoder, for the same frames.
  private func plan(
    _ encoder: String, _ settings: EncodeSettings, _ request: SinkRequest, _ timeBase: Rational,
    _ container: Container
  ) throws(EncodeError) -> EncoderPlan {
    var own = settings
    (own.codec, own.pixelFormat) = (encoder, request.format.pixelFormat)
    return try EncoderChoice(settings: own, container: container).plan(
      settings: own, request: request, timeBase: timeBase)
  }
}

extension EncodeSettings {
  /// Whether the codec is an encoder's name, and not a codec's.
  fileprivate var namesEncoder: Bool {
    guard let codec, avcodec_find_encoder_by_name(codec) != nil else { return false }
    return avcodec_descriptor_get_by_name(codec) == nil
  }
}
