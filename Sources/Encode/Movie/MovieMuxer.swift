import CFFmpeg
import FFmpegHandles
import Frames

/// A running libavformat muxer: packets in, a container's bytes out; used by one thread at a time.
struct MovieMuxer: ~Copyable {
  private var output: MuxerContext
  private let channel: OutputChannel
  /// For audio; filled again for each packet.
  private let packet: AVPacketHandle
  private let encoderTimeBase: Rational
  /// Bytes given to libavformat, some of which may still wait for interleaving.
  private var given: Int64 = 0
  private var packets: Int64 = 0
  /// Number of frames written, and the latest end of a frame in the encoder's ticks.
  private(set) var frames = 0
  private var end: Int64 = 0
  /// How long the latest frame is shown, in the encoder's ticks.
  private var lastDuration: Int64 = 0
  /// Number of damaged audio packets that were left out.
  private(set) var damagedAudio = 0
  /// The written part can be played at any moment, except for its very end.
  private let isSafe: Bool
  private let container: Container
  /// Bytes of a frame if frames are not encoded.
  private let frameBytes: Int64?
  private var request: SinkRequest
  /// One for each audio stream of the source.
  private let headers: [ADTSHeaders]
  /// Index in `output.audio` of each audio stream of the source; nil for one that was left out.
  private var audioPlaces: [Int?]
  /// Number of audio streams that had not begun when the file could not wait any longer.
  var leftOutAudio: Int { audioPlaces.count { $0 == nil } }
  /// Packets of each audio stream that the muxer has taken.
  private var audioPackets: [Int]
  /// The header of a MOV or MP4 that is written in fragments.
  private var header: MovieHeader?
  /// For a MOV or MP4 in fragments: the tables that turn it into an ordinary file at its end.
  private var tables: MovieTables?
  /// First decoding time in the fragment that is not written yet, in the encoder's ticks.
  private var fragmentStart: Int64?

  private var context: UnsafeMutablePointer<AVFormatContext> { output.pointer }

  /// Most bytes of MOV's tables per packet: times (8 + 8), size (4), chunk (8 + 12), key (4).
  private static let tableBytes: Int64 = 48
  /// Bytes of headers, and of the head of the fragment that is not written yet.
  private static let headerBytes: Int64 = 64 << 10
  /// A fragment ends after this many seconds, or before a keyframe after half of that.
  private static let fragmentLength = Rational(1, 2)
  /// Longest time in seconds that all data is held in memory while the header waits for audio.
  private static let longestWait = Rational(10)

  /// Writes the header for the encoder's stream and for the audio.
  ///
  /// A MOV or MP4 is recorded in fragments, the first of which is in the file with the
  /// first frame, so that if the process is killed, the file can be played up to its last half
  /// second. `finish` turns it into an ordinary file, without copying it. Matroska's
  /// fragments are its clusters, which libavformat would end after five seconds only, and y4m needs none.
  init(
    container: Container, channel: OutputChannel, encoder: borrowing some VideoTrack & ~Copyable,
    request: SinkRequest
  ) throws {
    var request = request
    if !container.holdsChapters(isFile: channel.isSeekable) { request.contents?.chapters = [] }
    var output = try MuxerContext(
      container: container, to: channel.writer.context, encoder: encoder, request: request,
      name: channel.name)
    let packet = try AVPacketHandle()
    let isFragmented =
      container.has(.fragments) && channel.isSeekable && request.fitsFragments
    let isSafe =
      isFragmented
      || channel.isSeekable
        && (container.has(.clusters) || request.isLive && !container.has(.fragments))
    let flags =
      isFragmented
      ? MovieHeader.flags
      : channel.isSeekable ? nil : "frag_keyframe+empty_moov+delay_moov+default_base_moof"
    guard channel.writer.takeRoom(for: MovieMuxer.headerBytes) else {
      throw EncodeError.cannotWrite(channel.name, channel.writer.failure)
    }
    if let animation = container.animation {
      try animation.setPlays(request.plays, in: output.pointer.pointee.priv_data)
    }
    let result = output.writeHeader(
      container, videoScale: encoder.timeBase.denominator, flags: flags)
    try channel.checkWritten()
    guard result >= 0 else {
      throw EncodeError(
        "\(channel.name): \(container.title) does not take these streams "
          + "(\(FFmpegError.reason(result))): choose another --codec or --pixel-format"
          + (container.has(.anyStream) ? "" : ", write .mkv")
          + (request.codedAudio.isEmpty && request.audio.isEmpty
            ? "" : ", or leave out the audio with --no-audio"))
    }
    try output.writeCovers()
    tables =
      isFragmented
      ? try MovieTables(
        container: container, encoder: encoder, request: request, name: channel.name) : nil
    header =
      isFragmented
      ? MovieHeader(container: container, request: request, name: channel.name) : nil
    self.isSafe = isSafe
    self.container = container
    frameBytes =
      container.isUncompressed ? Int64(WrittenSamples.bytes(ofFrame: request.format)) : nil
    self.request = request
    headers = request.codedAudio.map { ADTSHeaders(of: $0) }
    audioPlaces = Array(request.codedAudio.indices)
    audioPackets = Array(repeating: 0, count: request.codedAudio.count)
    self.output = output
    self.packet = packet
    self.channel = channel
    encoderTimeBase = encoder.timeBase
  }

