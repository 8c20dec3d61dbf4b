import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// Reads frames and audio from a file, URL, pipe, image or numbered images, with libavformat and libavcodec.
///
/// Opening decodes the first frame, because only a frame shows the true layout and colours. After that
/// one thread reads.
final class FileSource: MediaSource {
  var description: SourceDescription
  var report = SourceReport()

  let request: SourceRequest
  let input: FileInput
  let demuxer: Demuxer
  /// The numbered images; nil for other inputs.
  let numbered: NumberedImages?
  let decoder: ReplaceableDecoder
  let packet: AVPacketHandle
  let timeBase: Rational
  /// By how many ticks frames without a time of their own come late: AVI stores only the order in which they are decoded.
  let reorderingDelay: Int64
  /// The source's own time at which the container ends, if frames are shown no longer than that; nil if it does not say.
  let containerEnd: Rational?
  /// How long a frame is shown that does not say it, in seconds; nil for images, and if the container says its end.
  ///
  /// For most containers FFmpeg fills it in, not for FLV and ASF.
  let usualLength: Rational?
  /// The length of a frame of an elementary stream that says no frame rate, in parts of FFmpeg's guess; nil for others.
  var assumedPace: Rational?
  var hasFirstFrame = false
  /// The time that players show as zero, in the source's own time, in seconds.
  let zero: Rational
  var conversion: FrameConversion
  /// What the files of numbered images say, by the times of their packets, until their frames come.
  var imageFacts: [Int64: PictureFacts] = [:]
  var continuity: TimeContinuity
  var times: TimestampRepair
  var part: SourceTrim
  var extent: SourceExtent
  /// Whether the report of what is missing is of a stretch with frames.
  var knowsEnd = false
  var waiting = WaitingSamples()
  private var latest = LatestFrame()
  var audio: AudioProgress
  /// Holds frames until their audio was read; nil if frames need not wait for audio.
  var behindAudio: FramesBehindAudio?
  /// Whether the decoder was told that no more packets come.
  var isDraining = false
  var state = State.reading
  var fieldOrder: FieldOrder?
  var fields: FieldLookAhead
  /// Losses that count unless times jump with the next packet of the video.
  var awaitedLosses = 0
  /// Whether times have jumped since the latest packet of the video, and before it.
  var hasJumped = false
  var isAfterJump = false
  /// Whether the file holds a second movie, which is not read.
  let joinsMovies: Bool
  /// Contents that no output takes; nil after the first frame has shown what it carries.
  var leftOut: LeftOut?
  var place = SeekTarget()
  /// The time of the latest frame before the requested stretch, in the source's own time.
  var previousTime: Rational?
  /// Whether no more frames are wanted, only audio.
  var skipsFrames = false
  /// The requested part, while a stretch of it is read again.
  var wholePart: SourceTrim?
  var damage: DamageCount
  /// Looks for lost packets of a transport stream; nil for other sources.
  let lostPackets: TransportScan?
  /// The place in the file and the time of the latest packet of the video, in bytes and in seconds.
  var latestPacket: (place: Int, time: Rational?)?
  /// Where the latest packet of the video lies in the file, in bytes; empty if the container does not say.
  var lastPacket = 0..<0
  let isCutInFragment: Bool

  enum State {
    case reading
    /// The last wanted frame was delivered; audio up to its end may follow.
    case audioOnly
    case ended
  }

