import FFmpegHandles
import Frames
import Synchronization
package import Window

/// What the keys and the pointer of the window do.
extension Player: WindowPlayback {
  package var status: PlaybackStatus {
    return state.withLock { state in
      var status = PlaybackStatus(name: names[min(state.item, names.count - 1)])
      status.item = (state.item + 1, names.count)
      let shown = state.request == nil ? state.shown : state.place
      status.place = shown
      status.length = state.length
      (status.isPaused, status.isBuffering) = (state.isPaused, state.isBuffering)
      status.isWaiting = state.request != nil
      status.speed = state.speed
      (status.volume, status.isMuted) = (state.volume, state.isMuted)
      status.stretch = state.stretch
      status.repeats = state.repeats
      return status
    }
  }

  package func perform(_ command: PlaybackCommand) -> String? {
    state.withLock { state in
      switch command {
      case .pause:
        state.isPaused.toggle()
        state.steps = 0
        return nil
      case .quit:
        state.ask(.quit)
        return nil
      case .seek(let seconds): return state.seek(to: state.place + seconds)
      case .seekTo(let share):
        guard let length = state.length else { return "the length is not known" }
        return state.seek(to: length * Rational(seconds: share))
      case .begin: return state.seek(to: .zero)
      case .stepForward:
        state.steps = state.isPaused ? state.steps + 1 : 0
        state.isPaused = true
        return nil
      case .stepBack: return state.stepBack()
      case .speed(let steps):
        state.speedIndex = min(max(state.speedIndex + steps, 0), PlaySpeed.all.count - 1)
        return "speed \(state.speed)"
      case .normalSpeed:
        state.speedIndex = PlaySpeed.normal
        return "speed \(state.speed)"
      case .volume(let change):
        state.volume = min(max(state.volume + change, 0), 100)
        state.isMuted = false
        return "volume \(state.volume)"
      case .mute:
        state.isMuted.toggle()
        return state.isMuted ? "muted" : "volume \(state.volume)"
      case .stretch: return state.markStretch()
      case .repeats:
        state.repeats.toggle()
        return state.repeats ? "repeats \(names[state.item])" : "no repeats"
      case .audioTrack: return state.nextAudioTrack()
      case .item(let steps): return next(&state, steps)
      }
    }
  }

  private func next(_ state: inout PlayState, _ steps: Int) -> String? {
    let from = if case .item(let item) = state.request { item } else { state.item }
    var item = from + steps
    if settings.loops { item = (item + names.count) % names.count }
    guard names.indices.contains(item) else {
      return steps > 0 ? "this is the last one" : "this is the first one"
    }
    state.ask(.item(item))
    return "\(item + 1) of \(names.count): \(names[item])"
  }

  /// Pauses or resumes; returns whether it is paused then.
  package func togglePause() -> Bool {
    _ = perform(.pause)
    return state.withLock { $0.isPaused }
  }
}

extension PlayState {
  /// Forgets what belongs to another source.
  mutating func enter(_ item: Int) {
    self.item = item
    // A key that came between two sources meant the one before.
    switch request {
    case .seek, .stepBack: request = nil
    case .item, .quit, nil: break
    }
    (stretch, audioTrack, length, lead) = (nil, nil, nil, 0)
    (previous, shown) = ([:], .zero)
  }

  mutating func takeRequest() -> PlayRequest? {
    defer { request = nil }
    if case .stepBack = request { isPaused = true }
    return request
  }

  /// What to say if the source cannot be opened again.
  private static let cannotSeek = "this source can only be played from its start to its end"

  mutating func seek(to wanted: Rational) -> String? {
    guard canSeek else { return Self.cannotSeek }
    var place = wanted > .zero ? wanted : .zero
    // The last frame, also of a file whose length is rounded.
    if let length, let rate = session?.frameRate, place > length - rate.reciprocal {
      let last = length - rate.reciprocal
      place = last > .zero ? last : .zero
    }
    ask(.seek(place))
    return nil
  }

  /// Shows the frame before the one that is shown.
  mutating func stepBack() -> String? {
    guard canSeek else { return Self.cannotSeek }
    isPaused = true
    steps = 0
    let shown = place
    guard shown > .zero else { return "this is the first frame" }
    if let before = previous[shown] {
      ask(.seek(before))
    } else {
      let rate = session?.frameRate ?? Rational(25)
      ask(.stepBack(before: shown, window: Rational(5, 2) / rate))
    }
    return nil
  }

  /// Notes that one frame follows another.
  mutating func follow(_ before: Rational, _ next: Rational) {
    // Some minutes are enough for steps back, and the memory stays level.
    if previous.count > 10_000 { previous = [:] }
    previous[next] = before
  }

  /// Marks the begin of the stretch that repeats, then its end, then nothing again.
  mutating func markStretch() -> String? {
    guard canSeek else { return Self.cannotSeek }
    switch stretch {
    case nil:
      stretch = (shown, nil)
      return "repeats from \(PlaybackStatus.text(shown)); press again at the end"
    case (let begin, nil)? where shown > begin:
      stretch = (begin, shown)
      return "repeats \(PlaybackStatus.text(begin)) to \(PlaybackStatus.text(shown))"
    default:
      stretch = nil
      return "no stretch repeats"
    }
  }

  mutating func nextAudioTrack() -> String? {
    guard let session, !session.audio.isEmpty else { return "there is no audio" }
    let count = session.audio.count
    guard canSeek || count == 1 else { return Self.cannotSeek }
    let track = ((audioTrack ?? session.bestAudio ?? 0) + 1) % count
    audioTrack = track
    let language = session.audio[track].tags.language.map { " (\($0))" } ?? ""
    if count > 1 { ask(.seek(place)) }
    return "audio \(track + 1) of \(count)\(language)"
  }
}
