import TestSupport

extension Machine {
  /// Makes the input files of Tests/Camera/proofs from `frame.ppm`, which must exist.
  static func prepareProofs(_ folder: Folder) throws {
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-y", "-i", folder.file("frame.ppm"), "-vf",
        "scale=1920:1080:flags=neighbor", "-pix_fmt", "yuvj422p", "-q:v", "1",
        folder.file("large.jpg"),
      ])
    // The files are longer than the machine takes to read from their middle.
    let films = try [
      ("long.mkv", "testsrc2=s=320x180:r=25:d=30", ["-pix_fmt", "yuv420p"]),
      ("loop.mkv", "testsrc2=s=640x480:r=10:d=30", ["-pix_fmt", "yuv420p"]),
      (
        "matrix.mkv", "testsrc2=s=320x180:r=30:d=30",
        [
          "-pix_fmt", "yuv422p", "-colorspace", "bt709", "-color_primaries", "bt709",
          "-color_trc", "bt709", "-color_range", "pc",
        ]
      ),
    ].map { name, pattern, words in
      // The three run in parallel.
      try ChildProcess(
        "ffmpeg",
        ["-v", "error", "-y", "-f", "lavfi", "-i", pattern] + words
          + ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "12", folder.file(name)])
    }
    for film in films {
      let result = film.wait(seconds: 300)
      guard result.exitCode == 0 else { throw TestSupportError("ffmpeg: \(result)") }
    }
  }

  /// Returns a checksum for each frame of a prepared video file or of a reader's file.
  ///
  /// - Parameters:
  ///   - name: The name of the file in the folder.
  ///   - words: The options that ffmpeg needs to read bytes without a header.
  ///   - pixelFormat: The layout in which frames are compared.
  /// - Returns: One text per frame; two texts are equal where all pixels are equal.
  /// - Throws: ffmpeg's error text if it cannot read the file.
  static func pictures(
    of name: String, _ words: [String] = [], as pixelFormat: String
  ) throws -> [String] {
    let lines = try runTool(
      "ffmpeg",
      ["-v", "error"] + words + [
        "-i", try folder().file(name), "-fps_mode", "passthrough", "-pix_fmt", pixelFormat, "-f",
        "framemd5", "-",
      ])
    return lines.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: " ").last.map(String.init) }
  }
}