  /// Opens the input and decodes its first frame.
  init(_ request: SourceRequest, input: FileInput) throws(CaptureError) {
    self.request = request
    let name = input.name
    (numbered, isCutInFragment) = (input.numbered?.pictures, input.isCutInFragment)
    self.input = input
    demuxer = try Demuxer(request, input: input)
    let stream = demuxer.video
    try DolbyVision.checkBase(of: stream, name: name)
    decoder = try ReplaceableDecoder(stream, name: name, request)
    packet = try explained { () throws(FFmpegError) in try AVPacketHandle() }
    timeBase = Rational(stream.pointee.time_base)
    let reordered = max(Int64(stream.pointee.codecpar.pointee.video_delay), 0)
    reorderingDelay =
      demuxer.formatName == "avi"
      ? (Rational(reordered) / NominalRate.of(stream, in: demuxer.context)).ticks(
        timeBase: timeBase)
      : 0
    containerEnd = demuxer.extent.end(ofFormat: demuxer.formatName)
    let rate = input.numbered?.rate ?? NominalRate.of(stream, in: demuxer.context)
    usualLength =
      containerEnd == nil && input.numbered == nil && !demuxer.isImage ? rate.reciprocal : nil
    let orientation = Orientation(stream: stream)
    conversion = FrameConversion(
      name: name, parameters: stream.pointee.codecpar, orientation: orientation ?? .upright,
      overrides: request.tagOverrides,
      streamAspectRatio: Rational(stream.pointee.sample_aspect_ratio),
      streamHDR: HDRMetadata(of: stream),
      chroma: request.hardware != .off || request.hardwareStandIn != nil ? .planar : .asDecoded,
      keepsPhotos: input.numbered != nil && request.includesTags,
      notify: request.notice)
    continuity = TimeContinuity(demuxer.context)
    leftOut = LeftOut(
      of: demuxer.context, video: stream.pointee.index, audio: demuxer.audioIndexes)
    times = TimestampRepair(nominalDuration: rate.reciprocal.ticks(timeBase: timeBase))
    extent = demuxer.extent
    zero = demuxer.zero ?? extent.start ?? .zero
    damage = DamageCount(beginsAnywhere: demuxer.beginsAnywhere, frameDuration: rate.reciprocal)
    lostPackets =
      demuxer.formatName == "mpegts" && input.pipe == nil && !input.isRemote
      ? TransportScan(request.input, streams: demuxer.streamNumbers) : nil
    let statedLength = demuxer.extent.duration
    // A live stream may stop before the frame behind the part, and does not say how long it lasts.
    let awaitsNext =
      !demuxer.isImage && input.numbered == nil && input.pipe == nil && !request.skipsFrames
      && (!input.isRemote || statedLength != nil)
    part = SourceTrim(
      request, zero: zero, frameDuration: rate.reciprocal,
      decodesAudio: request.sound.isDecoded
        || request.sound.form(of: demuxer.codedAudio) != .coded,
      awaitsNext: awaitsNext)
    audio = AudioProgress(streams: demuxer.codedAudio.count)
    fields = FieldLookAhead(request.deinterlacing, frameDuration: rate.reciprocal)
    let waitsForAudio =
      request.feedsEffects || request.audioLead != nil && !demuxer.codedAudio.isEmpty
    behindAudio =
      waitsForAudio && !request.skipsFrames
      ? FramesBehindAudio(lead: request.audioLead ?? .zero) : nil
    joinsMovies =
      demuxer.formatName.hasPrefix("mov,") && input.pipe == nil && !input.isRemote
      && ISOFile(request.input)?.hasSecondMovie == true
    description = SourceDescription(
      of: demuxer, request, input: input, rate: rate, zero: zero,
      isTurnedOddly: orientation == nil)
    if demuxer.formatName.hasPrefix("mov,"), let items = PictureItems(request.input) {
      conversion.facts = PictureFacts(items)
      if request.includesTags { description.photo = items.photo }
    }
    description.isReceived = SourceKind.url.isWritten(request.input) && demuxer.isUnseekable
    (description.duration, description.frameCount) = part.expected(
      extent: extent, frameRate: rate, isStill: description.isStill)
    // Audio may be stored up to a second before the frame of the same time.
    if let start = part.start.map({ $0 - Rational(1) }), start > extent.start ?? .zero,
      request.range == nil || demuxer.seeksExactly
    {
      place.timesJump = try input.hasTimeJumps(
        of: stream.pointee.index, continuity, request.interruption)
      place.seekToStart(demuxer, at: start)
    }
    try readFirstFrame()
    skipsFrames = request.skipsFrames
    if skipsFrames, let numbered {
      // Images have no audio.
      (state, report.incomplete) = (.ended, numbered.hole)
    }
  }

  func next() throws(CaptureError) -> MediaSample? {
    guard part.awaitsNext, part.isLimited else { return try nextStored() }
    while latest.isEmpty, let sample = try nextStored() {
      latest.add(sample)
      var isLate = false
      if case .codedAudio(let packet) = sample { isLate = part.awaitsInVain(at: packet.time) }
      if isLate || state != .reading { releaseLatest() }
    }
    if latest.isEmpty { releaseLatest() }
    return request.interruption.isInterrupted ? nil : latest.next()
  }

  private func releaseLatest() { latest.release(shownUntil: part.isOver ? part.end : nil) }

  private func nextStored() throws(CaptureError) -> MediaSample? {
    if waiting.isEmpty, let sample = try readSample() { return sample }
    return waiting.isEmpty || request.interruption.isInterrupted ? nil : waiting.removeFirst()
  }

  /// Reads everything again from an earlier or another place; false for nil, and if the source cannot seek.
  func readsAgain(from time: Rational?) -> Bool {
    guard let time, place.seek(demuxer, to: time) else { return false }
    (latestPacket, awaitedLosses) = (nil, 0)
    waiting.restart()
    audio.restart()
    behindAudio?.removeAll()
    decoder.flush()
    fields.restart()
    isDraining = false
    times.restart()
    continuity.restart(atBeginning: place.isAtBeginning)
    return true
  }

  /// Goes to another place of the part; its audio is not read there.
  func goTo(_ time: Rational, before end: Rational?) throws(CaptureError) {
    let whole = wholePart ?? part
    wholePart = whole
    let first = whole.beginning ?? extent.start ?? .zero
    let isFromStart = time <= first
    waiting.dropReady()
    latest = LatestFrame()
    state = .reading
    part = whole.stretch(before: end, isFromStart: isFromStart)
    extent = demuxer.extent
    if continuity.isWanted, place.timesJump == nil {
      place.timesJump = try input.hasTimeJumps(
        of: demuxer.video.pointee.index, continuity, request.interruption)
    }
    place.begin()
    // As for the start of a part: a seek may end after the place.
    guard readsAgain(from: isFromStart ? first - .one : time) else {
      throw CaptureError(
        "\(description.name) cannot be read again from another place; copy it into a .mkv or .mp4 before"
      )
    }
    if !isFromStart { place.awaitKeyFrame() }
  }
}

extension FileSource: RereadableSource {
  var rereadRefusal: String? {
    if description.isStill {
      return
        "it is a single image; give its length behind its name, such as \(description.name)~duration=5"
    }
    return demuxer.canSeek ? nil : "it can be read only once, from its start; give it as a file"
  }

  func reread(from time: Rational, before end: Rational?) throws(CaptureError) {
    try goTo(time, before: end)
  }
}
