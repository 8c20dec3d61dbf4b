import Encode
import FFmpegHandles
import Frames
import Synchronization
import Window

/// The work of `kfrec-play`: decodes the audio, and shows each frame when it is due.
struct PlayLoop: ~Copyable {
  private let player: Player
  private let device: AudioDevice?
  private var session: PlaySession?
  private var feed: AudioFeed?
  /// Whether the session plays: its first frame is shown, and enough audio waits.
  private var isStarted = false
  private var hasShownFirst = false
  private var plays = false
  /// Until when the player waits for a slow source, and how long it does so the next time.
  private var bufferEnd = MonotonicTime.now
  private var bufferTime = Rational.one
  /// When something was there to play for the last time.
  private var lastSupply = MonotonicTime.now
  /// Audio that is not decoded yet.
  private var packets: ArraySlice<CompressedPacket> = []
  /// Where the session's audio ends, as far as its packets are known.
  private var audioEnd = 0.0

  /// Seconds of samples that wait in the device: longer than a busy machine keeps the thread from running.
  private static let queued = 0.2
  /// Seconds of audio that are decoded ahead: a film may store hours of it behind its last frame.
  private static let decodedAhead = 2.0
  /// Longer than a decoder keeps samples, in seconds.
  private static let decoderDelay = 0.1
  /// Longest time for which the player waits for a slow source after it was found slow several times, in seconds.
  private static let longestBuffering = Rational(8)
  /// Seconds without a frame or a sample after which the source counts as too slow.
  private static let patience = 0.25

  init(_ player: Player, device: AudioDevice?) { (self.player, self.device) = (player, device) }

  /// Runs until the player ends.
  mutating func run() {
    while !player.hasEnded {
      let wake = step()
      MonotonicTime.sleep(until: min(wake, .now + PlaySession.pause))
    }
    device?.play(false)
  }

  /// Does what is due; returns when the next frame is, or later.
  private mutating func step() -> MonotonicTime {
    let now = MonotonicTime.now
    let state = player.state.withLock { $0 }
    if state.session !== session { begin(state.session, state) }
    guard let session else { return now + PlaySession.pause }
    let waiting = session.waiting
    guard !waiting.isOver else {
      quieten()
      return now + PlaySession.pause
    }
    device?.setVolume(state.isMuted ? 0 : Float(state.volume) / 100)
    decode(session, waiting)
    if !isStarted { start(session, waiting, state, now) }
    guard isStarted else { return now + PlaySession.pause }
    if state.speed != state.clock.speed { change(speed: state.speed, now) }
    if state.canSeek, player.mustBeginAgain(isPaused: state.isPaused) {
      player.state.withLock { if $0.request == nil { $0.ask(.seek($0.shown)) } }
      return now
    }
    guard !state.isPaused else {
      quieten()
      stepForward(session, now)
      return now + PlaySession.pause
    }
    play(session, waiting, player.state.withLock { $0 }, now)
    if let stretch = state.stretch, let end = stretch.end, state.shown >= end {
      player.state.withLock { if $0.request == nil { $0.ask(.seek(stretch.begin)) } }
      return now
    }
    return show(session, now)
  }

  // MARK: - Beginning

  private mutating func begin(_ session: PlaySession?, _ state: PlayState) {
    quieten()
    device?.clear()
    self.session = session
    (isStarted, hasShownFirst, audioEnd, lastSupply) = (false, false, 0, .now)
    (bufferTime, packets, feed) = (.one, [], nil)
    player.state.withLock { $0.clock.set(0, at: .now) }
    guard let session, device != nil, let track = state.audioTrack ?? session.bestAudio,
      session.audio.indices.contains(track)
    else { return }
    do { feed = try AudioFeed(session.audio[track]) } catch { player.say("\(error)") }
    if feed == nil {
      player.say("the audio (\(session.audio[track].codecName)) cannot be decoded")
    }
    feed?.restart(at: 0, speed: state.speed)
  }

