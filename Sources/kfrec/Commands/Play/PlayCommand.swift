import Capture
import Control
import Encode
import Frames
import Player
import Recorder
import ShaderEffects
import Synchronization
import Window

/// `kfrec play`: plays sources in a window.
struct PlayCommand {
  let words: Options

  func run() throws -> ExitCode {
    try words.checkContradictions()
    let sources = try PlayList(words.operands).sources
    let reporter = RecordingReporter(words)
    var template = try Recording(words.playing(sources[0]))
    let (chain, inbox) = (ChainRequests(template.effects), ParameterInbox(keepsValues: true))
    (template.chainRequests, template.inbox) = (chain, inbox)
    let pickup = try MIDIPickup.named(in: words)
    // Keys act on the player, which is made with its window.
    let target = Mutex<WeakPlayer>(WeakPlayer())
    let name = sources.count == 1 ? ShownAddress.of(sources[0]) : "\(sources.count) sources"
    let window = WindowOutput(
      words, template, togglePause: { target.withLock { $0.player }?.togglePause() ?? false },
      stop: { _ = target.withLock { $0.player }?.perform(.quit) },
      choice: EffectChoice(words, requests: chain), name: name, pickup: pickup, reporter: reporter)
    let page = ControlPage(
      words, &template, name: name, movies: window.movies, reporter: reporter)
    let steering = try LiveControl(words, pickup: pickup, inbox: inbox, page: page) {
      reporter.show(.notice($0))
    }
    defer { steering.finish() }
    // The tags of the effects that the recording began with. Where there are none, its frames bypass the GPU.
    let begun = Mutex<[Int]>([])
    let player = Player(
      names: sources, window: window, hasSound: words.source.includesAudio,
      settings: words.play,
      actions: Player.Actions(
        recording: { [template] item in
          var recording = try Recording(words.playing(sources[item]))
          recording.effects = chain.effects
          (recording.chainRequests, recording.inbox) = (chain, inbox)
          recording.sideView = template.sideView
          begun.withLock { $0 = recording.effects.map(\.tag) }
          return recording
        },
        tell: { event, isFirst in
          window.show(event)
          steering.hear(event)
          switch event {
          // Nobody expects a window to have subtitles or tags.
          case .notice(let notice) where notice.id == .sourceLeftOut: break
          case .notice(let notice) where isFirst || notice.id == .effectReload:
            reporter.show(event)
          case .reloaded: reporter.show(event)
          case .ready where isFirst: reporter.show(event)
          default: break
          }
        },
        mustBeginAgain: { isPaused in
          let begun = begun.withLock { $0 }
          // A new chain may act in the recording at once, but the frames of a pause are older.
          return isPaused
            ? begun != chain.effects.map(\.tag) || inbox.hasChanges
            : begun.isEmpty && chain.isPending
        },
        takeBackEffects: { chain.takeBack() }, say: { reporter.note($0) }))
    target.withLock { $0.player = player }
    window.playback = player
    try SignalThread.start { _ in
      _ = player.perform(.quit)
    } onPause: {
      _ = player.togglePause()
    }
    let failed = try player.run(
      from: words.source.start ?? .zero, length: words.source.duration,
      end: words.source.end)
    if words.stats, player.report.shown > 0 {
      StandardStream.error.write(Self.statistics(player.report))
    }
    // The exit code must not say that everything was recorded.
    if window.movies?.failure != nil { return .incomplete }
    if failed == 0 { return player.hasIncomplete ? .incomplete : .done }
    return failed == sources.count ? .failed : .incomplete
  }

  /// How far frames were from their time.
  private static func statistics(_ offsets: PlayOffsets) -> String {
    func milliseconds(_ seconds: Double?) -> String {
      seconds.map { "\(($0 * 10_000).rounded() / 10) ms" } ?? "unknown"
    }
    return """
      frames: \(offsets.shown) shown, \(offsets.leftOut) left out
      frames from the time of the sound: median \(milliseconds(offsets.share(0.5))), 99 of 100 within \
      \(milliseconds(offsets.share(0.99))), worst \(milliseconds(offsets.worst)); \(offsets.late) by more than half a frame

      """
  }
}

/// Lets the window's keys find the player without keeping it.
private struct WeakPlayer: Sendable {
  weak var player: Player?
}

extension Options {
  /// The options of a recording of one source; the player itself begins and ends it.
  fileprivate func playing(_ source: String) -> Options {
    var words = self
    words.inputs = [InputPart(name: source)]
    (words.source.start, words.source.duration, words.source.end) = (nil, nil, nil)
    return words
  }
}