  /// Takes an encoder's packet; `duration` is how long its frame is shown, in the encoder's ticks.
  mutating func write(
    video encoded: UnsafeMutablePointer<AVPacket>, duration: Int64,
    of encoder: borrowing some VideoTrack & ~Copyable
  ) throws {
    encoded.pointee.duration = duration
    encoded.pointee.stream_index = output.video
    let shownUntil = encoded.pointee.pts + duration
    lastDuration = duration
    if isSafe, isFragmentDue(before: encoded) { try endFragment(encoder) }
    output.rescale(encoded, from: encoderTimeBase)
    try write(encoded)
    frames += 1
    end = max(end, shownUntil)
    guard frames == 1 else { return }
    channel.noteFootage()
    if isSafe { try endFragment(encoder) }
  }

  /// Takes an audio packet; a packet that is too damaged for the container is left out and counted.
  mutating func write(audio compressed: CompressedPacket) throws {
    guard audioPlaces.indices.contains(compressed.streamIndex),
      let audio = audioPlaces[compressed.streamIndex]
    else { return }
    let place = output.audio[audio].place(compressed)
    let missing = output.audio[audio].missingSamples(before: place.start, bytes: compressed.size)
    if missing > 0 { try writeSilence(missing, before: place.start, to: output.audio[audio]) }
    try output.audio[audio].fill(packet, with: compressed, at: place)
    let isEmpty = packet.pointer.pointee.size == 0
    do {
      try headers[compressed.streamIndex].remove(from: packet.pointer)
      try write(packet.pointer)
      if !isEmpty { audioPackets[audio] += 1 }
    } catch let error as FFmpegError
      where [kf_averror_invaliddata(), kf_averror_patchwelcome()].contains(error.code)
    {
      // Damage may turn a header into one that FFmpeg cannot read.
      damagedAudio += 1
    }
  }

  /// Fills a gap before a packet with silent samples, in pieces of a second that share their bytes: it may last for hours.
  private mutating func writeSilence(
    _ count: Int64, before start: Int64, to track: AudioTrack
  ) throws {
    guard let samples = track.counted else { return }
    let tick = track.timeBase
    let most = min(count, samples.rate)
    let size = Int(most) * samples.bytes
    let silence = try AVPacketHandle()
    try check(av_new_packet(silence.pointer, Int32(size)), "av_new_packet", "silence")
    silence.pointer.pointee.data.update(repeating: samples.silence, count: size)
    var rest = count
    while rest > 0 {
      let part = min(rest, most)
      packet.clear()
      try check(av_packet_ref(packet.pointer, silence.pointer), "av_packet_ref", "silence")
      let data = packet.pointer
      data.pointee.size = Int32(Int(part) * samples.bytes)
      data.pointee.stream_index = track.index
      data.pointee.pts = start - Rational(rest, samples.rate).ticks(timeBase: tick)
      data.pointee.dts = data.pointee.pts
      data.pointee.duration = Rational(part, samples.rate).ticks(timeBase: tick)
      data.pointee.flags |= AV_PKT_FLAG_KEY
      try write(data)
      rest -= part
    }
  }

  private mutating func write(_ packet: UnsafeMutablePointer<AVPacket>) throws {
    let size = Int64(packet.pointee.size)
    guard channel.writer.takeRoom(for: room(for: size)) else {
      av_packet_unref(packet)
      throw EncodeError.cannotWrite(channel.name, channel.writer.failure)
    }
    given += size
    packets += 1
    try tables?.expect(packet)
    let stream = Int(packet.pointee.stream_index)
    let isFirst = try header?.note(packet) ?? false
    if stream == output.video, header?.hasAllBegun == true {
      // The duration counts only for the last frame of a fragment. The next frame may be decoded
      // before this duration ends, which libavformat would correct with a wrong time (movenc.c,
      // `check_pkt`).
      packet.pointee.duration = 1
    }
    let result = av_interleaved_write_frame(context, packet)
    if result < 0, isFirst { header?.forget(stream) }
    try channel.checkWritten()
    try check(result, "av_interleaved_write_frame", channel.name)
  }

