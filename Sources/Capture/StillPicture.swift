package import Frames

/// Decodes the picture that a file holds, or a video's first frame, as a source would give it.
///
/// - Parameter path: A path, or a URL.
/// - Returns: The picture, as it is stored and with what its numbers mean.
/// - Throws: A sentence for the user: there is no such file, or no picture in it.
package func readPicture(_ path: String) throws(CaptureError) -> Frame {
  var request = SourceRequest(input: path)
  request.includesSound = false
  request.frames = 1
  let source = try FileSource(request, kind: .file)
  guard case .frame(let frame) = try source.next() else {
    throw CaptureError("\(path) holds no picture that can be decoded")
  }
  return frame
}
