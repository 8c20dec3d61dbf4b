import TestSupport
import Testing

@Suite(
  "kfrec as a virtual camera", .serialized,
  .enabled(if: Machine.isWanted, "no cameras: make test runs these in a machine of its own"))
struct VirtualCameraTests {
  private static let frameBytes = 320 * 180 * 3 / 2

  private func frames(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    stride(from: 0, to: bytes.count, by: VirtualCameraTests.frameBytes).map {
      bytes[$0..<min($0 + VirtualCameraTests.frameBytes, bytes.count)]
    }
  }

  @Test("another program receives the frames of the source, pixel for pixel and in order")
  func pixels() throws {
    let scene = try Scene("virtual")
    #expect(scene.status == 0, "\(scene)")
    let read = frames(try readFile(Machine.folder().file("virtual.yuv")))
    let reader = try Machine.text("virtual.reader")
    #expect(read.count == 30, "\(reader)")
    let source = frames(
      try ChildProcess(
        "ffmpeg",
        ["-v", "error", "-i", try Machine.folder().file("source.mkv"), "-f", "rawvideo", "-"]
      ).wait().output)
    var place = 0
    var different = Set<Int>()
    for frame in read {
      place = try #require(source[place...].firstIndex(of: frame), "a frame that is none")
      different.insert(place)
    }
    // The source advances at its own pace while it is read.
    #expect(different.count > 10)
  }

  @Test("the last frame is shown again while the source stalls")
  func held() throws {
    let read = frames(try readFile(Machine.folder().file("held.yuv")))
    let reader = try Machine.text("held.reader")
    #expect(read.count == 60, "\(reader)")
    #expect(read.last.map { $0 == read[read.count - 2] } == true)
    let scene = try Scene("held")
    #expect(scene.status == 0, "\(scene)")
  }

  @Test("a device that transmits is accepted, and one that only captures is refused")
  func devices() throws {
    let transmitted = try Scene("transmitted")
    #expect(transmitted.status == 0, "\(transmitted)")
    #expect(try transmitted.end.framesOut == 20)
    let refused = try Scene("refused")
    #expect(refused.status == 1)
    #expect(refused.said.contains("/dev/video0 takes no frames; load v4l2loopback"), "\(refused)")
  }
}
