import CFFmpeg
import FFmpegHandles
import Frames

/// An open container: its video stream, the sound streams that are carried along, and its packets.
struct Demuxer: ~Copyable {
  let video: UnsafeMutablePointer<AVStream>
  /// FFmpeg's stream number of each carried sound stream.
  let audioIndexes: [Int32]
  let sound: [CompressedStream]
  /// The place among these of the one that FFmpeg takes for the best.
  let bestAudio: Int?
  /// What was chosen where there was a choice, as a sentence.
  let choice: String?
  /// What players call the source's zero, in its own time.
  let zero: Rational?
  /// What the container says that it holds.
  let extent: SourceExtent

  /// What opening it took in `avformat_open_input`.
  let openingCall: TimedCall

  private let input: AVInputHandle
  private let interruption: Interruption
  private let pipe: PipeInput?
  private let ahead: PacketsAhead

  /// Opens a file, URL or pipe.
  ///
  /// - Parameters:
  ///   - url: What libavformat is given.
  ///   - name: What messages call it.
  ///   - pipe: Where the bytes come from instead, if they come through a pipe.
  ///   - format: A demuxer's name where it is not to be guessed.
  ///   - options: The demuxer's options; those it does not have are passed over.
  ///   - includesAudio: All sound is wanted.
  ///   - isHeard: The best sound is wanted at least.
  ///   - interruption: Makes reads return early.
  /// - Throws: A sentence for the user.
  init(
    url: String, name: String, pipe: PipeInput?, format: String? = nil,
    options: [(String, String)] = [], includesAudio: Bool, isHeard: Bool = false,
    interruption: Interruption
  ) throws(CaptureError) {
    let begin = MonotonicTime.now
    let input = try Demuxer.open(
      url: url, name: name, pipe: pipe, format: format, options: options,
      interruption: interruption)
    let call = TimedCall("avformat_open_input", since: begin)
    let found = avformat_find_stream_info(input.pointer, nil)
    guard found >= 0 else { throw Demuxer.refusal(found, name: name, isPipe: pipe != nil) }
    let context = input.pointer
    guard let streams = context.pointee.streams, let choice = StreamChoice(context) else {
      throw CaptureError("\(name) has no video stream; kfrec needs a file with pictures")
    }
    let video = choice.video
    let formatName = context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
    let extent = SourceExtent(stream: video, context: context, formatName: formatName)
    let best = av_find_best_stream(
      context, AVMEDIA_TYPE_AUDIO, -1, video.pointee.index, nil, 0)
    let audioIndexes =
      includesAudio
      ? choice.sound : isHeard ? choice.sound.filter { $0 == best } : []
    for number in 0..<Int32(context.pointee.nb_streams)
    where number != video.pointee.index && !audioIndexes.contains(number) {
      guard let stream = streams[Int(number)] else { continue }
      // An HLS playlist is fetched for as long as one of its streams is wanted.
      if stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        || choice.isOfOtherProgram(number) || formatName == "hls" || !extent.needsEveryStream
      {
        stream.pointee.discard = AVDISCARD_ALL
      }
    }
    choice.discardOtherPrograms(of: context)
    let ahead = PacketsAhead()
    var sound: [CompressedStream] = []
    do throws(FFmpegError) {
      let configurations = try ahead.configurations(of: audioIndexes, in: context)
      for number in audioIndexes {
        guard let stream = streams[Int(number)] else { continue }
        sound.append(try CompressedStream(stream, configuration: configurations[number]))
      }
    } catch {
      throw CaptureError("\(error)")
    }
    self.ahead = ahead
    self.video = video
    self.choice = choice.explanation(name: name)
    zero = choice.zero
    self.audioIndexes = audioIndexes
    self.sound = sound
    bestAudio = audioIndexes.firstIndex(of: best) ?? (sound.isEmpty ? nil : 0)
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

  /// What the container says of a stream.
  func parameters(of index: Int32) -> UnsafeMutablePointer<AVCodecParameters>? {
    context.pointee.streams[Int(index)]?.pointee.codecpar
  }

  /// The bytes come in one pass.
  var isUnseekable: Bool { context.pointee.pb.map { $0.pointee.seekable == 0 } ?? false }

  /// Reads the next packet; 0, or FFmpeg's error or end code.
  func read(into packet: borrowing AVPacketHandle) -> Int32 {
    packet.clear()
    return ahead.read(into: packet) ?? av_read_frame(context, packet.pointer)
  }

  /// A stream that is read: used, or needed to know whether the file is whole.
  func isRead(_ index: Int32) -> Bool {
    context.pointee.streams[Int(index)].map { $0.pointee.discard != AVDISCARD_ALL } ?? false
  }

  private var canSeek: Bool { Capture.canSeek(in: context, by: video) }

  /// Goes to the beginning; `ticks` is the video stream's first time.
  ///
  /// - Returns: False if the source cannot seek.
  func seekToStart(_ ticks: Int64) -> Bool {
    guard canSeek else { return false }
    // Streams without an index are searched by decoding times, the first of which may lie later.
    let flags = context.pointee.iformat.pointee.flags
    let isByBytes = flags & AVFMT_TS_DISCONT != 0 && flags & AVFMT_NO_BYTE_SEEK == 0
    return seek(
      to: isByBytes ? 0 : ticks, isByBytes ? AVSEEK_FLAG_BYTE : AVSEEK_FLAG_BACKWARD)
  }

  /// Goes to the last key frame at or before a time in the video stream's ticks; false if the
  /// source cannot seek.
  func seek(to ticks: Int64) -> Bool { canSeek && seek(to: ticks, AVSEEK_FLAG_BACKWARD) }

  private func seek(to place: Int64, _ flags: Int32) -> Bool {
    guard av_seek_frame(context, video.pointee.index, place, flags) >= 0 else { return false }
    ahead.removeAll()
    return true
  }

  /// The decoding time of the last key frame at or before a time, in the video stream's ticks; nil
  /// where there is no index as MOV and MP4 have it.
  func indexedKeyFrame(before ticks: Int64) -> Int64? {
    guard formatName.hasPrefix("mov,") else { return nil }
    return avformat_index_get_entry_from_timestamp(video, ticks, AVSEEK_FLAG_BACKWARD)?
      .pointee.timestamp
  }

  /// Tells whether the container's index has sound that begins before a time and was not read yet.
  ///
  /// Only MOV and MP4 have an index of sound; a fragment's is known once its head was read.
  ///
  /// - Parameters:
  ///   - sound: The place of the stream among the carried ones.
  ///   - stamp: Its latest decoding time in its ticks; nil where nothing of it was read.
  ///   - start: Where reading began, if nothing of it was read.
  ///   - end: The time in seconds.
  /// - Returns: False where the container has no such index.
  func hasIndexedSound(
    _ sound: Int, after stamp: Int64?, from start: Rational, before end: Rational
  ) -> Bool {
    let number = audioIndexes[sound]
    let unit = timeBase(of: number)
    let next = indexedTime(of: number, from: stamp.map { $0 + 1 } ?? start.ticks(timeBase: unit))
    return next.map { Rational($0) * unit < end } ?? false
  }

  /// The first decoding time at or after another by the index of a MOV or MP4, in a stream's ticks.
  func indexedTime(of index: Int32, from ticks: Int64) -> Int64? {
    guard formatName.hasPrefix("mov,"), let stream = context.pointee.streams[Int(index)] else {
      return nil
    }
    return avformat_index_get_entry_from_timestamp(stream, ticks, AVSEEK_FLAG_ANY)?
      .pointee.timestamp
  }
}

/// What comes before a place can be passed over without reading it.
func canSeek(
  in context: UnsafeMutablePointer<AVFormatContext>, by stream: UnsafeMutablePointer<AVStream>
) -> Bool {
  // FFmpeg's HLS reader loses its place in fragments of MP4 when it seeks (their codecs have names
  // of four characters, those of a transport stream are small numbers).
  if let name = context.pointee.iformat?.pointee.name, String(cString: name) == "hls" {
    return stream.pointee.codecpar.pointee.codec_tag <= 0xff
  }
  return context.pointee.pb.map { $0.pointee.seekable != 0 } ?? true
}
