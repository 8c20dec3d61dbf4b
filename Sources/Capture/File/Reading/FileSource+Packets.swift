import CFFmpeg
import FFmpegHandles
import Frames

/// The packets of a file: audio and subtitles of the wanted part, signs of damage, and what is missing at the end.
extension FileSource {
  /// Ends the source once the last frame is delivered and all audio up to its end was read.
  func endAudioIfComplete(now: Rational?) {
    guard state == .audioOnly, let end = part.end, let beginning = part.beginning,
      audio.isComplete(before: end, from: beginning, now: now, in: demuxer)
    else { return }
    state = .ended
  }

  /// Reads a packet: returns wanted audio, and sends video to the decoder.
  func readPacket() throws(CaptureError) -> MediaSample? {
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
      if result != kf_averror_eof(), !demuxer.meansEnd(result), !request.interruption.isInterrupted
      {
        extent.note(readError: result)
      }
      try drain()
      return nil
    }
    let data = packet.pointer
    guard demuxer.isRead(data.pointee.stream_index) else { return nil }
    let unit = demuxer.timeBase(of: data.pointee.stream_index)
    let stored = data.pointee.dts
    if continuity.mend(data, timeBase: unit) { hasJumped = true }
    (report.jumpsBack, report.jumpsAhead) = (continuity.back, continuity.ahead)
    let stamp = data.pointee.stamp
    let time = plausible(stamp, unit).map { Rational($0) * unit }
    let duration = demuxer.duration(of: data)
    extent.note(data, stamp: stored, end: time.map { $0 + duration })
    if damage.isNew(places: demuxer.loggedErrors) { noteDamage(at: time) }
    defer { endAudioIfComplete(now: time) }
    if data.pointee.stream_index == demuxer.video.pointee.index {
      if let time { audio.note(frameAt: time) }
      if data.pointee.pos >= 0 {
        let start = Int(data.pointee.pos)
        lastPacket = start..<start + Int(data.pointee.size)
      }
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
        try explained { () throws(FFmpegError) in
          try behindAudio?.add(moving: data, time: time)
        }
      }
      return nil
    }
    if state == .reading, part.hasAllFrames, let time, part.awaitsInVain(at: time) {
      part.finish()
      try endFrames()
    }
    if let stream = demuxer.subtitleIndexes.firstIndex(of: data.pointee.stream_index), let time {
      return try subtitle(data, stream: stream, time: time, duration: duration)
    }
    guard let stream = demuxer.audioIndexes.firstIndex(of: data.pointee.stream_index), let time
    else { return nil }
    let decoding = data.pointee.dts == kf_av_nopts_value() ? stamp : data.pointee.dts
    audio.note(audioAt: time, stamp: decoding, stream: stream)
    let isWanted =
      request.includesAudio && part.judge(audioAt: time, duration: duration) != .leftOut
    let feedsEffects = request.feedsEffects && behindAudio != nil && stream == demuxer.bestAudio
    guard isWanted || feedsEffects else { return nil }
    let packet = try explained { () throws(FFmpegError) in
      try CompressedPacket(moving: data, streamIndex: stream, time: time, duration: duration)
    }
    let ready =
      isWanted
      ? waiting.admit(packet, to: part, framesFollow: state == .reading) : nil
    report.audioBeforeFrames = waiting.audioLeftOut
    let delivered = ready.map { MediaSample.codedAudio($0) }
    guard feedsEffects else { return delivered }
    if let delivered { waiting.insertFirst(delivered) }
    return .audioForEffects(packet)
  }

  /// Makes subtitles ready as far as it is known how long they are shown.
  func releaseSubtitles(isOver: Bool = false) throws(CaptureError) {
    try explained { () throws(FFmpegError) in
      try waiting.releaseSubtitles(wantedBy: part, isOver: isOver)
    }
  }

  /// Takes a packet of subtitles; returns the first one that may be delivered now.
  func subtitle(
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
  func noteDamage(at time: Rational?) {
    guard damage.counts else { return }
    if let start = part.start, !part.hasBegun, time.map({ $0 < start }) ?? true { return }
    if part.isBehindFrames(time) { return }
    if let end = part.end, let time, time >= end { return }
    report.damaged += 1
  }

  /// Counts the packets of a transport stream that are missing before a packet of the video; nil for the file's end.
  func noteLostPackets(before place: Int?, time: Rational?) {
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

  /// Ends the source after the decoder's last frame.
  func end() throws(CaptureError) {
    let wasAudioOnly = state == .audioOnly || part.hasAllFrames
    part.finish()
    state = .ended
    waiting.release(before: nil, wantedBy: part)
    try releaseSubtitles(isOver: true)
    waiting.end()
    report.audioBeforeFrames = waiting.audioLeftOut
    guard !request.interruption.isInterrupted else { return }
    // What was missing in an earlier stretch stays missing; only one that has frames knows how much of the source came.
    if report.incomplete == nil || !knowsEnd,
      let lack = incompleteness(wasAudioOnly: wasAudioOnly)
    {
      (report.incomplete, knowsEnd) = (lack, extent.hasVideo)
    }
    if !wasAudioOnly, request.range == nil, !description.isStill {
      report.shortage =
        report.shortage ?? part.shortfall(description.name, extent: extent, zero: zero)
    }
  }

  /// Says what is missing when the container has ended, as a sentence; nil if nothing is known to be.
  func incompleteness(wasAudioOnly: Bool) -> String? {
    let (name, context) = (description.name, demuxer.context)
    if let loss = demuxer.loss { return wasAudioOnly ? nil : loss }
    if wasAudioOnly {
      // Skipped frames are not read to their end.
      guard !skipsFrames, !demuxer.audioIndexes.isEmpty, !isWholeMatroska, let end = part.end
      else { return nil }
      return extent.incompletenessOfRest(
        name: name, context: context, before: end, exceptVideo: true)
    }
    if let last = request.range?.last, !part.hasAllFrames {
      return "\(name) ends before frame \(last) of --frame-range"
    }
    if let hole = numbered?.hole { return hole }
    guard !description.isStill else { return extent.readFailure(name: name) }
    let lack =
      isWholeMatroska
      ? nil
      : part.isWhole
        ? extent.incompleteness(name: name, context: context)
        : extent.incompletenessOfRest(name: name, context: context, before: part.end)
    return lack ?? extent.readFailure(name: name)
      ?? (isShort && isCutOff ? extent.cut(name: name) : nil)
  }

  /// Whether it is a Matroska file that was read to its end: the end that it states is that of its last frame, whose
  /// length it does not store.
  private var isWholeMatroska: Bool {
    demuxer.formatName.hasPrefix("matroska") && !input.isRemote && input.pipe == nil
      && CutFile.isWholeMatroska(description.name, behind: lastPacket.upperBound)
  }

  /// Whether less came than the part that is wanted, or may have come.
  private var isShort: Bool {
    part.isWhole || part.end.map { extent.videoEnd < $0 } ?? true
  }

  /// Whether a file shows at its end that it was cut off, when it was read up to there.
  private var isCutOff: Bool {
    if isCutInFragment { return true }
    if let lostPackets { return lostPackets.isCut }
    guard !input.isRemote else { return false }
    if demuxer.formatName.hasPrefix("mov,") { return ISOFile(description.name)?.isCut ?? false }
    return CutFile.lacksEnd(format: demuxer.formatName, last: lastPacket) { length, place in
      if let pipe = input.pipe { return pipe.end(length, from: place) }
      return CutFile.part(of: description.name, length, from: place)
    }
  }
}
