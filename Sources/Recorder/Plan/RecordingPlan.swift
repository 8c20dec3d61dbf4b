import Capture
import Encode
import Frames
import GPU
import Render
import ShaderEffects

/// Facts about a recording whose sources are all open.
///
/// They are values only, so that a plan can be made and tested without a device.
struct RecordingFacts: Sendable {
  struct MovingInput: Sendable, Equatable {
    let name: String
    let format: FrameFormat
    let frameRate: Rational
    /// Names of the inputs that show it.
    let inputs: [String]
  }

  var outputs: OutputSet
  var trim = TrimPlan()
  /// Describes everything that is read, as one source.
  var source: SourceDescription
  /// The first frame's place in the source, as players count it, in seconds.
  var sourceStart = Rational.zero
  /// Format of each clip's first frame, in the order in which clips are shown; at least one.
  var clips: [FrameFormat]
  var bindings = InputBindings()
  var movingInputs: [MovingInput] = []
  var microphone: AudioFormat?
  /// Whether the encoder takes both parts of chroma in one plane, so that frames are made so.
  var wantsSemiPlanar = false
  /// Whether an effect makes opaque pixels transparent, as its header and its parameters say.
  var makesAlpha = false
}

/// What is decided from the first frames: the input, the output, the image's position in it, how much is
/// recorded, and whether frames need the GPU.
///
/// Two recordings with equal plans and equal effects produce the same output from the same input.
struct RecordingPlan: Sendable, Equatable {
  let input: String
  let source: FrameFormat
  /// The names of the clips without their folders, in the order in which they are shown.
  let clipNames: [String]
  /// FFmpeg's name of the decoder; nil if nothing is decoded.
  let decoder: String?
  private(set) var sink: FrameFormat
  let geometry: FrameGeometry
  /// How the output shows the source's own picture too; nil if it does not.
  let comparison: Comparison?
  /// The output's width in pixels, before it is made even.
  private let canvasWidth: Int
  /// Field order of interlaced output frames; nil if frames are progressive or their fields are mixed.
  let fieldOrder: FieldOrder?
  private let mixesFields: Bool
  /// Whether frames are deinterlaced, as far as known before they come.
  let deinterlaces: Bool
  let trim: TrimPlan
  /// The first frame's place in the source, as players count it, in seconds.
  let sourceStart: Rational
  /// Effect time (in seconds) and number of the first frame.
  let firstTime: Rational
  let firstFrameIndex: Int
  /// Effect time of the frame before the first one, in seconds; nil if there is none.
  let previousTime: Rational?
  /// What is left out of a stretch; nil if the source is recorded from its start.
  let rangeCut: RangeCut?
  /// The source's nominal frame rate, in frames per second, and its time base, in seconds.
  let frameRate: Rational
  let sourceTimeBase: Rational
  /// The output's constant frame rate, if it has one.
  let constantRate: Rational?
  /// Whether the frames of that rate are chosen before the effects, so that these get the times of the output.
  let rendersConstantRate: Bool
  let frameChoice: FrameChoice
  /// Expected seconds and number of frames of the source, if known.
  let duration: Rational?
  let frameCount: Int?
  let isLive: Bool
  /// The moment of the first frame in the time of the input, in seconds; nil if times count from the first frame.
  let inputTime: Rational?
  let creationTime: Rational?
  /// The source's time code at effect time zero.
  let timecode: Timecode?
  /// Formats of audio that comes as samples: the clips' mix, or the microphone's.
  let audio: [AudioFormat]
  /// Number of audio tracks that come as packets, to be copied.
  let codedAudio: Int
  /// Number of subtitle tracks of the source itself, before those of other files.
  let ownSubtitles: Int
  let microphone: AudioFormat?
  /// What image inputs show, and how clips follow each other.
  let bindings: InputBindings
  let movingInputs: [RecordingFacts.MovingInput]
  let replacesExisting: Bool
  /// Whether some frames need the GPU, as far as known before the frames come; a later frame with another
  /// format may need it too (`bypassesGPU`).
  private(set) var needsGPU = true
  /// Whether frames are made for an encoder that reads them where the GPU has them.
  private(set) var sharesResults = false
  /// How colours with more bits than the output are rounded.
  private let dither: EncodeSettings.Dither
  /// Whether every frame uses the GPU, even if there is nothing to do.
  private let usesGPUAlways: Bool
  private(set) var notices: [Notice] = []

