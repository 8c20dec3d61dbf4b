import Frames
import GPU
import ShaderCompiler
import ShaderEffects

/// Where the second of two sources enters a line: the picture that a transition leads to.
struct LineJoin: Sendable {
  /// The transition's place in the chain.
  ///
  /// Effects before it act on the first source alone, those after it on both.
  let transition: Int
  /// The second source's frames.
  var format: FrameFormat
  /// The effect times between which the transition's `progress` goes from 0 to 1.
  let start: Rational
  let end: Rational

  /// The image input that is the second source.
  static let imageName = "endImage"

  /// The chain's one transition.
  ///
  /// - Throws: A usage error where there is none, more than one, or one that has a picture already.
  static func transition(of effects: [CompiledEffect]) throws(RecorderError) -> Int {
    let places = effects.indices.filter { effects[$0].isTransition }
    guard let place = places.first else {
      throw RecorderError(
        "two inputs need an effect that leads from one to the other; name a transition with -e, such as "
          + "-e crossfade", isUsageError: true)
    }
    guard places.count == 1 else {
      throw RecorderError(
        "'\(effects[place].name)' and '\(effects[places[1]].name)' are both transitions; "
          + "two inputs take one", isUsageError: true)
    }
    guard effects[place].missingImages.contains(imageName) else {
      throw RecorderError(
        "the second input is \(imageName) of '\(effects[place].name)'; leave out \(imageName)= or "
          + "the second -i", isUsageError: true)
    }
    return place
  }

  /// - Throws: A usage error for a transition that has nothing to lead to, as there is one input.
  static func checkPictures(of effects: [CompiledEffect]) throws(RecorderError) {
    for effect in effects
    where effect.isTransition && effect.missingImages.contains(imageName) {
      throw RecorderError(
        "effect '\(effect.name)' leads from one input to another; give a second -i, or a picture "
          + "with \(imageName)=FILE", isUsageError: true)
    }
  }

  /// Which effects act on a frame that shows one of the sources or both.
  func acting(_ effects: [Bool], on shown: JoinedFrame.Shown) -> [Bool] {
    var acting = effects
    switch shown {
    case .first: acting[transition] = false
    case .both: break
    case .second: for place in 0...transition { acting[place] = false }
    }
    return acting
  }
}

/// The second of two sources on the GPU: its frames, brought to the size of the first one's picture
/// and whole in it, with bars where the shape is another.
///
/// Used by one thread.
final class SecondPicture {
  /// The frames it takes.
  let format: FrameFormat
  /// Written anew for each frame.
  let picture: Picture

  private let upload: Upload
  private let passes: [KernelPass]

  /// `geometry` is the first source's.
  init(
    device: Device, compiler: ShaderCompiler, format: FrameFormat, geometry: PictureGeometry,
    rules: LineRules
  ) throws {
    self.format = format
    upload = try Upload(
      device: device, format: format, storage: rules.storage, packsWords: rules.packsWords,
      slotCount: Line.slotCount)
    var shaped = format
    let aspect = geometry.sampleAspectRatio
    // The place is reckoned in the first picture's pixels, which need not be square.
    shaped.sampleAspectRatio =
      format.orientation.swapsAxes
      ? format.sampleAspectRatio * aspect : format.sampleAspectRatio / aspect
    let fitted = PictureGeometry(
      source: shaped, size: (geometry.width, geometry.height), scale: .fit)
    var reader = upload.reader
    var input = upload.resources
    var passes: [KernelPass] = []
    func add(width: Int, height: Int, _ make: (PictureWriter, Picture) throws -> KernelPass) throws
      -> Picture
    {
      let output = try Picture(
        device: device, width: width, height: height, storage: rules.storage)
      passes.append(
        try make(.picture(width: width, height: height, storage: rules.storage), output))
      reader = Picture.reader(width: width, height: height, storage: rules.storage)
      input = input.map { _ in [output.resource] }
      return output
    }
    for resample in Resample.passes(
      sourceWidth: reader.width, sourceHeight: reader.height, geometry: fitted)
    {
      _ = try add(width: resample.width, height: resample.height) { writer, output in
        try resample.pass(
          device: device, compiler: compiler, reader: reader, writer: writer, input: input,
          output: output)
      }
    }
    picture = try add(width: geometry.width, height: geometry.height) { writer, output in
      let source = KernelSource(
        reader: reader, writer: writer, body: SecondPicture.placing(reader, fitted))
      return try KernelPass(
        device: device, spirv: compiler.compile(source: source.text, name: "second"),
        reader: reader, writer: writer, input: input, output: output,
        others: input.map { _ in [] })
    }
    self.passes = passes
  }

  private static func placing(_ reader: PictureReader, _ geometry: PictureGeometry) -> String {
    """
    vec4 kf_color(ivec2 p) {
      p -= ivec2(\(geometry.x), \(geometry.y));
      bool isInside = all(greaterThanEqual(p, ivec2(0)))
        && all(lessThan(p, ivec2(\(reader.width), \(reader.height))));
      return isInside ? kf_read(p) : vec4(0.0, 0.0, 0.0, 1.0);
    }
    """
  }

  /// Copies a frame to where the GPU reads it.
  func fill(slot: Int, from pixels: PixelBuffer) { upload.fill(slot: slot, from: pixels) }

  /// Records the way from a slot's frame to the picture.
  func record(slot: Int, into commands: Commands) {
    upload.record(slot: slot, into: commands)
    // The frame before may still be reading the picture.
    commands.dispatchBeforeDispatch()
    for pass in passes { pass.record(slot: slot, into: commands) }
  }
}
