import Capture
import Control
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
    let sources = try PlayList(words.operands).sources
    let reporter = RecordingReporter(words)
    let chain = ChosenChain(words.effects)
    let door = ParameterDoor(keepsValues: true)
    let template = try recording(of: sources[0], door: door, chain: chain)
    let hands = try MIDIHands.named(in: words)
    // Keys act on the player, which is made with its window.
    let target = Mutex<WeakPlayer>(WeakPlayer())
    let choice = EffectChoice(words) { effects in
      let player = target.withLock { $0.player }
      // Frames without effects bypass the GPU until the player begins again, and in a pause no frame comes.
      let beginsAgain = chain.ask(for: effects) || player?.status.isPaused == true
      if beginsAgain { _ = player?.perform(.again) }
    }
    let window = WindowOutput(
      words, template, togglePause: { target.withLock { $0.player }?.togglePause() ?? false },
      stop: { _ = target.withLock { $0.player }?.perform(.quit) }, choice: choice,
      name: sources.count == 1 ? sources[0] : "\(sources.count) sources", hands: hands,
      reporter: reporter)
    let steering = try LiveControl(words, hands: hands, door: door) { reporter.show(.notice($0)) }
    defer { steering.finish() }
    let player = Player(
      names: sources, window: window, hasSound: !words.noAudio, repeatsList: words.loops,
      volume: words.volume ?? 100, speed: words.speed ?? 1,
      actions: Player.Actions(
        recording: { item in
          try recording(of: sources[item], door: door, chain: chain)
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
        hasChanges: { door.hasChanges }, say: { reporter.note($0) }))
    target.withLock { $0.player = player }
    window.playback = player
    try SignalThread.start {
      _ = player.perform(.quit)
    } onPause: {
      _ = player.togglePause()
    }
    let failed = try player.run(from: words.start ?? .zero)
    if words.stats { StandardStream.error.write(Self.statistics(player.report)) }
    return failed == 0 ? .done : failed == sources.count ? .failed : .incomplete
  }

  private func recording(
    of source: String, door: ParameterDoor, chain: ChosenChain
  ) throws -> Recording {
    var words = words
    words.inputs = [source]
    words.start = nil
    var recording = try Recording(words)
    recording.effects = chain.effects
    recording.source.hardware = words.hardware ?? .off
    recording.door = door
    recording.chainRequests = recording.effects.isEmpty ? nil : chain.begin()
    return recording
  }

  /// How far frames were from their time.
  private static func statistics(_ offsets: PlayOffsets) -> String {
    func milliseconds(_ seconds: Double?) -> String {
      seconds.map { "\(($0 * 10_000).rounded() / 10) ms" } ?? "unknown"
    }
    return """
      frames: \(offsets.shown) shown, \(offsets.leftOut) left out
      frames from the time of the sound: median \(milliseconds(offsets.median)), 99 of 100 within \
      \(milliseconds(offsets.share(0.99))), worst \(milliseconds(offsets.worst)); \(offsets.late) by more than half a frame

      """
  }
}

/// Lets the window's keys find the player without keeping it.
private struct WeakPlayer: Sendable {
  weak var player: Player?
}

/// The chain of effects that keys have chosen, for the recordings of a player.
private final class ChosenChain: Sendable {
  private struct State: Sendable {
    var effects: [EffectSpec]
    var requests: ChainRequests?
  }

  private let state: Mutex<State>

  init(_ effects: [EffectSpec]) { state = Mutex(State(effects: effects)) }

  var effects: [EffectSpec] { state.withLock { $0.effects } }

  /// The requests for a recording that begins.
  func begin() -> ChainRequests {
    let requests = ChainRequests()
    state.withLock { $0.requests = requests }
    return requests
  }

  /// Asks the recording that runs for a chain; returns whether another recording must begin for it.
  func ask(for effects: [EffectSpec]) -> Bool {
    let requests = state.withLock { state in
      state.effects = effects
      return state.requests
    }
    requests?.ask(for: effects)
    return requests == nil
  }
}
