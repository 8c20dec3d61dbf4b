import TestSupport
import Testing

@Suite(
  "kfrec as a camera", .serialized,
  .enabled(if: Machine.isWanted, "no cameras: make test runs these in a machine of its own"))
struct VirtualCameraTests {
  private static let frameBytes = 320 * 180 * 3 / 2

  private func frames(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    stride(from: 0, to: bytes.count, by: VirtualCameraTests.frameBytes).map {
      bytes[$0..<min($0 + VirtualCameraTests.frameBytes, bytes.count)]
    }
  }

  @Test("gives another program the frames of its source, pixel for pixel, in order")
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
    // At its own pace the source moves on while it is read.
    #expect(different.count > 10)
  }

  @Test("shows the last frame again while its source stalls")
  func held() throws {
    let read = frames(try readFile(Machine.folder().file("held.yuv")))
    let reader = try Machine.text("held.reader")
    #expect(read.count == 60, "\(reader)")
    #expect(read.last.map { $0 == read[read.count - 2] } == true)
    let scene = try Scene("held")
    #expect(scene.status == 0, "\(scene)")
  }

  @Test("is sent by a transmitter too, and refuses what only captures")
  func devices() throws {
    let transmitted = try Scene("transmitted")
    #expect(transmitted.status == 0, "\(transmitted)")
    #expect(try transmitted.end.framesOut == 20)
    let refused = try Scene("refused")
    #expect(refused.status == 1)
    #expect(refused.said.contains("/dev/video0 takes no pictures; load v4l2loopback"), "\(refused)")
  }
}