  init(_ recording: Recording, _ facts: RecordingFacts) throws(RecorderError) {
    let (description, outputs) = (facts.source, facts.outputs)
    try RecordingPlan.checkLength(recording, facts)
    let first = facts.clips[0]
    source = first
    input = description.name
    clipNames = ([recording.source] + recording.following).map { request in
      let name = request.input.isEmpty ? description.name : request.input
      return name.split(separator: "/").last.map(String.init) ?? name
    }
    decoder = description.decoder
    var geometry = FrameGeometry(source: first)
    if let size = recording.size {
      geometry = FrameGeometry(source: first, size: size, scale: recording.scale)
    }
    (geometry.scaler, geometry.scale) = (recording.scaler, recording.scale)
    geometry.barColor = recording.barColor
    self.geometry = geometry
    comparison = recording.comparison
    canvasWidth = comparison?.geometry(of: geometry).canvasWidth ?? geometry.canvasWidth
    var shown = first
    if recording.source.hdr == .toneMap, first.color.isHighDynamicRange {
      shown.color = first.color.standardRange
    }
    let color = ColorDescription(
      outputOf: shown, range: recording.range, isGuessed: description.rangeIsGuessed,
      width: geometry.canvasWidth, height: geometry.canvasHeight)
    // Of HDR that becomes SDR, nobody misses the finer steps.
    let kept = facts.clips.filter {
      recording.source.hdr != .toneMap || !$0.color.isHighDynamicRange
    }
    let hasBars = facts.clips.contains { ($0 == first ? geometry : geometry.placing($0)).hasBars }
    var contents = PixelContents(
      facts.clips.map(\.pixelFormat),
      addsColor: recording.hasActingEffect || hasBars)
    contents.depth = kept.map(\.pixelFormat.layout.depth).max() ?? 8
    let hasAlpha =
      facts.makesAlpha || geometry.barColor.w < 1 && hasBars
      || facts.clips.contains { $0.pixelFormat.layout.alpha != nil }
    sink = outputs.frameFormat(
      width: canvasWidth, height: geometry.canvasHeight, color: color,
      sampleAspectRatio: geometry.sampleAspectRatio,
      hasAlpha: hasAlpha,
      // An effect may make opaque pixels transparent without its header saying so.
      mayGainAlpha: recording.hasActingEffect, contents: contents)
    if first.pixelFormat.layout.model == .gray, sink.pixelFormat.layout.model == .gray,
      outputs.isEncoded, recording.range == nil
    {
      sink.color.range = first.color.range
    }
    if let range = recording.range, range != sink.color.range, outputs.isEncoded,
      sink.pixelFormat.layout.model == .yCbCr
    {
      throw RecorderError(
        "\(outputs.name) cannot say that its values have the \(range) range, and players would take them for others: "
          + "leave out --range, or write H.264 or HEVC", isUsageError: true)
    }
    let nearest = outputs.nearest(to: contents, hasAlpha: hasAlpha)
    try RecordingPlan.checkDepth(
      of: sink, outputs, nearest: nearest,
      asked: [
        recording.encoding.codec.map { _ in "--codec" },
        recording.encoding.pixelFormat.map { _ in "--pixel-format" },
      ].compactMap(\.self))
    dither = recording.encoding.dither
    fieldOrder = description.fieldOrder.flatMap { [geometry] in
      geometry.fieldOrder(of: first, being: $0)
    }
    mixesFields = description.fieldOrder != nil && fieldOrder == nil
    deinterlaces = description.isDeinterlaced
    sourceStart = facts.sourceStart
    let skipped = recording.countsFromSourceStart ? facts.sourceStart : .zero
    firstTime = recording.firstTime + skipped
    let stretch = description.range
    firstFrameIndex =
      recording.firstFrameIndex + (stretch?.range.begin ?? 0)
      + Int((skipped * description.frameRate + Rational(1, 2)).floor)
    previousTime = stretch.flatMap { stretch in
      stretch.previous.map { recording.firstTime + $0 - stretch.origin }
    }
    rangeCut = stretch.map {
      RangeCut(
        leadIn: $0.range.leadIn, shift: $0.range.keepsTimes ? .zero : $0.shown - $0.origin,
        cutsAudio: !$0.range.keepsTimes && $0.range.leadIn > 0)
    }
    (frameRate, sourceTimeBase) = (description.frameRate, description.timeBase)
    constantRate =
      switch recording.pace {
      case .asTheyCome: nil
      case .constant(let rate): rate ?? description.frameRate
      }
    var trim = facts.trim
    if let constantRate { trim.endCapture(atRate: constantRate) }
    self.trim = trim
    frameChoice = recording.frameChoice
    (duration, frameCount) = (description.duration, description.frameCount)
    isLive = description.isLive
    // At effect time zero.
    let passed = recording.countsFromSourceStart ? .zero : facts.sourceStart
    creationTime = description.creationTime.map { $0 + passed }
    timecode = description.timecode.map { code in
      var code = code
      code.first += (passed * code.frameRate + Rational(1, 2)).floor
      return code
    }
    audio = description.audio + [facts.microphone].compactMap(\.self)
    codedAudio = description.codedAudio.count
    ownSubtitles = description.subtitles.count - recording.subtitleTracks.count
    microphone = facts.microphone
    var bindings = facts.bindings
    bindings.sharesCanvas = facts.clips.contains {
      let place = geometry.placing($0)
      return $0 != first && geometry.hasBars
        && (place.width, place.height) != (geometry.width, geometry.height)
    }
    (self.bindings, movingInputs) = (bindings, facts.movingInputs)
    inputTime = recording.hasInputTime ? facts.sourceStart : nil
    replacesExisting = recording.overwrite == .replace
    let transitions = facts.bindings.transitionPlaces
    usesGPUAlways =
      recording.forcesGPU || recording.comparison != nil || recording.subtitles != nil
      || recording.effects.enumerated().contains { place, use in
        !transitions.contains(place) && (recording.isSteered || !use.mix.isAlways([0]))
      }
    // A live source waits for nobody, and a blended one has the rate already.
    rendersConstantRate =
      constantRate != nil && !isLive && frameChoice != .blend && recording.hasActingEffect
    needsGPU =
      usesGPUAlways || !transitions.isEmpty || facts.clips.contains { !isAsSink($0) }
    // The hashes of frames do not depend on what encodes them.
    let isForHardware = facts.wantsSemiPlanar && recording.frameHashes == nil
    if isForHardware, let semiPlanar = sink.pixelFormat.semiPlanar,
      needsGPU || facts.clips.allSatisfy({ $0.pixelFormat == semiPlanar })
    {
      sink.pixelFormat = semiPlanar
      needsGPU =
        usesGPUAlways || !transitions.isEmpty || facts.clips.contains { !isAsSink($0) }
    }
    sharesResults = isForHardware && sink.pixelFormat.planar != nil
    if sink.color.isHighDynamicRange, !facts.clips.allSatisfy(\.color.isHighDynamicRange) {
      notices.append(
        Notice(
          .sourceMixedHDR, input,
          """
          some of \(input) are HDR and others are not: the values of all inputs are kept, with the tags of \
          the first input
          """))
    }
    notices += notices(
      of: outputs, contents: contents, nearest: nearest,
      isAsked: recording.encoding.pixelFormat != nil)
  }

