import ShaderCompiler

/// Gives an image for a path; called when effects are compiled.
package typealias ImageLoader = @Sendable (_ path: String) throws -> EffectImage

/// The pictures of an effect's inputs, from the words of the command line, and of its imports.
enum ImageValues {
  /// One for each, inputs first; and the names of the inputs that should have one and have none.
  static func resolve(
    _ use: EffectUse, for file: EffectFile, loader: ImageLoader?
  ) throws(EffectError) -> (images: [EffectImageUse], missing: [String]) {
    var images: [EffectImageUse] = []
    var missing: [String] = []
    for input in file.header.inputs {
      if input.imageRole == .sound {
        let image = EffectImage.silence(SoundInput(input))
        images.append(EffectImageUse(name: input.name, image: image))
      }
      guard input.imageRole == .file else { continue }
      if let path = use.parameters.last(where: { $0.name == input.name })?.value {
        do {
          images.append(EffectImageUse(name: input.name, image: try load(path, with: loader)))
        } catch {
          throw EffectError.image(of: file, input.name, "\(error)")
        }
      } else {
        if !input.isOptional { missing.append(input.name) }
        images.append(EffectImageUse(name: input.name, image: .nothing()))
      }
    }
    for entry in file.header.imports {
      let path =
        entry.path.hasPrefix("/")
        ? entry.path : EffectSearchPath.join(SourceFile.folder(of: file.path), entry.path)
      do {
        images.append(EffectImageUse(name: entry.name, image: try load(path, with: loader)))
      } catch {
        throw EffectError(
          Diagnostic(
            file: file.path, source: SourceText(file.source), utf8Offset: entry.pathOffset,
            message: "the import '\(entry.name)': \(error)"))
      }
    }
    return (images, missing)
  }

  private static func load(_ path: String, with loader: ImageLoader?) throws -> EffectImage {
    guard let loader else { return .nothing() }
    return try loader(path)
  }
}
