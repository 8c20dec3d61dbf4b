import Encode
package import Frames

/// What keys do in every kind of view, and the lines of text that it shows.
///
/// Used by the thread of the view.
package struct ViewControls {
  private let output: WindowOutput
  private let actions: WindowOutput.Actions
  private let movies: MovieSwitch?
  private var parameters: ParameterList
  /// Keys that this kind of view does not have.
  private let withoutKeys: Set<WindowKey>
  private var showsHelp = false
  private var announcement: (text: String, end: MonotonicTime)?
  private var isPaused = false
  /// The keys of a player; nil if nobody plays.
  private(set) var player: PlayerPanel?

  /// - Parameters:
  ///   - output: What the keys do.
  ///   - withoutKeys: Keys that are not in the help.
  package init(_ output: WindowOutput, withoutKeys: Set<WindowKey> = []) {
    (self.output, actions, movies) = (output, output.actions, output.movies)
    self.withoutKeys = withoutKeys
    parameters = ParameterList(output.parameters)
    player = output.playback.map { PlayerPanel($0) }
  }

  /// Does what a key says; one that needs a window does nothing.
  ///
  /// A parameter moves by this many steps; `newest` is the frame that is shown.
  package mutating func press(_ key: WindowKey, steps: Int, newest: Frame?) {
    switch key {
    case .pause where player != nil: say(player?.perform(.pause))
    case .pause: isPaused = actions.togglePause()
    case .quit where player != nil: say(player?.perform(.quit))
    case .quit: actions.stop()
    case .record:
      if let movies { movies.toggle() } else { announce("this is being recorded") }
    case .still: if let newest { actions.saveStill(newest) }
    case .nextEffect: announce(actions.changeEffect(1))
    case .previousEffect: announce(actions.changeEffect(-1))
    case .nextParameter: parameters.choose(1)
    case .previousParameter: parameters.choose(-1)
    case .less: parameters.move(by: -steps)
    case .more: parameters.move(by: steps)
    case .reset: parameters.reset()
    case .learn: announce(parameters.learn())
    case .parameters: parameters.toggle()
    case .slower, .faster:
      let steps = key == .slower ? -1 : 1
      say(player == nil ? actions.changeSpeed(steps) : player?.perform(.speed(by: steps)))
    case .camera: announce(actions.nextCamera())
    case .help: showsHelp.toggle()
    case .compare, .scale, .fullScreen: announce("this needs a window: --preview=window")
    }
  }

  /// Does what a key of a player says; returns whether there is a player, and the key is not for the parameters that are shown.
  mutating func press(_ command: PlaybackCommand) -> Bool {
    guard player != nil, !(parameters.isShown && command.isForParametersToo) else { return false }
    say(player?.perform(command))
    return true
  }

  /// Changes the line of a player's progress, if there is a player.
  mutating func withPlayer<Result>(_ body: (inout PlayerPanel) -> Result) -> Result? {
    guard var panel = player else { return nil }
    defer { player = panel }
    return body(&panel)
  }

  private mutating func say(_ text: String?) { if let text { announce(text) } }

  /// Shows a text for two seconds.
  package mutating func announce(_ text: String) {
    announcement = (text, .now + Rational(2))
  }

  /// Returns the text that lies over the picture or below it; `message` is what others tell the view, in lines.
  package func lines(message: String?) -> [String] {
    var lines = isPaused ? ["paused"] : []
    if let line = player?.line { lines.append(line) }
    if let name = movies?.name { lines.append("recording \(name)") }
    lines += message.map { $0.split(separator: "\n").map(String.init) } ?? []
    // What another thread has to say is newer than what a key said.
    if let news = output.news {
      lines.append(news)
    } else if let announcement, .now < announcement.end {
      lines.append(announcement.text)
    }
    lines += parameters.lines
    guard showsHelp else { return lines }
    return lines
      + (player == nil ? WindowKey.helpLines(without: withoutKeys) : PlaybackCommand.helpLines)
  }
}