  /// Throws if a single image would become a video without a length.
  private static func checkLength(
    _ recording: Recording, _ facts: RecordingFacts
  ) throws(RecorderError) {
    let (part, source) = (recording.source, facts.source)
    guard facts.outputs.isVideo, source.isStill, recording.following.isEmpty, part.duration == nil,
      part.partDuration == nil, part.end == nil,
      part.frames == nil, part.range == nil
    else { return }
    throw RecorderError(
      "\(source.name) is a single image: give the length of \(facts.outputs.name) with -t, such as "
        + "-t 5, or in frames with --frames", isUsageError: true)
  }

  /// Throws if HDR would be written with less than 10 bits, which shows bands and which players take for SDR.
  private static func checkDepth(
    of sink: FrameFormat, _ outputs: OutputSet, nearest: PixelFormat?, asked: [String]
  ) throws(RecorderError) {
    guard sink.color.isHighDynamicRange, sink.pixelFormat.layout.depth < 10, outputs.usesPixels
    else { return }
    let remedy =
      outputs.isEncoded && !asked.isEmpty
      ? "leave out \(asked.joined(separator: " and "))"
      : nearest.flatMap { $0.layout.depth < 10 ? nil : "give --pixel-format \($0.rawValue)" }
        ?? "write a movie, such as a .mov"
    throw RecorderError(
      "\(outputs.name) would hold HDR in \(sink.pixelFormat.layout.depth) bits, which is too few: \(remedy), or "
        + "leave out --hdr keep", isUsageError: true)
  }

