import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// Reads frames and audio from a file, URL, pipe, image or numbered images, with libavformat and libavcodec.
///
/// Opening decodes the first frame, because only a frame shows the true layout and colours. After that
/// one thread reads; any thread may call `interrupt`.
final class FileSource: MediaSource, @unchecked Sendable {
  // @unchecked: by the protocol one thread uses everything except `interruption`, which is atomic.

  private(set) var description: SourceDescription
  private(set) var report = SourceReport()

  private let interruption: Interruption
  private let demuxer: Demuxer
  /// The numbered images; nil for other inputs.
  private let numbered: NumberedImages?
  private let decoder: ReplaceableDecoder
  private let packet: AVPacketHandle
  private let timeBase: Rational
  /// By how many ticks frames without a time of their own come late: AVI stores only the order in which they are decoded.
  private let reorderingDelay: Int64
  /// The source's own time at which the container ends, if frames are shown no longer than that; nil if it does not say.
  private let containerEnd: Rational?
  /// How long a frame is shown that does not say it, in seconds; nil for images, and if the container says its end.
  ///
  /// For most containers FFmpeg fills it in, not for FLV and ASF.
  private let usualLength: Rational?
  /// The frame rate that was asked for.
  private let wantedRate: Rational?
  /// The length of a frame of an elementary stream that says no frame rate, in parts of FFmpeg's guess; nil for others.
  private var assumedPace: Rational?
  private var hasFirstFrame = false
  /// The time that players show as zero, in the source's own time, in seconds.
  private let zero: Rational
  private var conversion: FrameConversion
  /// What the files of numbered images say, by the times of their packets, until their frames come.
  private var imageFacts: [Int64: PictureFacts] = [:]
  private var continuity: TimeContinuity
  private var times: TimestampRepair
  private var part: SourceTrim
  private var extent: SourceExtent
  private var waiting = WaitingSamples()
  private var audio: AudioProgress
  private let includesAudio: Bool
  private let includesTags: Bool
  private let ignoresSubtitles: Bool
  private let hdr: HDRRule
  private let feedsEffects: Bool
  /// Holds frames until their audio was read; nil if frames need not wait for audio.
  private var behindAudio: FramesBehindAudio?
  /// Whether the decoder was told that no more packets come.
  private var isDraining = false
  private var state = State.reading
  private var fieldOrder: FieldOrder?
  private var fields: FieldLookAhead
  /// Losses that count unless times jump with the next packet of the video.
  private var awaitedLosses = 0
  /// Whether times have jumped since the latest packet of the video, and before it.
  private var hasJumped = false
  private var isAfterJump = false
  /// Whether the file holds a second movie, which is not read.
  private let joinsMovies: Bool
  /// Contents that no output takes; nil after the first frame has shown what it carries.
  private var leftOut: LeftOut?
  private var place = SoughtPlace()
  /// The requested stretch, and the time of the latest frame before it, in the source's own time.
  private let range: FrameRange?
  private var previousTime: Rational?
  /// Whether no more frames are wanted, only audio.
  private var skipsFrames = false
  /// The requested part, while a stretch of it is read again.
  private var wholePart: SourceTrim?
  private var damage: DamageCount
  /// Looks for lost packets of a transport stream; nil for other sources.
  private let lostPackets: TransportScan?
  /// The place in the file and the time of the latest packet of the video, in bytes and in seconds.
  private var latestPacket: (place: Int, time: Rational?)?
  private let isCutInFragment: Bool

  private enum State {
    case reading
    /// The last wanted frame was delivered; audio up to its end may follow.
    case audioOnly
    case ended
  }

