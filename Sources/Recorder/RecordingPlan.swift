import Capture
import Encode
import Frames
import GPU
import ShaderEffects
import Render

/// What is decided once the first frame is known: what comes in, what goes out, how the picture
/// lies in it, and whether frames need the GPU at all.
struct RecordingPlan: Sendable {
  let source: FrameFormat
  let sink: FrameFormat
  let geometry: PictureGeometry
  /// How the output's frames are interlaced; nil where they are whole, or their fields mixed.
  let fieldOrder: FieldOrder?
  private let mixesFields: Bool
  /// Effect time and number of the first frame.
  let firstTime: Rational
  let firstFrameIndex: Int
  let frameRate: Rational
  /// The output's, if it has one.
  let constantRate: Rational?
  let creationTime: Rational?
  /// What stands behind image inputs, and how clips follow each other.
  let bindings: InputBindings
  /// Some frames need the GPU, as far as is known before they come.
  private(set) var needsGPU = true
  /// Every frame takes the GPU's line, be there something to do for it or not.
  private let usesGPUAlways: Bool

  init(
    _ recording: Recording, outputs: OutputSet, clips formats: [FrameFormat],
    source: SourceDescription, bindings: InputBindings = InputBindings()
  ) throws {
    self.bindings = bindings
    let first = formats[0]
    self.source = first
    if let size = recording.size {
      geometry = PictureGeometry(source: first, size: size, scale: recording.scale)
    } else {
      geometry = PictureGeometry(source: first)
    }
    let color = ColorDescription(
      outputOf: first, range: recording.range, isCamera: source.isCamera,
      width: geometry.canvasWidth, height: geometry.canvasHeight)
    sink = outputs.frameFormat(
      width: geometry.canvasWidth, height: geometry.canvasHeight, color: color,
      sampleAspectRatio: geometry.sampleAspectRatio,
      // An effect may make transparency of opaque pixels, which its text does not tell.
      hasAlpha: recording.hasActingEffect
        || formats.contains { $0.pixelFormat.layout.alpha != nil })
    fieldOrder = source.fieldOrder.flatMap { [geometry] in
      geometry.fieldOrder(of: first, being: $0)
    }
    mixesFields = source.fieldOrder != nil && fieldOrder == nil
    firstTime = recording.firstTime
    firstFrameIndex = recording.firstFrameIndex
    frameRate = source.frameRate
    constantRate =
      switch recording.pace {
      case .asTheyCome: nil
      case .constant(let rate): rate ?? source.frameRate
      }
    creationTime = source.creationTime
    let transitions = bindings.transitionPlaces
    usesGPUAlways =
      recording.forcesGPU
      || recording.effects.enumerated().contains { place, use in
        !transitions.contains(place) && !use.mix.isAlways([0])
      }
    needsGPU =
      usesGPUAlways || !transitions.isEmpty || formats.contains { !isAsSink($0) }
  }

  /// How a picture lies in the output; one whose format is not the first one's, for a source may
  /// change its size, pixel aspect or colours in the middle, is fitted into the canvas.
  func geometry(of format: FrameFormat) -> PictureGeometry {
    guard format != source else { return geometry }
    return PictureGeometry(
      source: format, size: (geometry.canvasWidth, geometry.canvasHeight), scale: .fit,
      sampleAspectRatio: geometry.sampleAspectRatio)
  }

  /// Whether the primary frame of a set goes from capture to encode as it is, past the GPU: no effect
  /// acts, nothing is scaled or turned, and every number means the same to the sink.
  func passesGPU(_ set: FrameSet) -> Bool {
    guard !usesGPUAlways, case .clip = set.stretch else { return false }
    return isAsSink(set.primary.format)
  }

  private func isAsSink(_ format: FrameFormat) -> Bool {
    geometry(of: format) == PictureGeometry(source: format) && format.hasSameSamples(as: sink)
  }
}

extension RecordingPlan {
  /// What the user should know of what was decided.
  ///
  /// - Parameters:
  ///   - output: The outputs' names.
  ///   - deeper: A format of more bits that the output can have.
  ///   - weaving: The outputs that cannot say that they are interlaced.
  /// - Returns: A sentence for each.
  func warnings(output: String, deeper: PixelFormat?, weaving: [String]) -> [String] {
    var warnings: [String] = []
    if sink.width != geometry.canvasWidth || sink.height != geometry.canvasHeight {
      warnings.append(
        """
        \(sink.pixelFormat.rawValue) wants even sizes: the last column or row of \
        \(geometry.canvasWidth)x\(geometry.canvasHeight) is repeated in \(output) \
        (\(sink.width)x\(sink.height))
        """)
    }
    let (from, to) = (source.pixelFormat.layout, sink.pixelFormat.layout)
    if from.depth > to.depth {
      let remedy = deeper.map { "; --pixel-format \($0.rawValue) keeps 10" } ?? ""
      warnings.append(
        """
        the source has \(from.depth) bits a sample, \(output) has \(to.depth): finer steps are \
        lost\(remedy)
        """)
    }
    if source.color.isHighDynamicRange, to.model == .rgb {
      warnings.append("\(output) cannot say that it is HDR, and looks pale")
    }
    if mixesFields {
      warnings.append(
        """
        the source is interlaced, and scaling or turning mixes its fields: \(output) is progressive, and \
        moving edges stay combed; deinterlace it before, for one with ffmpeg's bwdif
        """)
    } else if fieldOrder != nil, !weaving.isEmpty {
      warnings.append(
        """
        the source is interlaced, and \(weaving.joined(separator: " and ")) shows both fields woven into \
        one picture: moving edges look combed; deinterlace it before, for one with ffmpeg's bwdif
        """)
    }
    return warnings
  }
}

extension PictureGeometry {
  /// How a canvas is interlaced that shows a picture of a format and field order; nil where scaling or
  /// turning mixes the fields.
  func fieldOrder(of format: FrameFormat, being order: FieldOrder) -> FieldOrder? {
    let keepsLines =
      !format.orientation.swapsAxes && height == format.height
      && sourceY == 0 && sourceHeight == Double(format.height)
    guard keepsLines else { return nil }
    // Upside down the last line is the first.
    let isReversed = format.orientation.quarterTurns == 2 && format.height % 2 == 0
    return isReversed != (y % 2 == 1) ? order.opposite : order
  }
}

extension Recording {
  /// An effect changes pixels at some time.
  var hasActingEffect: Bool { effects.contains { !$0.mix.isAlways([0]) } }

  /// An effect sees sound.
  var effectsHear: Bool {
    let library = EffectLibrary(folders: effectFolders)
    return effects.contains { library.hears($0.name) }
  }

  /// What is asked for needs the GPU, or almost surely does, whatever the source is.
  var expectsGPU: Bool { forcesGPU || hasActingEffect || size != nil }
}

extension FrameFormat {
  /// The bytes of a picture in this format, read as another, are the same picture.
  ///
  /// Where there is a chroma sample for each pixel its siting says nothing.
  func hasSameSamples(as other: FrameFormat) -> Bool {
    var same = self
    if pixelFormat.layout.chromaSubsampling == (1, 1) {
      same.color.chromaSiting = other.color.chromaSiting
    }
    return same == other
  }
}
