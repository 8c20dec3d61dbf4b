import CFFmpeg
public import FFmpegHandles
import Frames

/// Tries every encoder on hardware that this FFmpeg has, with a frame of 640x480.
public func listHardwareEncoders() -> [HardwareListing] {
  let format = FrameFormat(
    width: 640, height: 480, pixelFormat: .yuv420p,
    color: ColorDescription(matrix: .bt709, range: .limited, primaries: 1, transfer: 1))
  let request = SinkRequest(format: format, frameRate: Rational(25), timeBase: Rational(1, 25))
  return HardwareEncoder.all(of: HardwareFamily.allCases).map { encoder in
    var settings = EncodeSettings()
    settings.codec = encoder.name
    settings.pixelFormat = .yuv420p
    let container = Container.all.first { $0.takes(encoder.codec.pointee.id) } ?? .mkv
    var refusal: String?
    do throws(EncodeError) {
      let choice = try EncoderChoice(settings: settings, container: container)
      refusal = HardwareTrial.refusal(
        try choice.plan(settings: settings, request: request, timeBase: Rational(1, 25)),
        globalHeader: container.wantsGlobalHeader)
    } catch {
      refusal = "\(error)"
    }
    return HardwareListing(
      .encoder, encoder.family, name: encoder.name,
      codec: String(cString: avcodec_get_name(encoder.codec.pointee.id)), refusal: refusal)
  }
}
