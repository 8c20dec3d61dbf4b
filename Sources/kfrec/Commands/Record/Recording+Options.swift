import Capture
import Control
import Encode
import Frames
import Recorder
import Settings
import ShaderEffects

extension Recording {
  /// Translates the command line: a pure function, which opens and looks up nothing.
  init(_ words: Options) throws(CommandLineError) {
    try words.checkContradictions()
    try words.checkControl()
    try words.checkOutputs()
    let first = try words.input()
    let input = first.name
    try words.checkRetiming(of: input)
    self = words.recording
    source = words.source(first)
    following = words.inputs.dropFirst().map { part in
      var other = words.source(part)
      // These are the output's.
      (other.duration, other.frames) = (nil, nil)
      return other
    }
    if !words.control.ways.isEmpty || words.control.midi != nil { inbox = ParameterInbox() }
    otherReads = words.presetsAndList
    // A batch has a check of its own.
    if words.command != .record { verification = .off }
    pace = words.pace(of: input)
    if words.frameRateMode == .nearest { frameChoice = .nearest }
    if words.frameRateMode == .blend {
      frameChoice = .blend
      effects.insert(EffectSpec(name: "crossfade"), at: 0)
    }
    if SourceKind.written(input).isGenerated { size = nil }
    // A batch makes an output whole or not at all, and can make it again.
    encoding.isInOneFile = words.command == .batch
  }
}

extension Options {
  fileprivate func input() throws(CommandLineError) -> InputPart {
    if recording.reloadsEffects, recording.effects.isEmpty {
      throw CommandLineError("--reload has no effect to watch; name one with -e")
    }
    if inputs.count > 1, recording.source.isPaced {
      throw CommandLineError(
        "--realtime reads one input; leave out --realtime, or the other inputs")
    }
    if inputs.count < 2, isGiven("overlap") {
      throw CommandLineError(
        "--overlap is for two inputs; give a second -i, or leave out --overlap")
    }
    try checkParts()
    if inputs.count > 1, recording.source.range != nil {
      throw CommandLineError("--frame-range is for one input; leave out the other inputs")
    }
    try checkStreamChoice()
    // An empty name means the first camera.
    return inputs.first ?? InputPart(name: "")
  }

  /// Throws if there is nothing to choose from: no input has streams.
  private func checkStreamChoice() throws(CommandLineError) {
    guard let option = ["variant", "program"].first(where: isGiven), command != .play,
      command != .batch,
      inputs.allSatisfy({ !SourceKind.written($0.name).hasStreams })
    else { return }
    let input = inputs.first?.name ?? ""
    throw CommandLineError(
      "--\(option) chooses among the videos of a file or a stream, and \(input.isEmpty ? "a camera" : input) has "
        + "only one; leave out --\(option)")
  }

  /// `--fps` sets the frame rate of a source whose frames have no timestamps, else that of the output.
  fileprivate func pace(of input: String) -> OutputPace {
    let isSourceRate = SourceKind.written(input).takesFrameRate
    let frameRate = recording.source.frameRate
    switch frameRateMode {
    case .constant, .nearest, .blend:
      // A source that is made or numbered at a rate gets another one when its speed changes.
      return .constant(isSourceRate && !isGiven("speed") ? nil : frameRate)
    case nil where frameRate != nil && !isSourceRate: return .constant(frameRate)
    default: return .asTheyCome
    }
  }

  fileprivate func checkOutputs() throws(CommandLineError) {
    guard recording.outputs.isEmpty, command != .preview, command != .play else { return }
    throw CommandLineError(
      "no output was given; name one with -o, such as -o out.mov (kfrec --help has examples)")
  }

  fileprivate func source(_ part: InputPart) -> SourceRequest {
    var source = recording.source
    let (start, end) = (source.start, part.end ?? source.end)
    (source.input, source.start, source.end) = (part.name, part.start ?? start, nil)
    source.partDuration = part.duration
    source.interruption = Interruption()
    let kind = SourceKind.written(part.name)
    if let end {
      if kind.isLive {
        source.duration = end - (start ?? .zero)
      } else if kind.isGenerated {
        source.partDuration = end - (source.start ?? .zero)
      } else {
        source.end = end
      }
    }
    if kind.isGenerated, let (width, height) = recording.size {
      source.size = ImageSize(width: width, height: height)
        .filled(from: SourceRequest.usualGeneratedSize)
    }
    return source
  }

  /// Throws if the input or another option does not go with a changed time.
  fileprivate func checkRetiming(of input: String) throws(CommandLineError) {
    if inputs.count > 1, frameRateMode == .blend {
      throw CommandLineError(
        "--fps-mode blend is for one input; leave out the other inputs, or take nearest")
    }
    let options = Retiming.options.map(\.long).filter(isGiven)
    guard let option = options.first else { return }
    if SourceKind.written(input).isLive {
      throw CommandLineError(
        "--\(option) is for files, and \(input.isEmpty ? "a camera" : input) is live; record it first"
      )
    }
    if inputs.count > 1, let other = options.first(where: { $0 != "speed" }) {
      throw CommandLineError(
        "--\(other) is for one input; leave out the other inputs, or make that part first")
    }
  }
}

extension ImageSize {
  /// Computes a missing side from an aspect ratio; halves are rounded up.
  func filled(from shape: (width: Int, height: Int)) -> (width: Int, height: Int) {
    func scaled(_ side: Int, _ top: Int, _ bottom: Int) -> Int {
      max(1, (2 * side * top + bottom) / (2 * bottom))
    }
    return switch (width, height) {
    case (let width?, let height?): (width, height)
    case (let width?, nil): (width, scaled(width, shape.height, shape.width))
    case (nil, let height?): (scaled(height, shape.width, shape.height), height)
    case (nil, nil): shape
    }
  }
}
