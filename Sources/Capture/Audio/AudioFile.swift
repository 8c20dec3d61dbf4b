import CFFmpeg
package import FFmpegHandles
package import Frames

/// The best audio of a file, read as samples from a place on, once or again and again.
///
/// Used by one thread at a time; any thread may interrupt it.
package final class AudioFile {
  /// The format of the audio in the file, and of the samples.
  package let format: AudioFormat

  private let request: AudioFileRequest
  private let interruption: Interruption
  private var turn: Turn
  /// Number of samples that this turn gave.
  private var given: Int64 = 0
  private var isOver = false

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - request: What is read.
  ///   - format: The format of the samples; nil for that of the file.
  ///   - interruption: Ends the file.
  /// - Throws: A sentence if there is no such file, or no audio in it.
  package init(
    _ request: AudioFileRequest, as format: AudioFormat? = nil, interruption: Interruption
  ) throws(CaptureError) {
    (self.request, self.interruption) = (request, interruption)
    turn = try Turn(request, as: format, interruption: interruption)
    self.format = turn.format
  }

  /// Reads the next samples.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - planes: Where they go, in the file's format.
  ///   - place: Their first place there.
  /// - Returns: How many there were; fewer only at the end.
  /// - Throws: If the audio cannot be decoded.
  package func read(
    _ count: Int, into planes: SamplePlanes, at place: Int
  ) throws(CaptureError) -> Int {
    var done = 0
    while done < count, !isOver {
      let part = try turn.read(count - done, into: planes, at: place + done)
      done += part
      given += Int64(part)
      guard part == 0 else { continue }
      guard request.loops, given > 0, !interruption.isInterrupted else {
        isOver = true
        break
      }
      turn = try Turn(request, as: format, interruption: interruption)
      given = 0
    }
    return done
  }

  /// The file, opened once.
  private final class Turn {
    let format: AudioFormat
    private let request: AudioFileRequest
    private let input: AVInputHandle
    private let stream: UnsafeMutablePointer<AVStream>
    private let packet: AVPacketHandle
    private let audio: SourceAudio
    private let interruption: Interruption
    private var hasEnded = false

    init(
      _ request: AudioFileRequest, as format: AudioFormat?, interruption: Interruption
    ) throws(CaptureError) {
      (self.request, self.interruption) = (request, interruption)
      let name = request.path
      let isURL = SourceKind.url.isWritten(name)
      // A pipe has no place to go back to, and the wait for its writer could not be interrupted.
      if !isURL, try FileProblems.check(name) == .pipe {
        throw CaptureError("--audio-in \(name) is a pipe; give it as a file", isUsageError: true)
      }
      let input = try Demuxer.open(
        url: isURL ? name : "file:" + name, name: name, pipe: nil, format: nil, options: [],
        interruption: interruption)
      let context = input.pointer
      avformat_find_stream_info(context, nil)
      let best = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
      guard best >= 0, let found = context.pointee.streams[Int(best)] else {
        throw CaptureError("\(name) has no audio; give --audio-in a file that has some")
      }
      for number in 0..<Int(context.pointee.nb_streams) where number != Int(best) {
        context.pointee.streams[number]?.pointee.discard = AVDISCARD_ALL
      }
      let zero =
        context.pointee.start_time == kf_av_nopts_value()
        ? Rational.zero : Rational(context.pointee.start_time, 1_000_000)
      let start = zero + request.start
      // A decoder needs the packets before the first one that is heard.
      let ahead = start - Rational(1)
      if request.start > Rational(1) {
        av_seek_frame(
          context, best, ahead.ticks(timeBase: Rational(found.pointee.time_base)),
          AVSEEK_FLAG_BACKWARD)
      }
      do throws(FFmpegError) {
        let coded = try CompressedStream(found)
        guard let own = AudioDecoder(coded)?.format,
          let audio = try SourceAudio(coded, from: start, as: format ?? own)
        else {
          throw FFmpegError(
            call: "avcodec_open2", subject: name, code: kf_averror_invaliddata())
        }
        let packet = try AVPacketHandle()
        (self.format, self.audio) = (format ?? own, audio)
        self.packet = packet
      } catch {
        throw CaptureError("the audio of \(name) cannot be decoded (\(error.reason))")
      }
      stream = found
      self.input = input
    }

    /// Reads up to `count` samples; 0 at the end.
    func read(
      _ count: Int, into planes: SamplePlanes, at place: Int
    ) throws(CaptureError) -> Int {
      do throws(FFmpegError) {
        while audio.ready < count, !hasEnded { try readPacket() }
        let part = min(audio.ready, count)
        if part > 0 { try audio.read(part, into: planes, at: place) }
        return part
      } catch {
        throw CaptureError("the audio of \(request.path) cannot be decoded: \(error)")
      }
    }

    private func readPacket() throws(FFmpegError) {
      packet.clear()
      let result = av_read_frame(input.pointer, packet.pointer)
      guard result >= 0 else {
        if result == kf_averror(11) { return }
        hasEnded = true
        return try audio.end()
      }
      let data = packet.pointer.pointee
      guard data.stream_index == stream.pointee.index else { return }
      let unit = Rational(stream.pointee.time_base)
      let stamp = data.pts == kf_av_nopts_value() ? data.dts : data.pts
      guard stamp != kf_av_nopts_value() else { return }
      try audio.add(
        try CompressedPacket(
          moving: packet.pointer, streamIndex: 0, time: Rational(stamp) * unit,
          duration: Rational(data.duration) * unit))
    }
  }
}

/// Which file is read for its audio, and how.
package struct AudioFileRequest: Sendable, Equatable {
  package var path: String
  /// Seconds from the file's beginning at which it begins.
  package var start = Rational.zero
  /// Whether it begins again at its end.
  package var loops = false

  package init(path: String) { self.path = path }
}
