import CPosix
import Glibc

/// What is left of a movie whose process was killed.
enum InterruptedMovie {
  /// Gives a partial file another name when it holds a movie that can be played, so that the next
  /// run into the same place does not take it; returns that name.
  ///
  /// A movie in fragments has its header early, as Matroska has; one that gets its tables last has
  /// none, and nothing can be made of it. The file is open at `descriptor`, and locked.
  static func keep(_ path: String, _ descriptor: Int32, of place: String) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return nil }
    let boxes = MovieBox.boxes(of: descriptor, from: 0, to: Int64(status.st_size))
    guard boxes.contains(where: { $0.type == MovieBox.movie }) || isMatroska(descriptor)
    else { return nil }
    for number in 1...99 {
      let name = recoveredName(of: place, number)
      if kf_rename_exclusively(path, name) == 0 { return name }
      guard access(name, F_OK) == 0 else { return nil }
    }
    return nil
  }

  private static func isMatroska(_ descriptor: Int32) -> Bool {
    var start = [UInt8](repeating: 0, count: 4)
    // The number of the EBML element (RFC 8794, 11.2.1).
    return pread(descriptor, &start, 4, 0) == 4 && start == [0x1A, 0x45, 0xDF, 0xA3]
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