  /// Returns the bytes that the file needs for a packet of `size` bytes, and to be completed after
  /// it.
  private mutating func room(for size: Int64) -> Int64 {
    // A y4m packet only points to the frame, which is written at once, after a short line.
    if let frameBytes { return frameBytes + MovieMuxer.tableBytes }
    // The data that libavformat still holds, this packet, and the tables at the end.
    let waiting = tables?.waitingBytes ?? max(given - channel.writer.end, 0)
    return waiting + size + (packets + 1) * MovieMuxer.tableBytes + MovieMuxer.headerBytes
  }

  /// Writes the waiting data and the container's end, and checks that the file holds what was
  /// encoded.
  ///
  /// After the disk became full this still works if space was reserved; `known` is the errno value
  /// of a failure that the caller already knows, and is not thrown again.
  mutating func finish(afterFailure known: Int32, of encoder: borrowing some VideoTrack & ~Copyable)
    throws
  {
    guard frames > 0 else { return }
    if let animation = container.animation {
      try animation.setLastDuration(
        Rational(lastDuration) * encoderTimeBase, in: context.pointee.priv_data)
    }
    tables?.endVideo()
    let result = tables == nil ? av_write_trailer(context) : try flush(encoder)
    channel.writer.flush()
    try checkEnd(afterFailure: known)
    try check(result, "av_write_trailer", channel.name)
    if tables != nil {
      completeFragments()
      try checkEnd(afterFailure: known)
    }
    try checkWhole()
  }

  /// Throws if the file does not hold everything that is reported.
  private func checkWhole() throws(EncodeError) {
    guard channel.isSeekable else { return }
    let remedy = "write .\(container.other) instead"
    let counts = WrittenSamples.count(
      in: channel.writer.file, size: channel.writer.end, container: container,
      format: request.format)
    let held = counts.first ?? 0
    guard held == frames else {
      throw EncodeError(
        "\(channel.name): \(frames) frames were encoded and the file holds \(held); \(remedy)"
      )
    }
    for (audio, packets) in zip(output.audio, audioPackets) {
      let held = counts.dropFirst(Int(audio.index)).first ?? 0
      // A sample may be smaller than a packet (PCM) or larger (E-AC-3).
      guard held < packets, held == 0 || !audio.joinsPackets else { continue }
      throw EncodeError(
        "\(channel.name): \(packets) packets of audio were written and the file holds \(held); "
          + remedy)
    }
  }

  private func checkEnd(afterFailure known: Int32) throws {
    if known == 0 || channel.writer.context.pointee.error < 0 { try channel.checkWritten() }
  }

  /// Whether a fragment ends before this packet, whose times are in the encoder's ticks.
  private mutating func isFragmentDue(before packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    let time = packet.pointee.dts
    guard let start = fragmentStart else {
      fragmentStart = time
      return false
    }
    let isKey = packet.pointee.flags & AV_PKT_FLAG_KEY != 0
    let length = Rational(time - start) * encoderTimeBase
    guard length >= MovieMuxer.fragmentLength / Rational(isKey ? 2 : 1) else { return false }
    fragmentStart = time
    return true
  }

  /// Writes what libavformat holds into the file, so that it can be played up to here.
  private mutating func endFragment(_ encoder: borrowing some VideoTrack & ~Copyable) throws {
    if header?.isWritten == false, header?.awaited.contains(true) == true,
      duration < MovieMuxer.longestWait
    {
      return
    }
    let result = try flush(encoder)
    channel.writer.flush()
    try channel.checkWritten()
    try check(result, "av_write_frame", channel.name)
    tables?.look(in: channel.writer.file, upTo: channel.writer.end)
  }