  /// Shows the first frame at once, and starts when there is enough to go on.
  private mutating func start(
    _ session: PlaySession, _ waiting: PlaySession.Waiting, _ state: PlayState,
    _ now: MonotonicTime
  ) {
    if !hasShownFirst {
      guard let frame = firstFrame(session, waiting, state) else { return }
      present(frame, due: now, session)
      hasShownFirst = true
      player.state.withLock { $0.clock.set(frame.time.doubleValue, at: now) }
      if frame.time != .zero { restart(at: frame.time.doubleValue, speed: state.speed) }
    }
    let hasAudio = feed == nil || (device?.queued ?? 0) >= Self.queued / 2
    guard hasAudio || waiting.hasEnded else { return }
    isStarted = true
    player.state.withLock { $0.isBuffering = false }
    lastSupply = now
  }

  /// The frame with which the session begins; nil if it has not come yet.
  private func firstFrame(
    _ session: PlaySession, _ waiting: PlaySession.Waiting, _ state: PlayState
  ) -> Frame? {
    guard let search = state.search else { return session.takeFrame() }
    let wanted = search.before - session.start
    guard let first = session.time(of: 0) else { return nil }
    // Before the place of the search is nothing if its window reaches to the source's begin.
    let isAll = session.start <= .zero || search.before <= search.window
    guard first < wanted || isAll else {
      // Frames are further apart than they should be, or missing.
      player.state.withLock {
        $0.ask(.stepBack(before: search.before, window: search.window * Rational(4)))
      }
      return nil
    }
    while let next = session.time(of: 1) {
      if next >= wanted { return session.takeFrame() }
      _ = session.takeFrame()
    }
    return waiting.hasEnded ? session.takeFrame() : nil
  }

  // MARK: - Audio

  /// Decodes what came, and gives the device what it needs.
  private mutating func decode(_ session: PlaySession, _ waiting: PlaySession.Waiting) {
    let fresh = session.takePackets()
    guard let feed, let device else { return }
    let track = player.state.withLock { $0.audioTrack } ?? session.bestAudio
    for packet in fresh where packet.streamIndex == track {
      packets.append(packet)
      audioEnd = max(audioEnd, (packet.time + packet.duration).doubleValue)
    }
    do throws(FFmpegError) {
      while let packet = packets.first, packet.time.doubleValue < feed.place + Self.decodedAhead {
        try feed.add(packets.removeFirst())
      }
      if waiting.hasEnded, packets.isEmpty { try feed.end() }
      try feed.fill(device, to: Self.queued)
      // All audio up to `audioLead` behind a frame comes before the frame, but for the first one; so the source has none
      // here.
      if waiting.frames > 0, waiting.reach > .zero, device.queued < Self.queued / 2 {
        let known = waiting.reach + Player.audioLead
        try feed.pad(to: known.doubleValue - Self.decoderDelay)
        try feed.fill(device, to: Self.queued)
      }
    } catch {
      player.say("\(error)")
      self.feed = nil
    }
  }

  private mutating func change(speed: Double, _ now: MonotonicTime) {
    let place = player.state.withLock { state in
      state.clock.change(speed: speed, at: now)
      return state.clock.place(at: now)
    }
    restart(at: place, speed: speed)
  }

  private func restart(at place: Double, speed: Double) {
    device?.clear()
    feed?.restart(at: place, speed: speed)
  }

  /// Stops what is heard, and the clock.
  private mutating func quieten() {
    guard plays else { return }
    plays = false
    device?.play(false)
    player.state.withLock { $0.clock.hold(at: .now) }
  }

  // MARK: - Playing