  /// Whether colours of frames of a format are rounded by a pattern.
  func dithers(_ format: FrameFormat) -> Bool {
    let isMapped = format.color.isHighDynamicRange && !sink.color.isHighDynamicRange
    return switch dither {
    case .flat: false
    case .automatic, .errorDiffusion:
      isMapped || format.pixelFormat.layout.depth > sink.pixelFormat.layout.depth
    case .ordered: true
    }
  }

  /// The output's nominal frame rate, in frames per second, and its time base, in seconds.
  var outputRate: Rational { constantRate ?? frameRate }
  var timeBase: Rational { constantRate?.reciprocal ?? sourceTimeBase }

  /// Returns the position of a frame's image in the output.
  ///
  /// A source may change its size, pixel aspect ratio or colours; a frame whose format differs from the
  /// first frame's is placed on the same canvas by the same rule.
  func geometry(of format: FrameFormat) -> FrameGeometry {
    format == source ? geometry : geometry.placing(format)
  }

  /// Returns whether the primary frame of a set goes unchanged from capture to encode, bypassing the
  /// GPU.
  ///
  /// This is so if no effect acts, nothing is scaled or rotated, and all sample values mean the same to
  /// the sink.
  func bypassesGPU(_ set: FrameSet) -> Bool {
    guard !usesGPUAlways, case .clip = set.stretch else { return false }
    return isAsSink(set.primary.format)
  }

  /// Says how frames of an input differ from its first one, as a sentence.
  func words(ofChange format: FrameFormat, in name: String) -> String {
    let (width, height) = format.uprightSize
    let what =
      format.color.isHighDynamicRange != source.color.isHighDynamicRange
      ? format.color.isHighDynamicRange ? "HDR" : "SDR"
      : source.uprightSize != (width, height) || format.pixelFormat == source.pixelFormat
        ? "\(width)x\(height) pixels" : format.pixelFormat.rawValue
    return """
      from some frame on, \(name) has another size, layout or other colours (\(what)); such frames take the place \
      and the colours of the first ones
      """
  }

  private func isAsSink(_ format: FrameFormat) -> Bool {
    var unchanged = FrameGeometry(source: format)
    (unchanged.scaler, unchanged.scale) = (geometry.scaler, geometry.scale)
    unchanged.barColor = geometry.barColor
    var arranged = format
    // Only the places of the samples change, which `RenderStage` does without the GPU.
    if format.pixelFormat.holdsSameSamples(as: sink.pixelFormat) {
      arranged.pixelFormat = sink.pixelFormat
    }
    return geometry(of: format) == unchanged && arranged.hasSameSamples(as: sink)
  }
}