  /// Opens the input and decodes its first frame.
  init(_ request: SourceRequest, input: FileInput) throws(CaptureError) {
    interruption = request.interruption
    wantedRate = request.frameRate
    let name = input.name
    (numbered, isCutInFragment) = (input.numbered?.pictures, input.isCutInFragment)
    demuxer = try Demuxer(request, input: input)
    let stream = demuxer.video
    try DolbyVision.checkBase(of: stream, name: name)
    hdr = request.hdr
    decoder = try ReplaceableDecoder(stream, name: name, request)
    do throws(FFmpegError) { packet = try AVPacketHandle() } catch {
      throw CaptureError("\(error)")
    }
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
      chroma: request.hardware != .off || request.hardwareStandIn != nil ? .separate : .asDecoded,
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
    part = SourceTrim(
      request, zero: zero, frameDuration: rate.reciprocal,
      decodesAudio: request.sound.isDecoded
        || request.sound.form(of: demuxer.codedAudio) != .coded)
    audio = AudioProgress(streams: demuxer.codedAudio.count)
    includesAudio = request.includesAudio
    includesTags = request.includesTags
    ignoresSubtitles = request.ignoresSubtitles
    range = request.range
    fields = FieldLookAhead(request.deinterlacing, frameDuration: rate.reciprocal)
    feedsEffects = request.feedsEffects
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
      if includesTags { description.photo = items.photo }
    }
    description.isReceived = SourceKind.url.isWritten(request.input) && demuxer.isUnseekable
    (description.duration, description.frameCount) = part.expected(
      extent: extent, frameRate: rate, isStill: description.isStill)
    // Audio may be stored up to a second before the frame of the same time.
    if let start = part.start.map({ $0 - Rational(1) }), start > extent.start ?? .zero,
      range == nil || demuxer.seeksExactly
    {
      place.seekToStart(demuxer, at: start)
    }
    try readFirstFrame()
    skipsFrames = request.skipsFrames
    if skipsFrames, let numbered {
      // Images have no audio.
      (state, report.incomplete) = (.ended, numbered.hole)
    }
  }

  func interrupt() { interruption.interrupt() }

  func next() throws(CaptureError) -> MediaSample? {
    if waiting.isEmpty, let sample = try readSample() { return sample }
    return waiting.isEmpty || interruption.isInterrupted ? nil : waiting.removeFirst()
  }

  /// Reads everything again from an earlier or another place; false for nil, and if the source cannot seek.
  private func readsAgain(from time: Rational?) -> Bool {
    guard let time, place.seek(demuxer, to: time) else { return false }
    (latestPacket, awaitedLosses) = (nil, 0)
    waiting.restart()
    audio.restart()
    behindAudio?.removeAll()
    decoder.flush()
    fields.restart()
    isDraining = false
    times.restart()
    continuity.restart()
    return true
  }

  /// Goes to another place of the part; its audio is not read there.
  private func goTo(_ time: Rational, before end: Rational?) throws(CaptureError) {
    let whole = wholePart ?? part
    wholePart = whole
    let first = whole.beginning ?? extent.start ?? .zero
    let isFromStart = time <= first
    waiting.dropReady()
    state = .reading
    part = whole.stretch(before: end, isFromStart: isFromStart)
    extent = demuxer.extent
    place.begin()
    // As for the start of a part: a seek may end after the place.
    guard readsAgain(from: isFromStart ? first - .one : time) else {
      throw CaptureError(
        "\(description.name) cannot be read again from another place; copy it into a .mkv or .mp4 before"
      )
    }
    if !isFromStart { place.awaitKeyFrame() }
  }

  /// Reads up to the first frame, so that the description is correct, and puts this frame before the
  /// audio that was stored ahead of it.
  private func readFirstFrame() throws(CaptureError) {
    while let sample = waiting.isEmpty ? try readSample() : waiting.removeFirst() {
      guard case .frame(let frame) = sample else {
        waiting.hold(aheadOfFirstFrame: sample)
        continue
      }
      try explained { () throws(FFmpegError) in try waiting.begin(with: frame, of: part) }
      report.audioBeforeFrames = waiting.audioLeftOut
      description.describe(decoder)
      if let pace = assumedPace {
        let rate = Rational(25) * pace.reciprocal
        (description.frameRate, description.timeBase) = (rate, timeBase * pace)
        if wantedRate == nil {
          description.notices.append(
            Notice(
              .sourceAssumedRate, description.name,
              """
              \(description.name) does not say its frame rate: 25 frames a second are assumed; give another rate with --fps
              """))
        }
      }
      description.warn(ofFirst: frame.format, hdr)
      if let remark = conversion.remark {
        description.notices.append(Notice(.sourceFormat, description.name, remark))
      }
      describeFields(of: frame)
      description.leftOut =
        leftOut.take()?.words(
          except: description.contents,
          hasSubtitles: ignoresSubtitles || !demuxer.subtitles.isEmpty,
          hasHDR: frame.format.color.hdr != nil) ?? []
      if joinsMovies {
        description.leftOut.append(
          "a second movie behind the first one in the same file (its parts were joined byte by byte; give them as several inputs)"
        )
      }
      part.setEnd(own: description.frameRate)
      description.range = range.map {
        DeliveredRange(
          range: $0, origin: $0.place?.origin ?? frame.time, start: frame.time,
          previous: previousTime, shown: $0.place?.shown)
      }
      return
    }
    if demuxer.formatName.hasPrefix("mov,"), demuxer.isUnseekable, extent.videoEnd == .zero {
      throw CaptureError(
        """
        \(description.name) is a MOV or MP4 with its index after the frames, which cannot be read \
        \(description.name.contains("://") ? "from a server that cannot send parts of a file" : "from a pipe"); \
        give it as a file
        """)
    }
    if demuxer.formatName.hasPrefix("mov,"), let lost = CutFile.lostIndex(description.name) {
      throw lost
    }
    if let incomplete = report.incomplete { throw CaptureError(incomplete) }
    throw part.refusal(
      description.name, extent: extent, zero: zero,
      shownUntil: extent.videoEnd > zero ? extent.videoEnd : description.end ?? zero)
  }

  /// Describes how the frames are interlaced, by the first one.
  private func describeFields(of first: Frame) {
    let order = description.isStill || numbered != nil ? nil : fieldOrder
    description.fieldOrder = fields.remaining(of: order, parameters: demuxer.video.pointee.codecpar)
    guard let made = first.fields else { return }
    description.isDeinterlaced = true
    description.notices.append(fields.notice(about: description.name, made.order))
    guard fields.doublesFrames else { return }
    description.frameRate = description.frameRate * Rational(2)
    description.timeBase = description.timeBase / Rational(2)
    let counted = part.isWhole ? extent.frameCount.map { $0 * 2 } : nil
    description.frameCount =
      counted
      ?? part.expected(extent: extent, frameRate: description.frameRate, isStill: false).frames
  }

  private func readSample() throws(CaptureError) -> MediaSample? {
    while state != .ended, waiting.isEmpty, !interruption.isInterrupted {
      if state == .reading, !skipsFrames, let frame = try decodedFrame() { return .frame(frame) }
      if state != .ended, let audio = try readPacket() { return audio }
    }
    return nil
  }

  /// Returns the next wanted frame of the decoder; nil if the decoder needs a packet or the state changed.
  private func decodedFrame() throws(CaptureError) -> Frame? {
    while true {
      if var frame = fields.next() {
        switch try judge(frameAt: frame.time, duration: frame.duration) {
        case .skip: continue
        case .end: return nil
        case .take:
          frame.duration = part.shown(from: frame.time, lasting: frame.duration)
          return frame
        }
      }
      switch try decoder.receive() {
      case .needsPacket: return nil
      case .damaged: noteDamage(at: nil)
      case .end:
        if fields.finish() { continue }
        if !readsAgain(from: place.placeBefore(first: nil, start: part.start)) { try end() }
        return nil
      case .frame(let decoded, let shared):
        let picture = decoded.pointer
        fieldOrder =
          fieldOrder ?? FieldOrder(picture, parameters: demuxer.video.pointee.codecpar)
        leftOut?.note(picture)
        if numbered != nil {
          conversion.facts = imageFacts.removeValue(forKey: picture.pointee.pts) ?? PictureFacts()
        }
        let isTimed = picture.pointee.pts != kf_av_nopts_value()
        let stamp = plausible(picture.pointee.best_effort_timestamp, timeBase).map {
          isTimed ? $0 : $0 - reorderingDelay
        }
        let shown = plausible(picture.pointee.pkt_duration, timeBase) ?? 0
        let ticks = times.repair(
          time: stamp, duration: shown > 0 ? shown : nil)
        report.predictedTimes = times.predicted
        if assumedPace == nil, demuxer.isElementary, !hasFirstFrame, decoder.codedRate == nil {
          assumedPace = Rational(25) / (wantedRate ?? Rational(25))
        }
        hasFirstFrame = true
        let timeBase = timeBase * (assumedPace ?? .one)
        let time = Rational(ticks) * timeBase
        var duration = shown > 0 ? Rational(shown) * timeBase : usualLength
        if let end = containerEnd, let length = duration, end > time, time + length > end {
          duration = end - time
        }
        if !place.reaches(time) { continue }
        // The decoder repaired the frame from its neighbours.
        let isRepaired =
          picture.pointee.decode_error_flags != 0 || damage.isNew(repairs: decoder.repairs)
        if isRepaired { noteDamage(at: time) }
        if readsAgain(from: place.placeBefore(first: time, start: part.start))
          || readsAgain(
            from: place.placeForAudio(frameAt: time, start: part.start, audio: audio))
        {
          return nil
        }
        let order = fields.order(
          of: picture, parameters: demuxer.video.pointee.codecpar,
          isImage: description.isStill || numbered != nil)
        if order != nil || fields.isWaiting {
          fields.take(
            try conversion.frame(decoded, on: shared, time: time, duration: duration), order)
          continue
        }
        switch try judge(frameAt: time, duration: duration) {
        case .skip: continue
        case .end: return nil
        case .take:
          return try conversion.frame(
            decoded, on: shared, time: time,
            duration: part.shown(from: time, lasting: duration))
        }
      }
    }
  }

  /// Decides about the next frame, and what that means for the rest.
  private func judge(
    frameAt time: Rational, duration: Rational?
  ) throws(CaptureError) -> SourceTrim.Verdict {
    let verdict = part.judge(frameAt: time, duration: duration)
    switch verdict {
    case .skip: previousTime = time
    case .end: try endFrames()
    case .take:
      if part.hasAllFrames {
        try endFrames()
      } else {
        waiting.release(before: time, wantedBy: part)
        try releaseSubtitles()
      }
    }
    return verdict
  }

  private func endFrames() throws(CaptureError) {
    state = .audioOnly
    waiting.release(before: nil, wantedBy: part)
    try releaseSubtitles()
    endAudioIfComplete(now: nil)
  }

  /// Ends the source once the last frame is delivered and all audio up to its end was read.
  private func endAudioIfComplete(now: Rational?) {
    guard state == .audioOnly, let end = part.end, let beginning = part.beginning,
      audio.isComplete(before: end, from: beginning, now: now, in: demuxer)
    else { return }
    state = .ended
  }

  /// Reads a packet: returns wanted audio, and sends video to the decoder.
  private func readPacket() throws(CaptureError) -> MediaSample? {
    packet.clear()
    if behindAudio?.take(into: packet, reach: audio.reach, isOver: false) == true {
      try sendFrame()
      return nil
    }
    let begin = MonotonicTime.now
    let result = demuxer.read(into: packet)
    report.reading += MonotonicTime.now.seconds(since: begin)
    guard result >= 0 else {
      if result == kf_averror(EAGAIN) { return nil }
      if behindAudio?.take(into: packet, reach: nil, isOver: true) == true {
        try sendFrame()
        return nil
      }
      if result != kf_averror_eof(), !demuxer.meansEnd(result), !interruption.isInterrupted {
        extent.note(readError: result)
      }
      try drain()
      return nil
    }
    let data = packet.pointer
    guard demuxer.isRead(data.pointee.stream_index) else { return nil }
    let unit = demuxer.timeBase(of: data.pointee.stream_index)
    let stored = data.pointee.dts
    continuity.mend(data, timeBase: unit)
    let jumps = (report.jumpsBack, report.jumpsAhead)
    (report.jumpsBack, report.jumpsAhead) = (continuity.back, continuity.ahead)
    hasJumped = hasJumped || jumps != (report.jumpsBack, report.jumpsAhead)
    let stamp =
      data.pointee.pts == kf_av_nopts_value() ? data.pointee.dts : data.pointee.pts
    let time = plausible(stamp, unit).map { Rational($0) * unit }
    let duration = demuxer.duration(of: data)
    extent.note(data, stamp: stored, end: time.map { $0 + duration })
    if damage.isNew(places: demuxer.loggedErrors) { noteDamage(at: time) }
    defer { endAudioIfComplete(now: time) }
    if data.pointee.stream_index == demuxer.video.pointee.index {
      if let time { audio.note(frameAt: time) }
      noteLostPackets(before: Int(data.pointee.pos), time: time)
      let isKey = data.pointee.flags & AV_PKT_FLAG_KEY != 0
      if isKey { place.note(keyFrameAt: time) }
      let decoding = plausible(data.pointee.dts, unit).map { Rational($0) * unit }
      if damage.isHole(before: decoding, lasting: duration, isKey: isKey, data.pointee.flags) {
        noteDamage(at: time)
      }
      guard !place.awaitsKeyFrame else { return nil }
      if behindAudio == nil {
        try sendFrame()
      } else if state == .reading {
        do throws(FFmpegError) {
          try behindAudio?.add(moving: data, time: time)
        } catch {
          throw CaptureError("\(error)")
        }
      }
      return nil
    }
    if let stream = demuxer.subtitleIndexes.firstIndex(of: data.pointee.stream_index), let time {
      return try subtitle(data, stream: stream, time: time, duration: duration)
    }
    guard let stream = demuxer.audioIndexes.firstIndex(of: data.pointee.stream_index), let time
    else { return nil }
    let decoding = data.pointee.dts == kf_av_nopts_value() ? stamp : data.pointee.dts
    audio.note(audioAt: time, stamp: decoding, stream: stream)
    let isWanted = includesAudio && part.judge(audioAt: time, duration: duration) != .leftOut
    let feedsEffects = feedsEffects && behindAudio != nil && stream == demuxer.bestAudio
    guard isWanted || feedsEffects else { return nil }
    do throws(FFmpegError) {
      let audio = try CompressedPacket(
        moving: data, streamIndex: stream, time: time, duration: duration)
      let ready =
        isWanted
        ? waiting.admit(audio, to: part, framesFollow: state == .reading) : nil
      report.audioBeforeFrames = waiting.audioLeftOut
      let delivered = ready.map { MediaSample.codedAudio($0) }
      guard feedsEffects else { return delivered }
      if let delivered { waiting.insertFirst(delivered) }
      return .audioForEffects(audio)
    } catch {
      throw CaptureError("\(error)")
    }
  }

  /// Makes subtitles ready as far as it is known how long they are shown.
  private func releaseSubtitles(isOver: Bool = false) throws(CaptureError) {
    try explained { () throws(FFmpegError) in
      try waiting.releaseSubtitles(wantedBy: part, isOver: isOver)
    }
  }

  private func explained<Value>(
    _ work: () throws(FFmpegError) -> Value
  ) throws(CaptureError) -> Value {
    do throws(FFmpegError) { return try work() } catch { throw CaptureError("\(error)") }
  }

  /// Takes a packet of subtitles; returns the first one that may be delivered now.
  private func subtitle(
    _ data: UnsafeMutablePointer<AVPacket>, stream: Int, time: Rational, duration: Rational
  ) throws(CaptureError) -> MediaSample? {
    try explained { () throws(FFmpegError) in
      let packet = try CompressedPacket(
        moving: data, streamIndex: stream, time: time, duration: duration)
      var taken = try waiting.admit(subtitle: packet, to: part)
      guard !taken.isEmpty else { return nil }
      let first = taken.removeFirst()
      for sample in taken.reversed() { waiting.insertFirst(sample) }
      return first
    }
  }

  /// Counts a damaged packet, frame or place of the container, if it may belong to what is wanted.
  private func noteDamage(at time: Rational?) {
    guard damage.counts else { return }
    if let start = part.start, !part.hasBegun, time.map({ $0 < start }) ?? true { return }
    if let end = part.end, let time, time >= end { return }
    report.damaged += 1
  }

  /// Counts the packets of a transport stream that are missing before a packet of the video; nil for the file's end.
  private func noteLostPackets(before place: Int?, time: Rational?) {
    guard let lostPackets else { return }
    guard let latest = latestPacket else {
      guard let place, place >= 0 else { return }
      lostPackets.go(to: place)
      latestPacket = (place, time)
      hasJumped = false
      return
    }
    // A packet may hold several frames, and its place is that of the first one.
    guard place.map({ $0 > latest.place }) ?? true else { return }
    let losses = lostPackets.losses(before: place)
    if hasJumped || isAfterJump, let place {
      // Where recordings were joined, counters begin again, and streams do not jump at the same packet.
      lostPackets.go(to: place)
      (awaitedLosses, isAfterJump) = (0, hasJumped)
    } else {
      let known = awaitedLosses + (place == nil ? losses : 0)
      for _ in 0..<known { noteDamage(at: latest.time) }
      awaitedLosses = place == nil ? 0 : losses
    }
    latestPacket = (place ?? .max, time)
    hasJumped = false
  }

  /// Sends a video packet to the decoder.
  private func sendFrame() throws(CaptureError) {
    let data = packet.pointer
    if numbered != nil || conversion.facts == nil && description.isStill {
      let facts = PictureFacts(data, codec: demuxer.video.pointee.codecpar.pointee.codec_id)
      if numbered != nil {
        imageFacts[data.pointee.pts] = facts
      } else {
        conversion.facts = facts
        if includesTags { description.photo = facts.photo }
      }
    }
    if state == .reading, !skipsFrames, !place.precedesDecoding(data), try !decoder.send(data) {
      let unit = Rational(demuxer.video.pointee.time_base)
      noteDamage(at: plausible(data.pointee.pts, unit).map { Rational($0) * unit })
    }
    packet.clear()
  }

  /// Ends the input, and lets the decoder give its remaining frames.
  private func drain() throws(CaptureError) {
    // Without this check, a decoder that wants more packets after the last one would be asked forever.
    guard state == .reading, !isDraining, !skipsFrames else { return try end() }
    isDraining = true
    if !interruption.isInterrupted { noteLostPackets(before: nil, time: nil) }
    // This call may decode a damaged frame and fail, although other frames wait after it.
    if try !decoder.send(nil) { noteDamage(at: nil) }
  }

  /// Ends the source after the decoder's last frame.
  private func end() throws(CaptureError) {
    let wasAudioOnly = state == .audioOnly
    state = .ended
    waiting.release(before: nil, wantedBy: part)
    try releaseSubtitles(isOver: true)
    waiting.end()
    report.audioBeforeFrames = waiting.audioLeftOut
    guard !interruption.isInterrupted else { return }
    // What was missing in an earlier stretch stays missing.
    report.incomplete = report.incomplete ?? incompleteness(wasAudioOnly: wasAudioOnly)
    if !wasAudioOnly, range == nil, !description.isStill {
      report.shortage =
        report.shortage ?? part.shortfall(description.name, extent: extent, zero: zero)
    }
  }

  /// Says what is missing when the container has ended, as a sentence; nil if nothing is known to be.
  private func incompleteness(wasAudioOnly: Bool) -> String? {
    let (name, context) = (description.name, demuxer.context)
    if let loss = demuxer.loss { return wasAudioOnly ? nil : loss }
    if wasAudioOnly {
      // Skipped frames are not read to their end.
      guard !skipsFrames, !codedAudioIsUnused, let end = part.end else { return nil }
      return extent.incompletenessOfRest(
        name: name, context: context, before: end, exceptVideo: true)
    }
    if let last = range?.last, !part.hasAllFrames {
      return "\(name) ends before frame \(last) of --frame-range"
    }
    if let hole = numbered?.hole { return hole }
    guard !description.isStill else { return extent.readFailure(name: name) }
    let lack =
      part.isWhole
      ? extent.incompleteness(name: name, context: context)
      : extent.incompletenessOfRest(name: name, context: context, before: part.end)
    return lack ?? extent.readFailure(name: name)
      ?? (isCutInFragment ? extent.cut(name: name) : nil)
  }

  /// Whether nobody takes audio, so that it does not matter where it ends.
  private var codedAudioIsUnused: Bool { demuxer.audioIndexes.isEmpty }
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
