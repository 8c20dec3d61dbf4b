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
  /// A text that is shown for a while.
  private var announcement: (text: String, end: MonotonicTime)?
  private var isPaused = false

  /// - Parameters:
  ///   - output: What the keys do.
  ///   - withoutKeys: Keys that are not in the help.
  package init(_ output: WindowOutput, withoutKeys: Set<WindowKey> = []) {
    (self.output, actions, movies) = (output, output.actions, output.movies)
    self.withoutKeys = withoutKeys
    parameters = ParameterList(output.parameters)
  }

  /// Does what a key says.
  ///
  /// - Parameters:
  ///   - key: The key; one that needs a window does nothing.
  ///   - steps: How far a parameter moves.
  ///   - newest: The frame that is shown.
  package mutating func press(_ key: WindowKey, steps: Int, newest: Frame?) {
    switch key {
    case .pause: isPaused = actions.togglePause()
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
    case .slower: announce(actions.changeSpeed(-1))
    case .faster: announce(actions.changeSpeed(1))
    case .camera: announce(actions.nextCamera())
    case .help: showsHelp.toggle()
    case .compare, .scale, .fullScreen: announce("this needs a window: --preview=window")
    }
  }

  /// Shows a text for two seconds.
  package mutating func announce(_ text: String) {
    announcement = (text, .now + Rational(2))
  }

  /// Returns the text that lies over the picture or below it; `message` is what others tell the view, in lines.
  package func lines(message: String?) -> [String] {
    var lines = isPaused ? ["paused"] : []
    if let name = movies?.name { lines.append("recording \(name)") }
    lines += message.map { $0.split(separator: "\n").map(String.init) } ?? []
    // What another thread has to say is newer than what a key said.
    if let news = output.news {
      lines.append(news)
    } else if let announcement, .now < announcement.end {
      lines.append(announcement.text)
    }
    lines += parameters.lines
    return showsHelp ? lines + WindowKey.helpLines(without: withoutKeys) : lines
  }
}
