import Capture
import Encode
import FFmpegHandles
import Frames
import Recorder
import Render
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
    self.init(source: words.source(first), outputs: words.outputs)
    following = words.inputs.dropFirst().map { part in
      var other = words.source(part)
      // These are the output's.
      (other.duration, other.frames) = (nil, nil)
      return other
    }
    overlaps = words.overlaps ?? []

    microphone = words.audio
    addedAudio = words.audioIn
    (subtitles, subtitleTracks) = (words.subtitles, words.subtitleTracks)

    effects = words.effects
    effectFolders = words.effectFolders
    readableFolders = words.readableFolders
    reloadsEffects = words.reload
    if !words.controls.isEmpty || words.midi != nil { door = ParameterDoor() }
    (automation, automationIn) = (words.automation, words.automationIn)
    otherReads = words.presetsAndList
    firstTime = words.time ?? .zero
    firstFrameIndex = words.frameIndex ?? 0
    comparison = words.comparison
    gpu = words.gpu
    requiresGPU = words.requireGPU
    forcesGPU = words.forceGPU
    if let limit = words.gpuTimeout { frameLimit = limit }

    container = words.container
    frameHashes = words.frameHashes
    // A batch has a check of its own.
    if words.command == .record { verification = words.verification ?? .off }
    overwrite = words.overwrite ? .replace : words.noOverwrite ? .skip : .refuse
    pace = words.pace(of: input)
    if words.frameRateMode == .nearest { frameChoice = .nearest }
    if words.frameRateMode == .blend {
      frameChoice = .blend
      effects.insert(EffectSpec(name: "crossfade"), at: 0)
    }
    if !SourceKind.written(input).isGenerated { size = words.size.map { ($0.width, $0.height) } }
    scale = words.scale ?? .fit
    scaler = words.scaler ?? .lanczos
    if let color = words.padColor { barColor = SIMD4<Double>(color) / 255 }
    range =
      switch words.range {
      case nil, .source: nil
      case .limited: .limited
      case .full: .full
      }

    encoding.codec = words.codec
    encoding.preset = words.preset
    encoding.bitrate = words.bitrate
    encoding.crf = words.crf
    encoding.gop = words.gop
    encoding.hardware = words.hardware ?? .off
    // A batch makes an output whole or not at all, and can make it again.
    encoding.isInOneFile = words.command == .batch
    encoding.options = words.encoderOptions
    encoding.split = words.split
    encoding.audio = words.audioSettings
    if case .given(let format) = words.pixelFormat { encoding.pixelFormat = format }
    encoding.plays = words.plays ?? encoding.plays
    encoding.dither = words.dither ?? encoding.dither
  }
}

extension Options {
  fileprivate func input() throws(CommandLineError) -> InputPart {
    if reload && effects.isEmpty {
      throw CommandLineError("--reload has no effect to watch; name one with -e")
    }
    if inputs.count > 1, realtime {
      throw CommandLineError(
        "--realtime reads one input; leave out --realtime, or the other inputs")
    }
    if inputs.count < 2, overlaps != nil {
      throw CommandLineError(
        "--overlap is for two inputs; give a second -i, or leave out --overlap")
    }
    try checkParts()
    if inputs.count > 1, frameRange != nil {
      throw CommandLineError("--frame-range is for one input; leave out the other inputs")
    }
    try checkStreamChoice()
    // An empty name means the first camera.
    return inputs.first ?? InputPart(name: "")
  }

  /// Throws if there is nothing to choose from: no input has streams.
  private func checkStreamChoice() throws(CommandLineError) {
    let options = [(variant != nil, "--variant"), (program != nil, "--program")]
    guard let option = options.first(where: \.0)?.1, command != .play, command != .batch,
      inputs.allSatisfy({ !SourceKind.written($0.name).hasStreams })
    else { return }
    let input = inputs.first?.name ?? ""
    throw CommandLineError(
      "\(option) chooses among the videos of a file or a stream, and \(input.isEmpty ? "a camera" : input) has "
        + "only one; leave out \(option)")
  }

  /// `--fps` sets the frame rate of a source whose frames have no timestamps, else that of the output.
  fileprivate func pace(of input: String) -> OutputPace {
    let isSourceRate = SourceKind.written(input).takesFrameRate
    switch frameRateMode {
    case .constant, .nearest, .blend:
      // A source that is made or numbered at a rate gets another one when its speed changes.
      return .constant(isSourceRate && inputSpeed == nil ? nil : frameRate)
    case nil where frameRate != nil && !isSourceRate: return .constant(frameRate)
    default: return .asTheyCome
    }
  }

  fileprivate func checkOutputs() throws(CommandLineError) {
    guard outputs.isEmpty, command != .preview, command != .play else { return }
    throw CommandLineError(
      "no output was given; name one with -o, such as -o out.mov (kfrec --help has examples)")
  }

  fileprivate func source(_ part: InputPart) -> SourceRequest {
    let input = part.name
    var source = SourceRequest(input: input)
    source.start = part.start ?? start
    (source.duration, source.partDuration) = (duration, part.duration)
    if let end = part.end ?? end {
      let kind = SourceKind.written(input)
      if kind.isLive {
        source.duration = end - (start ?? .zero)
      } else if kind.isGenerated {
        source.partDuration = end - (source.start ?? .zero)
      } else {
        source.end = end
      }
    }
    source.frames = frames
    source.range = frameRange
    source.frameRate = frameRate
    source.includesAudio = !noAudio
    source.includesTags = !noTags
    source.sound = sound
    if let variant { source.video = variant }
    source.program = program
    if let networkTimeout { source.networkTimeout = networkTimeout }
    source.ignoresSubtitles = noSubtitles
    source.isPaced = realtime
    source.camera = camera
    source.showsPointer = cursor ?? true
    source.retiming = retiming
    source.arrangement.crop = crop
    source.arrangement.quarterTurns = rotate ?? 0
    source.arrangement.flip = flip
    source.arrangement.aspect = aspect
    source.deinterlacing = Deinterlacing(deinterlacing ?? .auto, order: fieldOrder)
    source.tagOverrides.matrix = inputMatrix
    source.tagOverrides.range = inputRange
    source.tagOverrides.transfer = inputTransfer
    source.hdr = hdr ?? source.hdr
    source.hardware = hardware ?? .off
    if SourceKind.written(input).isGenerated {
      source.size = size?.filled(from: SourceRequest.usualGeneratedSize)
    }
    return source
  }
}

extension Options {
  fileprivate var camera: CameraRequest {
    var camera = CameraRequest()
    if let width = cameraSize?.width, let height = cameraSize?.height {
      camera.size = (width, height)
    }
    camera.frameRate = cameraRate
    camera.format = cameraFormat
    camera.controls = cameraControls.map { ($0.name, $0.value) }
    if let cameraTimeout { camera.timeout = cameraTimeout }
    camera.wait = cameraWait
    return camera
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
