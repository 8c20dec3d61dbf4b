import TestSupport
import Testing

@Suite(
  "kfrec as a virtual camera for other programs", .serialized,
  .enabled(if: Machine.isWanted, "no cameras: make test runs these in a machine of its own"))
struct VirtualCameraReaderTests {
  /// Returns the index in the source of each frame that was read; each must equal one byte for byte.
  private func places(
    of read: [String], in source: [String], _ location: SourceLocation = #_sourceLocation
  ) throws -> [Int] {
    var known: [String: Int] = [:]
    for (place, picture) in source.enumerated() { known[picture] = place }
    return try read.enumerated().map { number, picture in
      try #require(
        known[picture], "picture \(number) is none of the source's", sourceLocation: location)
    }
  }

  /// Returns the checksums of the frames that a reader saved, in the layout of the video file.
  private func readBack(
    _ name: String, size: String = "320x180", format: String = "yuv420p",
    as layout: String = "yuv420p"
  ) throws -> [String] {
    try Machine.pictures(
      of: name + ".yuv", ["-f", "rawvideo", "-pixel_format", format, "-video_size", size],
      as: layout)
  }

  private func expectInOrder(
    _ places: [Int], _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      zip(places, places.dropFirst()).allSatisfy { $0 <= $1 }, "\(places)",
      sourceLocation: location)
    // The source advances while it is read.
    #expect(Set(places).count >= 3, "\(places)", sourceLocation: location)
  }

  @Test("ffmpeg reads the frames pixel for pixel and in order, also when it opens the camera again")
  func ffmpeg() throws {
    let source = try Machine.pictures(of: "long.mkv", as: "yuv420p")
    var last = 0
    for name in ["readers-first", "readers-next"] {
      let read = try readBack(name)
      let reader = try Machine.text(name + ".reader")
      #expect(read.count == 20, "\(reader)")
      let places = try places(of: read, in: source)
      expectInOrder(places)
      #expect(places[0] >= last)
      last = places.last ?? last
    }
    let scene = try Scene("readers")
    #expect(scene.status == 0, "\(scene)")
  }

  @Test("a program that keeps the camera open receives the next recording")
  func staying() throws {
    let source = try Machine.pictures(of: "long.mkv", as: "yuv420p")
    let read = try readBack("readers-staying")
    let reader = try Machine.text("readers-staying.reader")
    #expect(read.count == 150, "\(reader)")
    let places = try places(of: read, in: source)
    // The index goes back to the beginning once.
    #expect(zip(places, places.dropFirst()).filter { $0 > $1 }.count == 1, "\(places)")
    let scene = try Scene("readers-again")
    #expect(scene.status == 0, "\(scene)")
  }

  @Test("programs receive format, size, rate, matrix and range")
  func description() throws {
    let camera = try Machine.text("readers.camera")
    for part in [
      "Video Capture", "[0]: 'YU12'", "Size: Discrete 320x180", "(25.000 fps)", "ITU-R 601",
      "Limited Range",
    ] { #expect(camera.contains(part), "\(camera)") }
    let matrix = try Machine.text("readers-matrix.camera")
    for part in ["[0]: 'YUYV'", "(30.000 fps)", "Rec. 709", "Full Range"] {
      #expect(matrix.contains(part), "\(matrix)")
    }
  }

  @Test("YUYV frames are read pixel for pixel")
  func interleaved() throws {
    // Full range: ffmpeg has a separate format name for it, and would convert otherwise.
    let source = try Machine.pictures(of: "matrix.mkv", as: "yuvj422p")
    let read = try readBack("readers-matrix", format: "yuyv422", as: "yuv422p")
    #expect(read.count == 20)
    expectInOrder(try places(of: read, in: source))
  }

  @Test("frames sent to the test driver's output arrive at its input pixel for pixel")
  func looped() throws {
    let source = try Machine.pictures(of: "loop.mkv", as: "yuv420p")
    let read = try readBack("looped", size: "640x480")
    let reader = try Machine.text("looped.reader")
    #expect(read.count == 20, "\(reader)")
    expectInOrder(try places(of: read, in: source))
    let scene = try Scene("looped")
    #expect(scene.status == 0, "\(scene)")
  }

  @Test("a reader that asks for few buffers receives new frames in them")
  func few() throws {
    let source = try Machine.pictures(of: "long.mkv", as: "yuv420p")
    let read = try readBack("readers-few")
    let reader = try Machine.text("readers-few.reader")
    #expect(read.count == 40, "\(reader)")
    // With so few buffers a reader may see one that is being written; kfrec detects this from the first
    // frames.
    let places = read.dropFirst(10).compactMap { source.firstIndex(of: $0) }
    #expect(places.count > 15)
    expectInOrder(places)
    #expect(Set(places).count > 10, "\(places)")
  }

  @Test("a second program that writes to the camera is refused with the name of the first")
  func secondWriter() throws {
    let scene = try Scene("readers-second")
    #expect(scene.status == 1, "\(scene)")
    #expect(scene.said.contains("is in use by another program; the device is open in"), "\(scene)")
    #expect(scene.said.contains("kfrec (process "), "\(scene)")
  }
}
