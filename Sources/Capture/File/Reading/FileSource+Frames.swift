import CFFmpeg
import FFmpegHandles
import Frames

/// The frames of a file: from packets to the decoder, and from the decoder to frames of the wanted part.
extension FileSource {
  /// Reads up to the first frame, so that the description is correct, and puts this frame before the
  /// audio that was stored ahead of it.
  func readFirstFrame() throws(CaptureError) {
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
        if request.frameRate == nil {
          description.notices.append(
            Notice(
              .sourceAssumedRate, description.name,
              """
              \(description.name) does not say its frame rate: 25 frames a second are assumed; give another rate with --fps
              """))
        }
      }
      description.warn(ofFirst: frame.format, request.hdr)
      if let remark = conversion.remark {
        description.notices.append(Notice(.sourceFormat, description.name, remark))
      }
      describeFields(of: frame)
      description.leftOut =
        leftOut.take()?.words(
          except: description.contents,
          hasSubtitles: request.ignoresSubtitles || !demuxer.subtitles.isEmpty,
          hasHDR: frame.format.color.hdr != nil) ?? []
      if joinsMovies {
        description.leftOut.append(
          "a second movie behind the first one in the same file (its parts were joined byte by byte; give them as several inputs)"
        )
      }
      part.setEnd(own: description.frameRate)
      description.range = request.range.map {
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
    if !hasFirstFrame, demuxer.formatName.hasPrefix("mov,"),
      let lost = CutFile.lostIndex(description.name)
    {
      throw lost
    }
    if let incomplete = report.incomplete { throw CaptureError(incomplete) }
    throw part.refusal(
      description.name, extent: extent, zero: zero,
      shownUntil: extent.videoEnd > zero ? extent.videoEnd : description.end ?? zero)
  }

  /// Describes how the frames are interlaced, by the first one.
  func describeFields(of first: Frame) {
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

  func readSample() throws(CaptureError) -> MediaSample? {
    while state != .ended, waiting.isEmpty, !request.interruption.isInterrupted {
      if state == .reading, !skipsFrames, let frame = try decodedFrame() { return .frame(frame) }
      if state != .ended, let audio = try readPacket() { return audio }
    }
    return nil
  }

  /// Returns the next wanted frame of the decoder; nil if the decoder needs a packet or the state changed.
  func decodedFrame() throws(CaptureError) -> Frame? {
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
        let shown = plausible(kf_frame_duration(picture), timeBase) ?? 0
        let ticks = times.repair(
          time: stamp, duration: shown > 0 ? shown : nil)
        report.predictedTimes = times.predicted
        if !hasFirstFrame, assumedPace == nil, demuxer.isElementary, decoder.codedRate == nil {
          assumedPace = Rational(25) / (request.frameRate ?? Rational(25))
        }
        hasFirstFrame = true
        let timeBase = timeBase * (assumedPace ?? .one)
        let time = Rational(ticks) * timeBase
        var duration = shown > 0 ? Rational(shown) * timeBase : usualLength
        // A millisecond is the unit of Matroska's times: a frame of the usual length may end that much later.
        if let end = containerEnd, let length = duration, end > time,
          time + length > end + Rational(1, 1000)
        {
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
  func judge(
    frameAt time: Rational, duration: Rational?
  ) throws(CaptureError) -> SourceTrim.Verdict {
    let verdict = part.judge(frameAt: time, duration: duration)
    switch verdict {
    case .skip: previousTime = time
    case .end: try endFrames()
    case .take:
      if part.isOver {
        try endFrames()
      } else {
        waiting.release(before: time, wantedBy: part)
        try releaseSubtitles()
      }
    }
    return verdict
  }

  func endFrames() throws(CaptureError) {
    state = .audioOnly
    waiting.release(before: nil, wantedBy: part)
    try releaseSubtitles()
    endAudioIfComplete(now: nil)
  }

  /// Sends a video packet to the decoder.
  func sendFrame() throws(CaptureError) {
    let data = packet.pointer
    var isCut = false
    if numbered != nil || conversion.facts == nil && description.isStill {
      let facts = PictureFacts(data, codec: demuxer.video.pointee.codecpar.pointee.codec_id)
      isCut = facts.isCut
      if numbered != nil {
        imageFacts[data.pointee.pts] = facts
      } else {
        conversion.facts = facts
        if request.includesTags { description.photo = facts.photo }
      }
    }
    guard state == .reading, !skipsFrames, !place.precedesDecoding(data) else {
      packet.clear()
      return
    }
    // FFmpeg's decoder makes gray of what a JPEG lacks, without a word.
    let isTaken = try decoder.send(data)
    if !isTaken || isCut {
      let unit = Rational(demuxer.video.pointee.time_base)
      noteDamage(at: plausible(data.pointee.pts, unit).map { Rational($0) * unit })
    }
    packet.clear()
  }

  /// Ends the input, and lets the decoder give its remaining frames.
  func drain() throws(CaptureError) {
    // Without this check, a decoder that wants more packets after the last one would be asked forever.
    guard state == .reading, !isDraining, !skipsFrames else { return try end() }
    isDraining = true
    if !request.interruption.isInterrupted { noteLostPackets(before: nil, time: nil) }
    // This call may decode a damaged frame and fail, although other frames wait after it.
    if try !decoder.send(nil) { noteDamage(at: nil) }
  }
}