  /// Makes libavformat write what it holds; returns its code.
  private mutating func flush(_ encoder: borrowing some VideoTrack & ~Copyable) throws -> Int32 {
    let isFirst = header?.isWritten == false
    if isFirst, header?.awaited.contains(true) == true { try leaveOutAwaitedAudio(encoder) }
    var result: Int32 = 0
    if request.isLive || !container.has(.clusters) {
      // Also packets that wait for other streams: an audio stream that does not come delays nothing. Matroska shows a reader
      // their order, and what reads a file gives audio as soon as frames.
      result = av_interleaved_write_frame(context, nil)
      guard result >= 0 else { return result }
    }
    if isFirst {
      result = writeHeader()
      guard result >= 0 else { return result }
    } else if let box = try header?.update(in: channel.writer.file, encoder: encoder) {
      tables?.replaceHeader(with: box)
    }
    result = av_write_frame(context, nil)
    if header?.isComplete == true {
      // The next fragment starts at its own time, not where the last packet's duration ends.
      av_opt_set(context.pointee.priv_data, "movflags", "+frag_discont", 0)
    }
    return result
  }

  /// Makes libavformat write the header, which is all that the first flush does (movenc.c,
  /// `mov_flush_fragment`), and keeps space after it if an audio stream has not begun.
  private mutating func writeHeader() -> Int32 {
    let start = channel.writer.end
    let result = av_write_frame(context, nil)
    channel.writer.flush()
    guard result >= 0, channel.writer.failure == 0 else { return result }
    let room = header?.wasWritten(to: channel.writer.file, from: start, to: channel.writer.end) ?? 0
    if room > 0 {
      let bytes = MovieHeader.head(size: Int64(room)) + Array(repeating: 0, count: room - 8)
      avio_write(channel.writer.context, bytes, Int32(room))
    }
    return result
  }

  /// Starts again without the audio streams that the header waits for; the file is still empty.
  private mutating func leaveOutAwaitedAudio(_ encoder: borrowing some VideoTrack & ~Copyable)
    throws
  {
    guard let awaited = header?.awaited, let held = tables.take()?.released() else { return }
    let kept = awaited.indices.filter { !awaited[$0] }
    request.codedAudio = kept.map { request.codedAudio[$0] }
    var output = try MuxerContext(
      container: container, to: channel.writer.context, encoder: encoder, request: request,
      name: channel.name)
    try check(
      output.writeHeader(
        container, videoScale: encoder.timeBase.denominator, flags: MovieHeader.flags),
      "avformat_write_header", channel.name)
    for (place, old) in kept.enumerated() {
      let index = output.audio[place].index
      output.audio[place] = self.output.audio[old]
      output.audio[place].index = index
    }
    audioPackets = kept.map { audioPackets[$0] }
    audioPlaces = audioPlaces.map { place in place.flatMap { kept.firstIndex(of: $0) } }
    self.output = output
    tables = try MovieTables(
      container: container, encoder: encoder, request: request, name: channel.name)
    header = MovieHeader(container: container, request: request, name: channel.name)
    for (stream, old) in ([0] + kept.map { $0 + 1 }).enumerated() {
      for packet in held[old] {
        packet.pointer.pointee.stream_index = Int32(stream)
        try write(packet.pointer)
      }
    }
  }

  /// Writes the tables of an ordinary file after the fragments, and turns their heads into free
  /// space.
  ///
  /// The file can be played at every moment: by its fragments until the first head, the header, is
  /// gone, and then by its tables.
  private mutating func completeFragments() {
    guard var tables = tables.take() else { return }
    let end = channel.writer.end
    tables.look(in: channel.writer.file, upTo: end)
    guard let (bytes, heads) = tables.finish(at: end) else { return }
    let target = channel.writer.context
    bytes.withUnsafeBufferPointer { avio_write(target, $0.baseAddress, Int32($0.count)) }
    channel.writer.flush()
    // If there is no space for the tables, the file stays in fragments.
    guard target.pointee.error >= 0 else { return }
    for head in heads {
      avio_seek(target, head.typePosition, SEEK_SET)
      avio_wb32(target, MovieBox.free)
    }
    channel.writer.flush()
  }

  /// End of the last frame, in seconds from the start of the first one.
  var duration: Rational { Rational(end) * encoderTimeBase }
}

extension SinkRequest {
  /// Whether a MOV or MP4 can be written in fragments, and nothing is lost by that.
  fileprivate var fitsFragments: Bool {
    guard isLive || keepsPlayable else { return false }
    // movenc.c adds samples of its own to texts, chapters and covers, which would not be found in the fragments.
    let holdsText = codedAudio.contains {
      $0.parameters.pointee.codec_id == AV_CODEC_ID_MOV_TEXT
    }
    let holdsMore =
      contents.map { !$0.chapters.isEmpty || $0.attachments.contains(where: \.isCover) } ?? false
    // The header waits for audio of these codecs. In a file it may begin after any time.
    let waits = !isLive && codedAudio.contains { MovieHeader.isAwaited($0) }
    return !holdsText && !holdsMore && !waits
  }
}
