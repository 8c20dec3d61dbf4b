import CFFmpeg
import FFmpegHandles
import Frames
import Synchronization
import TestSupport
import Testing

@testable import Capture

/// Tests that no frame is lost or repeated when hardware fails while it decodes.
///
/// The processor plays the part of the hardware, and fails where the test says. So these tests show that the
/// change to the processor is right, and nothing about hardware.
@Suite("Hardware that fails while it decodes")
struct HardwareFailureTests {
  static let frameCount = 60

  /// Files with frames that are not stored in the order in which they are shown.
  private static let files: [(name: String, words: [String])] = [
    ("closed.mov", ["-c:v", "libx264", "-bf", "3", "-g", "12"]),
    (
      "open.mp4", ["-c:v", "libx264", "-g", "12", "-x264-params", "open-gop=1:bframes=3:b-adapt=0"]
    ),
    ("refresh.mkv", ["-c:v", "libx264", "-x264-params", "intra-refresh=1:keyint=10"]),
    (
      "open.hevc.mp4",
      [
        "-c:v", "libx265", "-g", "12", "-x265-params", "open-gop=1:bframes=4:log-level=none",
      ]
    ),
    (
      "golden.webm",
      ["-c:v", "libvpx-vp9", "-g", "12", "-auto-alt-ref", "1", "-lag-in-frames", "8"]
    ),
    ("open.mpg", ["-c:v", "mpeg2video", "-bf", "2", "-g", "9", "-b:v", "2M"]),
    ("open.ts", ["-c:v", "mpeg2video", "-bf", "2", "-g", "9", "-b:v", "2M"]),
    ("packed.avi", ["-c:v", "mpeg4", "-bf", "2", "-g", "12", "-b:v", "1M"]),
    ("plain.h264", ["-c:v", "libx264", "-bf", "2", "-g", "12", "-bsf:v", "h264_mp4toannexb"]),
    (
      "fields.mov",
      [
        "-vf", "interlace", "-c:v", "libx264", "-flags", "+ildct+ilme", "-g", "12",
      ]
    ),
    ("one-key.mkv", ["-c:v", "libx264", "-g", "300", "-bf", "3"]),
  ]

