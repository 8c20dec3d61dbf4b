import CFFmpeg
import FFmpegHandles
import Frames

/// An open container: its video stream, the sound streams that are carried along, and its packets.
struct Demuxer: ~Copyable {
  let video: UnsafeMutablePointer<AVStream>
  /// FFmpeg's stream number of each carried sound stream.
  let soundIndexes: [Int32]
  let sound: [CompressedStream]
  let otherVideoStreams: Int
  /// What the container says that it holds.
  let extent: SourceExtent

  /// What opening it took in `avformat_open_input`.
  let openingCall: TimedCall

  private let input: AVInputHandle
  private let interruption: Interruption
  private let pipe: PipeInput?

  /// Opens a file, URL or pipe.
  ///
  /// - Parameters:
  ///   - url: What libavformat is given.
  ///   - name: What messages call it.
  ///   - pipe: Where the bytes come from instead, if they come through a pipe.
  ///   - format: A demuxer's name where it is not to be guessed.
  ///   - options: The demuxer's options; those it does not have are passed over.
  ///   - includesSound: Whether sound is wanted.
  ///   - interruption: Makes reads return early.
  /// - Throws: A sentence for the user.
  init(
    url: String, name: String, pipe: PipeInput?, format: String? = nil,
    options: [(String, String)] = [], includesSound: Bool, interruption: Interruption
  ) throws(CaptureError) {
    let begin = MonotonicTime.now
    let input = try Demuxer.open(
      url: url, name: name, pipe: pipe, format: format, options: options,
      interruption: interruption)
    let call = TimedCall("avformat_open_input", since: begin)
    let found = avformat_find_stream_info(input.pointer, nil)
    guard found >= 0 else { throw Demuxer.refusal(found, name: name, isPipe: pipe != nil) }
    let context = input.pointer
    let index = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
    guard index >= 0, let streams = context.pointee.streams, let video = streams[Int(index)],
      video.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    else {
      throw CaptureError("\(name) has no video stream; kfrec needs a file with pictures")
    }
    var soundIndexes: [Int32] = []
    var sound: [CompressedStream] = []
    var otherVideoStreams = 0
    let extent = SourceExtent(
      stream: video, context: context,
      formatName: context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? "")
    for number in 0..<Int32(context.pointee.nb_streams) where number != index {
      guard let stream = streams[Int(number)] else { continue }
      let kind = stream.pointee.codecpar.pointee.codec_type
      if kind == AVMEDIA_TYPE_AUDIO, includesSound {
        do throws(FFmpegError) { sound.append(try CompressedStream(stream)) } catch {
          throw CaptureError("\(error)")
        }
        soundIndexes.append(number)
        continue
      }
      let isCover = stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
      if isCover || !extent.needsEveryStream { stream.pointee.discard = AVDISCARD_ALL }
      if kind == AVMEDIA_TYPE_VIDEO, !isCover { otherVideoStreams += 1 }
    }
    self.video = video
    self.soundIndexes = soundIndexes
    self.sound = sound
    self.otherVideoStreams = otherVideoStreams
    self.extent = extent
    self.interruption = interruption
    self.pipe = pipe
    self.input = input
    openingCall = call
  }

  private static func open(
    url: String, name: String, pipe: PipeInput?, format: String?, options: [(String, String)],
    interruption: Interruption
  ) throws(CaptureError) -> AVInputHandle {
    guard let allocated = avformat_alloc_context() else {
      throw CaptureError("\(name) cannot be opened: out of memory")
    }
    interruption.attach(to: allocated)
    pipe?.attach(to: allocated)
    var dictionary: OpaquePointer?
    for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
    defer { av_dict_free(&dictionary) }
    var context: UnsafeMutablePointer<AVFormatContext>? = allocated
    let result = avformat_open_input(
      &context, url, format.flatMap { av_find_input_format($0) }, &dictionary)
    // On failure avformat_open_input has freed the context.
    guard result >= 0, let context else {
      throw Demuxer.refusal(result, name: name, isPipe: pipe != nil)
    }
    return AVInputHandle(owning: context)
  }

  /// Why a file cannot be opened, as a sentence.
  private static func refusal(_ code: Int32, name: String, isPipe: Bool) -> CaptureError {
    if code == kf_averror_invaliddata() {
      if isPipe {
        return CaptureError(
          """
          \(name) is not a video or picture that FFmpeg can read from a pipe (an MP4 with its index at \
          the end needs to be a file)
          """)
      }
      if ISOFile.hasMediaButNoIndex(name) {
        return CaptureError(
          """
          \(name) has lost its index (no moov atom): its recording was cut off before the end. A tool \
          that rebuilds indexes, such as untrunc, may help
          """)
      }
      return CaptureError("\(name) is not a video or picture file that FFmpeg knows")
    }
    if code == kf_averror_eof() {
      return CaptureError(
        "\(name) ends within its headers: it was cut off, and no picture of it can be found")
    }
    return CaptureError("\(name) cannot be opened: \(FFmpegError.reason(code))")
  }

  /// The container's context, for what it knows of the whole file.
  var context: UnsafeMutablePointer<AVFormatContext> { input.pointer }

  /// The demuxer's short name ("mov,mp4,m4a,3gp,3g2,mj2").
  var formatName: String {
    context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
  }

  /// The unit of a stream's times in seconds.
  func timeBase(of index: Int32) -> Rational {
    guard let stream = context.pointee.streams[Int(index)] else { return .zero }
    return Rational(stream.pointee.time_base)
  }

  /// The bytes come in one pass.
  var isUnseekable: Bool { context.pointee.pb.map { $0.pointee.seekable == 0 } ?? false }

  /// Reads the next packet; 0, or FFmpeg's error or end code.
  func read(into packet: borrowing AVPacketHandle) -> Int32 {
    packet.clear()
    return av_read_frame(context, packet.pointer)
  }

  /// Goes to the beginning; `ticks` is the video stream's first time.
  func seekToStart(_ ticks: Int64) {
    // Streams without an index are searched by decoding times, the first of which may lie later.
    let flag =
      context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0
      ? AVSEEK_FLAG_BYTE : AVSEEK_FLAG_BACKWARD
    av_seek_frame(
      context, video.pointee.index, flag == AVSEEK_FLAG_BYTE ? 0 : ticks, flag)
  }

  /// Goes to the last key frame at or before a time in the video stream's ticks; false if the
  /// source cannot seek.
  func seek(to ticks: Int64) -> Bool {
    av_seek_frame(context, video.pointee.index, ticks, AVSEEK_FLAG_BACKWARD) >= 0
  }
}