  /// Lets the clock run while there is something to play, and ends the session when all was played.
  private mutating func play(
    _ session: PlaySession, _ waiting: PlaySession.Waiting, _ state: PlayState,
    _ now: MonotonicTime
  ) {
    let place = state.clock.place(at: now)
    let end = max(waiting.end.doubleValue, feed == nil ? 0 : audioEnd)
    if waiting.hasEnded, waiting.frames == 0, place >= end { return session.close() }
    if isSupplied(waiting, at: place, state) { lastSupply = now }
    let isSlow = waiting.isSlow || now.seconds(since: lastSupply) > Self.patience
    if isSlow, !state.isBuffering {
      quieten()
      bufferEnd = now + (state.readsAhead ? bufferTime : .zero)
      bufferTime = min(bufferTime * Rational(2), Self.longestBuffering)
      // The sound went on while frames were missing: both begin again behind the last frame.
      let place = player.state.withLock { state in
        state.isBuffering = true
        let place = min(state.clock.place(at: now), waiting.end.doubleValue)
        state.clock.set(place, at: now)
        return place
      }
      restart(at: place, speed: state.clock.speed)
      return
    }
    guard !plays else { return }
    if state.isBuffering {
      guard waiting.hasEnded || waiting.isFull && now > bufferEnd else { return }
      lastSupply = now
      session.resume()
      player.state.withLock { ($0.isBuffering, $0.lead) = (false, 0) }
    }
    plays = true
    if feed != nil {
      // The first samples that are heard start the clock.
      device?.play(true)
    } else {
      player.state.withLock { $0.clock.run(at: now) }
    }
  }

  /// Whether the source keeps up: there is a frame, or one is on its way, or the next one is not expected because
  /// audio of much later times has come.
  private func isSupplied(
    _ waiting: PlaySession.Waiting, at place: Double, _ state: PlayState
  ) -> Bool {
    if waiting.hasEnded || waiting.frames > 0 || waiting.isRendering { return true }
    if place < waiting.end.doubleValue + Self.patience * state.clock.speed { return true }
    return feed != nil && audioEnd - place > Player.audioLead.doubleValue
  }

  /// Shows the newest frame that is due; returns when the next one is.
  private mutating func show(_ session: PlaySession, _ now: MonotonicTime) -> MonotonicTime {
    let (place, speed, ahead) = player.state.withLock {
      ($0.clock.place(at: now), $0.clock.speed, $0.clock.isRunning ? player.presentation : 0)
    }
    let due = place + ahead * speed
    var newest: Frame?
    while let time = session.time(of: 0), time.doubleValue <= due {
      if newest != nil { player.noteLeftOut() }
      newest = session.takeFrame()
    }
    if let frame = newest {
      let late = place - frame.time.doubleValue
      present(frame, due: now + Rational(seconds: -late / speed), session)
      adapt(late: late / speed, waiting: session.time(of: 0) != nil)
    }
    guard let next = session.time(of: 0) else { return now + PlaySession.pause }
    return now + Rational(seconds: max((next.doubleValue - due) / speed, 0.0005))
  }

  /// Adapts how much earlier than it is due a frame must be read.
  private func adapt(late: Double, waiting: Bool) {
    player.state.withLock { state in
      if late > 0.03, !waiting {
        state.lead = min(state.lead + late / 4, 3)
      } else if waiting {
        state.lead = max(state.lead - 0.002, 0)
      }
    }
  }

  /// Shows the next frames of a pause, as many as were asked for.
  private mutating func stepForward(_ session: PlaySession, _ now: MonotonicTime) {
    guard player.state.withLock({ $0.steps }) > 0, let frame = session.takeFrame() else { return }
    player.state.withLock { state in
      state.steps -= 1
      state.clock.set(frame.time.doubleValue, at: now)
    }
    present(frame, due: now, session)
    restart(at: frame.time.doubleValue, speed: player.state.withLock { $0.clock.speed })
  }

  private func present(_ frame: Frame, due: MonotonicTime, _ session: PlaySession) {
    var frame = frame
    frame.captured = due
    player.state.withLock { $0.shown = session.start + frame.time }
    player.present(frame)
  }
}