  static func file(_ name: String, in folder: TemporaryFolder) throws -> String {
    let words = files.first { $0.name == name }?.words ?? []
    let path = "\(folder.path)/\(name)"
    try ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=size=\(name.contains("hevc") ? "64x48" : "48x32"):rate=25",
        "-frames:v", "\(frameCount)",
      ] + words
        + ["-pix_fmt", "yuv420p", path])
    return path
  }

  /// What a source gave: times, durations and pixels.
  struct Given: Equatable {
    var frames: [String]
    var pixels: [[UInt8]]
    var damaged: Int

    init(_ path: String, _ change: (inout SourceRequest) -> Void) throws {
      let read = try ReadSource(path, change)
      frames = read.frames.map {
        "\($0.time) \($0.duration ?? .zero) \($0.format.pixelFormat)"
      }
      pixels = read.frames.map(\.rawVideo)
      damaged = read.report.damaged
    }
  }

  /// Fails once at a call, with an error that is not about the data.
  static func standIn(_ fails: @escaping @Sendable (HardwareStandIn.Call) -> Bool)
    -> HardwareStandIn
  {
    HardwareStandIn { fails($0) ? kf_averror_external() : 0 }
  }

  @Test(
    "AV1 that its decoder for hardware does not open, or not decode, is decoded by the processor",
    arguments: [false, true])
  func otherDecoder(isOdd: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("film.mp4")
    try ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=size=48x32:rate=25", "-frames:v", "30", "-c:v", "libaom-av1",
        "-cpu-used", "8", "-g", "10", path,
      ])
    if isOdd {
      // The first byte of its configuration, which libdav1d does without.
      var bytes = try readFile(path)
      let place = try #require(bytes.firstRange(of: Array("av1C".utf8)))
      bytes[place.upperBound] ^= 0xff
      try folder.write(bytes, to: "film.mp4")
    }
    let plain = try Given(path) { _ in }
    let given = try Given(path) { $0.hardwareDecoder = "av1" }
    #expect(given == plain && given.frames.count == 30 && given.damaged == 0)
    let description = try ReadSource(path) { $0.hardwareDecoder = "av1" }.description
    #expect(description.decoder == "libdav1d", "\(description)")
  }

  @Test("no frame is lost or repeated, wherever it fails", arguments: files.map(\.name))
  func everyPlace(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try Self.file(name, in: folder)
    for start in [nil, Rational(9, 10)] {
      let plain = try Given(path) { $0.start = start }
      #expect(
        plain.frames.count >= (start == nil ? Self.frameCount - 1 : 30), "\(plain.frames.count)")
      for place in 1...Int64(Self.frameCount) where start == nil || place % 3 == 1 {
        let notices = Mutex<[Notice]>([])
        let fallen = try Given(path) { request in
          request.start = start
          request.notice = { notice in notices.withLock { $0.append(notice) } }
          request.hardwareStandIn = Self.standIn {
            if case .packet(place) = $0 { true } else { false }
          }
        }
        #expect(fallen == plain, "packet \(place) from \(start ?? .zero)")
        if start == nil, place < 50 {
          #expect(notices.withLock { $0.map(\.id) } == [.sourceHardware], "packet \(place)")
        }
        guard place % 3 == 1 || place > 55 else { continue }
        let later = try Given(path) { request in
          request.start = start
          request.hardwareStandIn = Self.standIn {
            if case .frame(place) = $0 { true } else { false }
          }
        }
        #expect(later == plain, "frame \(place) from \(start ?? .zero)")
      }
    }
  }

  @Test("frames that hardware interleaves are the frames of the processor")
  func interleavedFrames() throws {
    let folder = try TemporaryFolder()
    let path = try Self.file("closed.mov", in: folder)
    let plain = try Given(path) { _ in }
    let moved = try Given(path) { request in
      request.hardwareStandIn = HardwareStandIn(
        fails: { if case .packet(30) = $0 { kf_averror_external() } else { 0 } },
        moved: { interleaved($0) })
    }
    #expect(moved == plain)
  }

  @Test("damaged packets are damaged, and no reason to leave the hardware")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let path = try Self.file("closed.mov", in: folder)
    let notices = Mutex(0)
    let read = try ReadSource(path) { request in
      request.notice = { _ in notices.withLock { $0 += 1 } }
      request.hardwareStandIn = HardwareStandIn {
        if case .packet(20) = $0 { kf_averror_invaliddata() } else { 0 }
      }
    }
    #expect(read.report.damaged == 1 && notices.withLock { $0 } == 0)
  }

  @Test(
    "key frames that are too far apart end the source with a reason, and near ones later do not")
  func far() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/far.mkv"
    try ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=size=32x32:rate=25", "-frames:v", "1500", "-c:v", "libx264"]
        + ["-preset", "ultrafast", "-force_key_frames", "0,30,31,32", "-g", "5000", path])
    let plain = try Given(path) { _ in }
    func failing(at place: Int64) -> String? {
      var found: Given?
      let text = complaintOf {
        found = try Given(path) { request in
          request.hardwareStandIn = Self.standIn {
            if case .packet(place) = $0 { true } else { false }
          }
        }
      }
      if text == nil { #expect(found == plain, "packet \(place)") }
      return text
    }
    #expect(failing(at: 500) == nil)
    let far = failing(at: 700)
    #expect(far?.contains("VA-API stopped decoding") == true, "\(far ?? "")")
    #expect(far?.contains("--hw off") == true)
    #expect(failing(at: 900) == nil)
  }

  private func complaintOf(_ work: () throws -> Void) -> String? {
    do { try work() } catch { return "\(error)" }
    return nil
  }
}

/// A copy with the chroma of NV12.
func interleaved(_ frame: consuming AVFrameHandle) -> AVFrameHandle {
  let source = frame.pointer
  guard let copy = try? AVFrameHandle() else { return frame }
  let target = copy.pointer
  (target.pointee.width, target.pointee.height) = (source.pointee.width, source.pointee.height)
  target.pointee.format = AV_PIX_FMT_NV12.rawValue
  av_frame_get_buffer(target, 0)
  av_frame_copy_props(target, source)
  let scaler = kf_scaler_make(
    source.pointee.width, source.pointee.height, AVPixelFormat(source.pointee.format),
    source.pointee.width, source.pointee.height, AV_PIX_FMT_NV12, kf_sws_point)
  kf_scaler_scale_frame(scaler, target, source)
  kf_scaler_free(scaler)
  return copy
}
