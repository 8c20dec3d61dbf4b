import TestSupport

extension Machine {
  /// Makes what Tests/Camera/proofs needs; `frame.ppm` is there.
  static func prepareProofs(_ folder: Folder) throws {
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-y", "-i", folder.file("frame.ppm"), "-vf",
        "scale=1920:1080:flags=neighbor", "-pix_fmt", "yuvj422p", "-q:v", "1",
        folder.file("large.jpg"),
      ])
    for (name, pattern, words) in [
      (
        "loop.mkv", "testsrc2=s=640x480:r=30:d=20",
        ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0"]
      ),
      (
        "matrix.mkv", "testsrc2=s=320x180:r=30:d=20",
        [
          "-pix_fmt", "yuv422p", "-c:v", "ffv1", "-colorspace", "bt709", "-color_primaries",
          "bt709", "-color_trc", "bt709", "-color_range", "pc",
        ]
      ),
    ] {
      try runTool(
        "ffmpeg",
        ["-v", "error", "-y", "-f", "lavfi", "-i", pattern] + words + [folder.file(name)])
    }
  }

  /// The pictures of a movie that was prepared, as its decoder gives them.
  static func pictures(of movie: String, byteCount: Int) throws -> [[UInt8]] {
    let result = try ChildProcess(
      "ffmpeg", ["-v", "error", "-i", try folder().file(movie), "-f", "rawvideo", "-"]
    ).wait(seconds: 120)
    return split(result.output, byteCount)
  }

  /// The pictures that a reader has left.
  static func readBack(_ name: String, byteCount: Int) throws -> [[UInt8]] {
    split(try readFile(folder().file(name + ".yuv")), byteCount)
  }

  private static func split(_ bytes: [UInt8], _ byteCount: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: byteCount).map {
      Array(bytes[$0..<min($0 + byteCount, bytes.count)])
    }
  }
}
