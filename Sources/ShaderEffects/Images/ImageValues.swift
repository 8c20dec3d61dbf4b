import Frames
import ShaderCompiler

/// A picture that an effect reads.
public struct PictureRequest: Sendable, Hashable {
  /// The path of a source, with how a video plays behind a `~`.
  public let words: String
  /// Whether the effect itself names it, in IMPORTED or for its golden images: then one file is read, and none that this
  /// file names.
  public let isOfEffect: Bool

  public init(_ words: String, isOfEffect: Bool = false) {
    (self.words, self.isOfEffect) = (words, isOfEffect)
  }
}

/// Loads a picture; called when effects are compiled.
public typealias ImageLoader = @Sendable (_ picture: PictureRequest) throws -> EffectImage

/// Finds the images of an effect's inputs, from the command line, and of its imports.
enum ImageValues {
  /// Returns the images, inputs first; the names of inputs that need an image and have none; warnings
  /// about the images that were read; and the texts.
  static func resolve(
    _ use: EffectSpec, for file: EffectFile, loader: ImageLoader?
  ) throws(EffectError) -> (
    images: [BoundImage], missing: [String], warnings: [Diagnostic], texts: [TextInput]
  ) {
    var images: [BoundImage] = []
    var missing: [String] = []
    var warnings: [Diagnostic] = []
    let given = Dictionary(use.parameters.map { ($0.name, $0.value) }) { $1 }
    let texts = try TextInput.all(use, for: file)
    images += texts.map { BoundImage(name: $0.name, image: EffectImage(text: nil)) }
    for input in file.header.inputs {
      if input.imageRole == .audio {
        let image = EffectImage.silence(AudioInput(input))
        images.append(BoundImage(name: input.name, image: image))
      }
      guard input.imageRole == .file else { continue }
      if let path = given[input.name] {
        do {
          let image = try load(PictureRequest(path, isOfEffect: use.isOfEffect), with: loader)
          images.append(BoundImage(name: input.name, image: image))
        } catch {
          throw EffectError.image(
            of: file, input.name, "\(error)",
            isUsageError: (error as? any ExplainedError)?.isUsageError ?? false)
        }
      } else {
        if !input.isOptional { missing.append(input.name) }
        images.append(BoundImage(name: input.name, image: .nothing()))
      }
    }
    for entry in file.header.imports {
      let path =
        entry.path.hasPrefix("/")
        ? entry.path : EffectSearchPath.join(SourceFile.folder(of: file.path), entry.path)
      func failure(_ reason: String) -> EffectError {
        EffectError(
          file.diagnostic("the import '\(entry.name)': \(reason)", at: entry.pathOffset))
      }
      if let problem = OwnPicture.problem(path, in: file.readable) {
        throw failure("\(entry.path) \(problem)")
      }
      do {
        let image = try load(PictureRequest(path, isOfEffect: true), with: loader)
        images.append(BoundImage(name: entry.name, image: image))
        if image.movingInput != nil {
          warnings.append(
            file.diagnostic(
              "\(entry.path), given for the import '\(entry.name)', is a video, and only "
                + "its first frame is used; use an image input to play a video",
              at: entry.pathOffset, severity: .warning))
        }
      } catch {
        throw failure("\(error)")
      }
    }
    return (images, missing, warnings, texts)
  }

  private static func load(
    _ picture: PictureRequest, with loader: ImageLoader?
  ) throws -> EffectImage {
    guard let loader else { return .nothing() }
    return try loader(picture)
  }
}
