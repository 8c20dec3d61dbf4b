import Glibc

/// What is left of an output whose process was killed.
enum InterruptedOutput {
  /// Whether a partial file may hold frames: false only where it is empty or a container's header
  /// alone.
  ///
  /// What is not known at all is kept: other programs call their unfinished files `.part` too.
  static func holdsFootage(_ descriptor: Int32) -> Bool {
    var status = stat()
    // What cannot be asked is rather kept.
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
      // One line, and then the frames.
      return start.firstIndex(of: UInt8(ascii: "\n")).map { Int64($0) + 1 < size }
        ?? (start.count == 512)
    }
    if start.count >= 8, start[4..<8].elementsEqual("ftyp".utf8) {
      return MovieBox.holdsSamples(descriptor, size: size)
    }
    return true
  }

  /// How many names there are for what is kept.
  static let names = 9999

  /// Gives a partial file another name, so that the next run into the same place does not take it;
  /// returns that name.
  ///
  /// The file must be locked. Throws where it can get no other name: it stays as it is then.
  static func keep(
    _ path: String, of place: String, _ output: String
  ) throws(EncodeError) -> String {
    var code = EEXIST
    for number in 1...names where code == EEXIST {
      let name = recoveredName(of: place, number)
      code = PartialFile.renameExclusively(path, name)
      if code == 0 { return name }
    }
    throw EncodeError(
      "cannot write \(output): \(path) holds an earlier recording and cannot be renamed "
        + "(\(EncodeError.reason(code))); move it away, or choose another output")
  }

  /// `talk.mov` becomes `talk.recovered.mov`, and `talk.recovered-2.mov` where that is taken.
  static func recoveredName(of place: String, _ number: Int) -> String {
    let word = number == 1 ? ".recovered" : ".recovered-\(number)"
    let nameStart = place.lastIndex(of: "/").map { place.index(after: $0) } ?? place.startIndex
    guard let dot = place[nameStart...].lastIndex(of: "."), dot > nameStart else {
      return place + word
    }
    return place[..<dot] + word + place[dot...]
  }
}
