import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// The video stream of an output that is joined from parts, as an encoder of the whole would describe it.
struct JoinedVideo: VideoTrack, ~Copyable {
  private let plan: EncoderPlan
  private let globalHeader: Bool
  /// Keeps the parameters of the first part.
  private let first: PartReader
  /// Number of frames that are decoded before one that is shown earlier.
  private let delay: Int

  init(_ plan: EncoderPlan, globalHeader: Bool, firstPart: String, delay: Int) throws {
    (self.plan, self.globalHeader, self.delay) = (plan, globalHeader, delay)
    first = try PartReader(firstPart)
  }

  var timeBase: Rational { plan.timeBase }
  var frameRate: Rational { plan.frameRate }

  /// Throws if decoders cannot go from the first part to another one.
  func check(_ part: borrowing PartReader, name: String) throws(EncodeError) {
    guard let difference = part.difference(from: first) else { return }
    throw EncodeError(
      "the parts of \(name) cannot be joined, because their \(difference) differ; leave out --chunks"
    )
  }

  /// The settings say what an encoder knows before it is opened, and a part what it decides then.
  func describe(to parameters: UnsafeMutablePointer<AVCodecParameters>) throws {
    let context = try AVCodecContextHandle(codec: plan.codec)
    VideoEncoder.configure(context.pointer, plan, globalHeader: globalHeader)
    try FFmpegHandles.check(
      avcodec_parameters_from_context(parameters, context.pointer),
      "avcodec_parameters_from_context", plan.name)
    guard let made = first.stream.pointee.codecpar?.pointee else { return }
    parameters.pointee.codec_tag = made.codec_tag
    (parameters.pointee.profile, parameters.pointee.level) = (made.profile, made.level)
    parameters.pointee.video_delay = Int32(delay)
    guard made.extradata_size > 0, let configuration = made.extradata else { return }
    let size = Int(made.extradata_size)
    guard let bytes = av_mallocz(size + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
      throw FFmpegError(call: "av_mallocz", subject: plan.name, code: kf_averror(ENOMEM))
    }
    bytes.copyMemory(from: configuration, byteCount: size)
    parameters.pointee.extradata = bytes.assumingMemoryBound(to: UInt8.self)
    parameters.pointee.extradata_size = made.extradata_size
  }
}
