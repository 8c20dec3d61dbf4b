import CPosix
import Glibc

/// The file that remains of an output whose process was killed.
enum InterruptedOutput {
  /// Whether a partial file may contain frames: false only if it is empty or contains only a
  /// container's header.
  ///
  /// A file of unknown content is kept: other programs also name their unfinished files `.part`.
  static func holdsFootage(_ descriptor: Int32) -> Bool {
    var status = stat()
    // A file that cannot be examined is kept.
    guard fstat(descriptor, &status) == 0 else { return true }
    let size = Int64(status.st_size)
    guard size > 0 else { return false }
    var start = [UInt8](repeating: 0, count: 512)
    let count = pread(descriptor, &start, start.count, 0)
    guard count > 0 else { return true }
    start.removeSubrange(count...)
    if start.starts(with: MatroskaElement.fileStart) {
      return MatroskaElement.holdsCluster(descriptor, size: size)
    }
    if start.starts(with: "YUV4MPEG2 ".utf8) {
      // One line, followed by the frames.
      return start.firstIndex(of: UInt8(ascii: "\n")).map { Int64($0) + 1 < size }
        ?? (start.count == 512)
    }
    if start.count >= 8, start[4..<8].elementsEqual("ftyp".utf8) {
      return MovieBox.holdsSamples(descriptor, size: size)
    }
    return true
  }

  /// Removes the header of a last fragment that was cut off: it has no frame, and players refuse the file for it.
  ///
  /// The file must be locked. Only a movie that already has whole fragments is changed.
  static func cutBack(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0,
      let end = MovieBox.endBeforeCutFragment(descriptor, size: Int64(status.st_size))
    else { return }
    // If it fails, the file is kept as it is.
    _ = ftruncate(descriptor, off_t(end))
  }

  /// Most names to try for kept files.
  static let names = 9999

  /// Renames a partial file, so that the next run with the same output does not reuse it; returns
  /// the new name.
  ///
  /// The file must be locked. If no other name is possible, throws and leaves the file as it is.
  static func keep(
    _ path: String, of place: String, _ output: String
  ) throws(EncodeError) -> String {
    var code = EEXIST
    for number in 1...names where code == EEXIST {
      let name = recoveredName(of: place, number)
      code = renameExclusively(path, name)
      if code == 0 { return name }
    }
    throw EncodeError(
      "cannot write \(output): \(path) holds an earlier recording and cannot be renamed "
        + "(\(EncodeError.reason(code))); move it away, or choose another output")
  }

  /// `talk.mov` becomes `talk.recovered.mov`, and with a higher number `talk.recovered-2.mov`.
  static func recoveredName(of place: String, _ number: Int) -> String {
    let word = number == 1 ? ".recovered" : ".recovered-\(number)"
    let nameStart = place.lastIndex(of: "/").map { place.index(after: $0) } ?? place.startIndex
    guard let dot = place[nameStart...].lastIndex(of: "."), dot > nameStart else {
      return place + word
    }
    return "\(place[..<dot])\(word)\(place[dot...])"
  }
}
