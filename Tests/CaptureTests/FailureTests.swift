import CFFmpeg
import Capture
import Frames
import Glibc
import TestSupport
import Testing

@Suite("Inputs that cannot be read")
struct FailureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func expectRefusal(_ path: String, _ words: String...) {
    let said = complaint(path) ?? "nothing"
    #expect(said.contains(path))
    for word in words { #expect(said.contains(word), "\(said)") }
    #expect(!said.hasSuffix("."))
    #expect(!said.contains("\n"))
  }

  @Test("a file that does not exist or is empty, and a folder, are named")
  func notFiles() throws {
    expectRefusal(folder.file("absent.mp4"), "does not exist")
    expectRefusal(folder.file("absent.mp4") + "/a.mp4", "does not exist")
    expectRefusal(folder.path, "directory")
    expectRefusal(try folder.write([], to: "empty.mp4"), "empty")
  }

  @Test("a file with other contents is called so", arguments: ["a.mp4", "a.mkv", "a.jpg", "a.txt"])
  func otherFiles(name: String) throws {
    expectRefusal(
      try folder.write("This is a letter.\n".utf8, to: name),
      // A file with the name of an image is tried as one until its contents do not decode.
      name.hasSuffix("jpg") ? "no frame" : "not a video")
    let noise = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 3) }
    #expect(complaint(try folder.write(noise, to: name)) != nil)
  }

  @Test("a playlist that is called a video, a picture or a sound opens no other file")
  func hiddenPlaylists() throws {
    let secret = folder.file("secret.ts")
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v",
      "mpeg2video", secret)
    let hls = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(secret)\n#EXT-X-ENDLIST\n"
    let list = "ffconcat version 1.0\nfile secret.ts\n"
    for (name, text) in [
      ("a.mp4", hls), ("b.png", hls), ("c.wav", hls), ("d.gif", list), ("e.avi", list),
    ] {
      let path = try folder.write(text.utf8, to: name)
      expectRefusal(path, "is a playlist by its content", ".m3u8")
      let error = try #require(throws: CaptureError.self) {
        try AudioFile(AudioFileRequest(path: path), interruption: Interruption())
      }
      #expect("\(error)".contains("is a playlist by its content"), "\(error)")
    }
    #expect(complaint(try folder.write(hls.utf8, to: "a.M3U8")) == nil)
    #expect(complaint(try folder.write(list.utf8, to: "a.ffconcat")) == nil)
  }

  @Test("a file with audio alone is reported as such, with or without a cover image")
  func audioOnly() throws {
    let audio = folder.file("a.m4a")
    try ffmpeg("-f", "lavfi", "-i", "sine", "-t", "1", audio)
    expectRefusal(audio, "has audio and no video")
    let covered = folder.file("covered.mp3")
    try ffmpeg(
      "-f", "lavfi", "-i", "sine", "-f", "lavfi", "-i", "color=red:s=64x64", "-map", "0", "-map",
      "1", "-t", "1", "-frames:v", "1", "-c:a", "libmp3lame", "-c:v", "mjpeg", "-disposition:v",
      "attached_pic", covered)
    expectRefusal(covered, "has audio and no video")
  }

  @Test("a codec that FFmpeg does not know has the container's name for it, or none")
  func unknownCodec() throws {
    let path = folder.file("a.mp4")
    try ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x64", "-t", "1", "-c:v", "libx264", path)
    for (code, words) in [("zzz1", "coded in zzz1,"), ("\u{1}\u{2}\u{3}\u{4}", "an unknown way,")] {
      var bytes = try readFile(path)
      while let place = bytes.firstRange(of: Array("avc1".utf8)) {
        bytes.replaceSubrange(place, with: code.utf8)
      }
      expectRefusal(try folder.write(bytes, to: "unknown.mp4"), words, "cannot decode")
    }
  }

  @Test("a file without read permission is reported as such", .enabled(if: getuid() != 0))
  func forbidden() throws {
    let path = try folder.write([1, 2, 3], to: "a.mp4")
    chmod(path, 0)
    expectRefusal(path, "permissions")
  }

  @Test("a file that lost its index is reported as such")
  func lostIndex() throws {
    let path = folder.file("a.mp4")
    try ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48:r=25", "-t", "2", "-c:v", "libx264", path)
    let bytes = try readFile(path)
    expectRefusal(try folder.write(bytes[..<(bytes.count / 2)], to: "lost.mp4"), "moov")
    // The index is the last box, and in the other file it comes before the frames.
    let index = try #require(bytes.firstRange(of: Array("moov".utf8))).lowerBound - 4
    let data = try #require(bytes.firstRange(of: Array("mdat".utf8))).lowerBound - 4
    let fast = folder.file("fast.mp4")
    try ffmpeg("-i", path, "-c", "copy", "-movflags", "faststart", fast)
    let other = try readFile(fast)
    let first = try #require(other.firstRange(of: Array("moov".utf8))).lowerBound - 4
    let cuts: [ArraySlice<UInt8>] =
      stride(from: 4, through: 640, by: 12).map { bytes[..<(index + $0)] }
      + [bytes[data..<index], other[..<first]]
      + stride(from: 20, through: 600, by: 29).map { other[..<(first + $0)] }
    for (number, cut) in cuts.enumerated() {
      expectRefusal(
        try folder.write(cut, to: "cut-\(number).mp4"), "has lost its index", "untrunc")
    }
    let sound = try folder.write(other[..<(first + 200)], to: "sound.mp4")
    let error = try #require(throws: CaptureError.self) {
      try AudioFile(AudioFileRequest(path: sound), interruption: Interruption())
    }
    #expect("\(error)".contains("has lost its index"), "\(error)")
    expectRefusal(try folder.write("no movie".utf8, to: "text.mp4"), "not a video or image file")
  }

  @Test(
    "a file that ends within its headers is not said to be of an unknown kind",
    arguments: ["mkv", "avi", "asf", "nut"])
  func headersOnly(kind: String) throws {
    let path = folder.file("a." + kind)
    try ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48:r=25", "-t", "1", "-c:v", "mpeg4", path)
    let bytes = try readFile(path)
    expectRefusal(try folder.write(bytes[..<180], to: "cut." + kind), "ends within its headers")
  }

  @Test(
    "a segment, an image that FFmpeg cannot read and raw video are not taken for lost recordings")
  func noRecordings() throws {
    let path = folder.file("fragments.mp4")
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=64x48:r=25", "-t", "1", "-c:v", "libx264", "-movflags",
      "empty_moov+default_base_moof", path)
    let bytes = try readFile(path)
    let fragment = try #require(bytes.firstRange(of: Array("moof".utf8))).lowerBound - 4
    expectRefusal(try folder.write(bytes[fragment...], to: "a-00001.m4s"), "segment", "playlist")
    expectRefusal(
      try folder.write(bytes[..<(fragment + 60)], to: "cut.mp4"), "cut off")
    let image = ["ftyp", "meta", "mdat"].flatMap { type in
      [0, 0, 0, 24] + Array("\(type)heic".utf8) + [UInt8](repeating: 0, count: 12)
    }
    expectRefusal(try folder.write(image, to: "a.heic"), "image", "cannot read")
    expectRefusal(try folder.write(image.dropLast(4), to: "b.heic"), "was cut off before its end")
    expectRefusal(try folder.write([UInt8](repeating: 77, count: 6144), to: "a.yuv"), "its size")
  }

  // FFmpeg 5.1 goes back to its beginning, and later ones may read it.
  @Test(
    "a GIF that cannot be read from a pipe says so", .enabled(if: avcodec_version() >> 16 == 59))
  func pipedGIF() throws {
    let gif = folder.file("a.gif")
    try ffmpeg("-f", "lavfi", "-i", "testsrc2=s=640x480:r=10:d=2", gif)
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    let writer = try ChildProcess("sh", ["-c", "cat a.gif > pipe"], folder: folder.path)
    expectRefusal(folder.file("pipe"), "from a pipe", "GIF")
    _ = writer.wait()
  }

  @Test("a camera that does not exist is reported with where to look")
  func camera() { expectRefusal("/dev/video9999", "kfrec devices") }

  @Test("a sequence without an image is reported as such")
  func noSequence() { expectRefusal(folder.file("a-%04d.png")) }

  @Test("a FIFO among numbered images is named, and its writer is not awaited")
  func pipeInSequence() throws {
    for number in 1...3 {
      try ffmpeg(
        "-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", folder.file("p\(number).png"))
    }
    #expect(try ReadSource(folder.file("p%d.png")).frames.count == 3)
    #expect(unlink(folder.file("p2.png")) == 0 && mkfifo(folder.file("p2.png"), 0o600) == 0)
    expectRefusal(folder.file("p%d.png"), "p2.png, which is a pipe")
  }

  @Test("for a pipe the error names what a pipe cannot do")
  func pipe() throws {
    let fifo = folder.file("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    let writer = try ChildProcess("sh", ["-c", "echo This is a letter > \(fifo)"])
    expectRefusal(fifo, "pipe")
    _ = writer
    // Larger than the part that is read for the probe and could be rewound.
    let movie = folder.file("a.mp4")
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=640x480:r=25", "-t", "4", "-c:v", "mpeg4", "-q", "1", movie)
    #expect(try readFile(movie).count > 1 << 17)
    let second = try ChildProcess("sh", ["-c", "cat \(movie) > \(fifo)"])
    expectRefusal(fifo, "pipe", "index")
    _ = second
  }

  @Test(
    "a colon or a percent sign in a file name is accepted",
    arguments: ["12:30.mp4", "50%done.mp4", "a%d.png"])
  func oddNames(name: String) throws {
    let plain = folder.file(name.hasSuffix("png") ? "plain.png" : "plain.mp4")
    try ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", plain)
    let path = folder.file(name)
    #expect(rename(plain, path) == 0)
    #expect(try ReadSource(path).frames.count == 1)
  }
}
