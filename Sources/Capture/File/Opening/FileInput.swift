import FFmpegHandles
import Frames

/// How libavformat reads the input that a request names.
struct FileInput {
  /// The name in messages.
  let name: String
  /// The URL for libavformat.
  var url = ""
  /// The pipe that gives the bytes instead, if any.
  var pipe: PipeInput?
  /// Whether a server gives the bytes.
  var isRemote = false
  /// Whether it was cut off within a fragment's header, which is left out.
  var isCutInFragment = false
  /// FFmpeg may open no other file that the input names.
  var isOneFile = false
  /// The demuxer's name, if FFmpeg should not guess it.
  var format: String?
  /// The demuxer's options.
  ///
  /// The name of a single file is never a pattern, whatever characters it has.
  var options = [("pattern_type", "none")]
  /// Numbered images and their frame rate; nil for other inputs.
  var numbered: (pictures: NumberedImages?, rate: Rational)?

  /// Reads a file, or a pipe given by its path.
  static func file(_ request: SourceRequest) throws(CaptureError) -> FileInput {
    let path = request.input
    guard try FileProblems.check(path) == .file else {
      guard !request.isOneFile else { throw CaptureError("\(path) is no regular file") }
      let pipe = try PipeInput(path: path, name: path, interruption: request.interruption)
      return FileInput(name: path, pipe: pipe)
    }
    let (url, isCut) = url(ofFile: path)
    var file = FileInput(name: path, url: url, isCutInFragment: isCut)
    // Else FFmpeg looks at 20 pictures of a transport stream only: in one that begins between two key frames these tell
    // too small a number of reordered frames, and the decoder drops some. FFmpeg's own tools have this option too.
    file.options.append(("scan_all_pmts", "1"))
    file.isOneFile = request.isOneFile || !MediaPlaylist.isName(path)
    return file
  }

  static func standardInput(_ request: SourceRequest) throws(CaptureError) -> FileInput {
    let name = SourceKind.standardInput.name ?? request.input
    let pipe = try PipeInput(path: nil, name: name, interruption: request.interruption)
    return FileInput(name: name, pipe: pipe)
  }

  static func url(_ request: SourceRequest) -> FileInput {
    let url = request.input
    return FileInput(
      name: url, url: request.readsAhead ? "async:" + url : url,
      isRemote: !url.lowercased().hasPrefix("file:"))
  }

  /// Whether a server gives the whole file by this URL; the playlists of streams name other files.
  fileprivate static func isOneFile(_ url: String) -> Bool {
    guard let scheme = url.firstRange(of: "://")?.lowerBound,
      ["http", "https", "ftp"].contains(url[..<scheme].lowercased())
    else { return false }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let ending = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() }
    return ["mp4", "mov", "m4v", "mkv", "webm", "ts", "avi", "flv", "ogv"].contains(ending ?? "")
  }

  /// Reads numbered images, from the lowest existing number.
  static func sequence(_ request: SourceRequest) throws(CaptureError) -> FileInput {
    let path = request.input
    let rate = request.frameRate ?? Rational(25)
    let pictures = try NumberedImages(path: path)
    return FileInput(
      name: path, url: url(ofPath: path), format: "image2",
      options: [
        ("framerate", "\(rate)"), ("pattern_type", "sequence"),
        ("start_number", "\(pictures?.first ?? 0)"),
      ],
      numbered: (pictures, rate))
  }

  /// Returns the URL of a file as far as it can be read, and whether it was cut off within a fragment's header.
  static func url(ofFile path: String) -> (url: String, isCut: Bool) {
    guard let end = ISOFile(path)?.endOfWholeFragments else { return (url(ofPath: path), false) }
    return ("subfile,,start,0,end,\(end),,:" + url(ofPath: path), true)
  }

  /// Without a protocol name FFmpeg takes the text before a colon as the protocol.
  private static func url(ofPath path: String) -> String { "file:" + path }
}

extension SourceRequest {
  /// Whether the bytes are read ahead in the background: for a player, so that short pauses of the network are not
  /// seen.
  public var readsAhead: Bool { admits != nil && FileInput.isOneFile(input) }
}
