import Control
import Recorder
import Settings
import ShaderEffects

extension Options {
  /// Whether effects can be added while the command runs, by keys or on the page.
  var canGetEffects: Bool { command == .preview || command == .play }

  /// Throws if the options for changes of parameters contradict each other or have nothing to change.
  func checkControl() throws(CommandLineError) {
    let given: [(Bool, String)] = [
      (!control.ways.isEmpty, "--control"), (recording.automationIn != nil, "--automation-in"),
      (control.midi != nil && !canGetEffects, "--midi"),
    ]
    for (isGiven, name) in given
    where isGiven && recording.effects.isEmpty
      && (!canGetEffects || recording.automationIn != nil)
    {
      throw CommandLineError("\(name) has no effect to change; name one with -e")
    }
    if control.midiMap != nil, control.midi == nil {
      throw CommandLineError("--midi-map needs --midi; add it, or leave out --midi-map")
    }
    let isLive = !control.ways.isEmpty || control.midi != nil || showsWindow
    if control.glide != nil, !isLive {
      throw CommandLineError(
        "--glide is for changes by --control, --midi or in a window; add one, or leave out --glide")
    }
    if recording.automation != nil, !isLive, recording.automationIn == nil {
      throw CommandLineError(
        "--automation has no changes to write; add --control, --midi or --preview, or leave it out"
      )
    }
    for (name, isGiven) in [
      ("--control-bind", control.address != nil), ("--control-token", control.token != nil),
      ("--no-window", control.noWindow),
    ] where isGiven && control.ports.isEmpty {
      throw CommandLineError(
        "\(name) is for the page of --control PORT; add it, or leave out \(name)")
    }
    let isHidden = messages.quiet || messages.progress == .json && writesToStandardOutput
    if let address = control.address, isHidden, control.token == nil,
      NumericAddress(address)?.isLoopback == false
    {
      throw CommandLineError(
        "nobody would see the token of the page, because messages are off; give one with --control-token"
      )
    }
    for (place, way) in control.ways.enumerated() where control.ways[..<place].contains(way) {
      throw CommandLineError("--control \(way.word) was given twice; leave one out")
    }
    guard control.ways.contains(.standardInput) else { return }
    let words = inputs.map(\.name) + recording.effects.flatMap { $0.parameters.map(\.value) }
    if words.contains(where: { $0 == "-" || $0.hasPrefix("-~") || $0 == "/dev/stdin" }) {
      throw CommandLineError(
        "--control - and the input - both read standard input; give one of them another place")
    }
  }
}
