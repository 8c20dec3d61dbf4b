package import Frames

/// A picture that was read from a file, and whether more follow it there.
package struct StillPicture: Sendable {
  /// As it is stored, with what its numbers mean.
  package let frame: Frame
  /// The file is a film, or an animation: this is its first picture.
  package let isFirstOfFilm: Bool

  /// Decodes the picture that a file holds, or a video's first frame, as a source would give it.
  ///
  /// - Parameters:
  ///   - path: A path, or a URL.
  ///   - interruption: Ends the wait for a pipe that nobody writes to.
  /// - Throws: A sentence for the user: there is no such file, no picture in it, or it was
  ///   interrupted.
  package init(path: String, interruption: Interruption = Interruption()) throws(CaptureError) {
    var request = SourceRequest(input: path)
    request.includesSound = false
    // The second one tells a film from a format that films have and that holds one picture.
    request.frames = 2
    request.interruption = interruption
    let source: FileSource
    do throws(CaptureError) { source = try FileSource(request, kind: .file) } catch {
      // What was read until then looks like a broken file.
      throw interruption.isInterrupted ? Self.stopped(path) : error
    }
    guard case .frame(let frame) = try source.next() else {
      throw interruption.isInterrupted
        ? Self.stopped(path) : CaptureError("\(path) holds no picture that can be decoded")
    }
    self.frame = frame
    guard !source.description.isStill else {
      isFirstOfFilm = false
      return
    }
    isFirstOfFilm = try source.next() != nil
  }

  private static func stopped(_ path: String) -> CaptureError {
    CaptureError("stopped while \(path) was read")
  }
}
