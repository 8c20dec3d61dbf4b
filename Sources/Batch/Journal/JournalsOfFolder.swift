import Frames
import Glibc

extension Journal {
  /// Adds what the other journals of a folder call done: that of batches without tasks, and those of the
  /// tasks, but not the one at `path`, which was read already.
  ///
  /// If several know an output, the file that was changed last counts: on a network drive that is the time of
  /// one clock, the server's.
  static func addOthers(
    than path: String, of folder: String, to found: inout Found
  ) throws(BatchError) {
    for other in paths(inFolder: folder) where other != path {
      func add(_ output: String, _ result: Result) {
        guard let known = found.results[output] else { return found.results[output] = result }
        found.results[output] =
          known.file.modified > result.file.modified ? known.after(result) : result.after(known)
      }
      found.damagedLines += try read(other) { line in
        if let (output, result) = Entry.salvaged(line) { add(output, result) }
      } each: { entry in
        if let (output, result) = entry.result { add(output, result) }
      }
    }
  }

  static func paths(inFolder folder: String) -> [String] {
    names(in: folder).filter { name in
      name == fileName || name.hasPrefix(workFolder + ".task-") && name.hasSuffix(".jsonl")
    }.map { folder + "/" + $0 }
  }

  /// Reads a journal that a process may be appending to: a last line without its end is left out.
  ///
  /// - Returns: The number of lines that could not be read.
  static func read(
    _ path: String, damaged: (ArraySlice<UInt8>) -> Void = { _ in }, each: (Entry) -> Void
  ) throws(BatchError) -> Int {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return 0 }
      throw failure(path, "opened", errno)
    }
    defer { close(file) }
    let bytes = try bytes(of: file, path)
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return 0 }
    return try read(Array(bytes[...end]), path, damaged: damaged, each: each)
  }
}

extension Journal.Entry {
  /// The result of a line about an output that is done.
  var result: (output: String, result: Journal.Result)? {
    guard event == .done, let output, let fingerprint, let bytes, let modified else { return nil }
    return (
      output,
      Journal.Result(
        fingerprint: fingerprint, file: OutputFile(bytes: bytes, modified: modified), hash: hash,
        frames: frames, duration: duration, flaw: flaw, warnings: warnings ?? [])
    )
  }

  /// Which file a damaged line is about, so that it is known as the batch's own; nil if the line does not say it any more.
  static func salvaged(_ line: ArraySlice<UInt8>) -> (output: String, result: Journal.Result)? {
    let text = String(decoding: line, as: UTF8.self)
    guard let bytes = text.firstMatch(of: /"bytes":(\d+)[,}]/).flatMap({ Int64($0.1) }),
      let modified = text.firstMatch(of: /"modified":(\d+)[,}]/).flatMap({ Int64($0.1) }),
      let output = text.firstMatch(of: /"output":"([^"\\\u{fffd}]+)"/)?.1
    else { return nil }
    return (
      String(output),
      Journal.Result(fingerprint: nil, file: OutputFile(bytes: bytes, modified: modified))
    )
  }
}
