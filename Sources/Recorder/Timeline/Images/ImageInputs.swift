import Capture
import Frames
package import ShaderEffects
import Synchronization

/// Opens the sources for image inputs and imports of effects.
///
/// Images and tables (`.cube`) are read once however many effects use them, and again if the file was
/// rewritten. Video files, cameras and everything else that `-i` accepts can also be opened.
package final class ImageInputs: Sendable {
  private struct State: Sendable {
    var images: [PictureRequest: EffectImage] = [:]
    /// Moving sources, by the text that requested them.
    var movingInputs: [String: Handover<Clip>] = [:]
  }

  private let state = Mutex(State())
  private let control: RecordingControl
  private let showsMovingInputs: Bool
  private let deinterlacing: Deinterlacing.Mode
  let interruption = Interruption()

  /// Creates an object that only reads first frames.
  package convenience init() { self.init(control: RecordingControl(), showsMovingInputs: false) }

  /// Opens sources until `control` ends the wait; moving ones may stay open, to be played.
  init(
    control: RecordingControl, showsMovingInputs: Bool, deinterlacing: Deinterlacing.Mode = .off
  ) {
    (self.control, self.showsMovingInputs) = (control, showsMovingInputs)
    self.deinterlacing = deinterlacing
  }

  /// Loader for an `EffectLibrary`.
  package var loader: ImageLoader { { picture in try self.image(picture) } }

  private func image(_ picture: PictureRequest) throws -> EffectImage {
    let words = picture.words
    return try state.withLock { state in
      let reference = try ImageReference(words)
      let stamp = FileStamp.ofFile(reference.name)
      if let image = state.images[picture], image.stamp == stamp || image.movingInput != nil {
        return image
      }
      let image: EffectImage
      if reference.name.lowercased().hasSuffix(".cube") {
        image = EffectImage(
          try CubeTable(path: reference.name), name: reference.name, stamp: stamp)
      } else {
        let source = try open(reference, isOneFile: picture.isOfEffect)
        if try source.isMoving() {
          image = EffectImage(
            source.firstFrame, name: reference.name, stamp: stamp, movingInput: words)
          if showsMovingInputs { state.movingInputs[words] = Handover(source) }
        } else {
          guard reference.start == nil, reference.ending == .hold else {
            throw RecorderError(
              "\(reference.name) is a single image; ~start and ~loop are for videos",
              isUsageError: true)
          }
          guard source.report.damaged == 0 else {
            throw RecorderError("\(reference.name) is damaged or was cut off; copy it again")
          }
          image = EffectImage(source.firstFrame, name: reference.name, stamp: stamp)
        }
      }
      state.images[picture] = image
      return image
    }
  }

  private func open(_ reference: ImageReference, isOneFile: Bool) throws -> sending Clip {
    var request = reference.request(deinterlacing)
    request.isOneFile = isOneFile
    request.interruption = interruption
    if reference.ending == .loop, !request.canBeOpenedAgain {
      throw RecorderError(
        "\(reference.name) cannot be read a second time, so it cannot loop; leave out ~loop",
        isUsageError: true)
    }
    return try Clip(request, control: control, repeats: reference.ending == .loop)
  }

  /// Takes the moving source for a requested text; nil if none plays.
  func movingInput(_ words: String) -> sending Clip? {
    state.withLock { $0.movingInputs[words] }?.take()
  }
}