extension RecordingPlan {
  private func notices(
    of outputs: OutputSet, contents: PixelContents, nearest: PixelFormat?, isAsked: Bool
  ) -> [Notice] {
    let (output, depth) = (outputs.name, contents.depth)
    var notices: [Notice] = []
    func add(_ id: NoticeID, _ message: String) { notices.append(Notice(id, output, message)) }
    if sink.width != canvasWidth || sink.height != geometry.canvasHeight {
      add(
        .outputSize,
        """
        \((sink.pixelFormat.planar ?? sink.pixelFormat).rawValue) needs even sizes: the last column or row of \
        \(canvasWidth)x\(geometry.canvasHeight) is repeated in \(output) \
        (\(sink.width)x\(sink.height))
        """)
    }
    let kept = sink.pixelFormat.layout.depth
    if depth > kept {
      let remedy =
        nearest.flatMap { format in
          format.layout.depth > kept
            ? "; --pixel-format \(format.rawValue) keeps \(min(format.layout.depth, depth))" : nil
        } ?? ""
      add(
        .outputDepth,
        """
        the source has \(depth) bits per sample, and \(kept) are in \(output): finer steps \
        \(dither == .flat ? "are lost" : "become a pattern")\(remedy)
        """)
    }
    let finest = contents.chromaX * contents.chromaY
    func pixelsOfChroma(_ format: PixelFormat) -> Int {
      format.layout.chromaSubsampling.x * format.layout.chromaSubsampling.y
    }
    // A codec that loses something has 4:2:0 because players show nothing else.
    if outputs.keepsPixels, !isAsked, contents.model == .yCbCr,
      finest < pixelsOfChroma(sink.pixelFormat)
    {
      let remedy =
        nearest.flatMap {
          pixelsOfChroma($0) <= finest ? "; --pixel-format \($0.rawValue) keeps all" : nil
        } ?? ""
      add(
        .outputChroma,
        """
        the source has one sample of chroma for \(finest == 1 ? "each pixel" : "\(finest) pixels"), and \(output) one \
        for \(pixelsOfChroma(sink.pixelFormat))\(remedy)
        """)
    }
    if sink.color.isHighDynamicRange, !outputs.holdsTransfer {
      add(
        .outputHDR, "\(output) cannot hold HDR tags, and looks pale; --hdr tonemap makes SDR of it")
    }
    let weaving = outputs.namesWithoutFields
    if mixesFields {
      add(
        .outputFields,
        """
        the source is interlaced, and scaling or turning mixes its fields: \(output) is progressive, and \
        moving edges stay combed; leave out --deinterlace off
        """)
    } else if fieldOrder != nil, !weaving.isEmpty {
      add(
        .outputFields,
        """
        the source is interlaced, and \(weaving.joined(separator: " and ")) shows both fields in one \
        frame: moving edges look combed; leave out --deinterlace off
        """)
    } else if fieldOrder != nil, needsGPU,
      [source, sink].contains(where: { $0.pixelFormat.layout.chromaSubsampling.y == 2 })
    {
      add(
        .outputFields,
        """
        the source is interlaced, and chroma has half the lines: the conversion to \(output) mixes the colours of the \
        two fields; leave out --deinterlace off
        """)
    }
    return notices
  }
}

extension FrameGeometry {
  /// Returns the field order of a canvas that shows an interlaced image; nil if scaling or rotation
  /// mixes the fields.
  func fieldOrder(of format: FrameFormat, being order: FieldOrder) -> FieldOrder? {
    let shown = format.shownArea
    let keepsLines =
      !format.orientation.swapsAxes && height == shown.height
      && sourceY == 0 && sourceHeight == Double(shown.height)
    guard keepsLines else { return nil }
    // In an upside-down image, the last line is the first.
    let first = format.orientation.quarterTurns == 2 ? shown.y + shown.height - 1 : shown.y
    return (first % 2 == 1) != (y % 2 == 1) ? order.opposite : order
  }
}

extension Recording {
  /// Whether an effect or subtitles change pixels at some time.
  var hasActingEffect: Bool {
    subtitles != nil || effects.contains { isSteered || !$0.mix.isAlways([0]) }
  }

  /// Whether the request needs the GPU, or very probably does, whatever the source is.
  var expectsGPU: Bool {
    forcesGPU || comparison != nil || hasActingEffect || size != nil
      || source.arrangement != PictureArrangement()
  }
}

extension FrameFormat {
  /// Returns whether the bytes of an image in this format, read as another format, are the same image.
  ///
  /// If there is a chroma sample for each pixel, its siting has no meaning.
  func hasSameSamples(as other: FrameFormat) -> Bool {
    var same = self
    same.color.hdr = other.color.hdr
    if pixelFormat.layout.chromaSubsampling == (1, 1) {
      same.color.chromaSiting = other.color.chromaSiting
    }
    return same == other
  }
}
