import Capture
import FFmpegHandles
import Frames
import TestSupport
import Testing

@Suite("Containers with a choice of streams")
struct StreamChoiceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pictures(_ sizes: [String], seconds: Int = 1) -> [String] {
    sizes.flatMap { ["-f", "lavfi", "-i", "testsrc2=s=\($0):r=25:d=\(seconds)"] }
  }

  private func tones(_ count: Int, seconds: Int = 1) -> [String] {
    (1...count).flatMap { ["-f", "lavfi", "-i", "sine=\($0 * 400):r=48000:d=\(seconds)"] }
  }

  private static let codecs = [
    "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "aac",
  ]

  private func map(_ count: Int) -> [String] { (0..<count).flatMap { ["-map", "\($0)"] } }

  private func size(_ read: ReadSource) -> String? {
    read.frames.first.map { "\($0.format.width)x\($0.format.height)" }
  }

  @Test(
    "of HLS variants only the largest is fetched, with its own audio", arguments: [2, 3])
  func variants(count: Int) throws {
    let sizes = Array(["64x48", "160x120", "96x64"].prefix(count))
    let streams = (0..<count).map { "v:\($0),a:\($0)" }.joined(separator: " ")
    let playlist = [
      "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod", "-master_pl_name", "m.m3u8",
      "-hls_segment_filename", folder.file("v%v-%d.ts"), "-var_stream_map", streams,
      folder.file("v%v.m3u8"),
    ]
    try ffmpeg(
      pictures(sizes, seconds: 4) + tones(count, seconds: 4) + map(2 * count)
        + StreamChoiceTests.codecs + playlist)
    let server = try FileServer(folder)
    let read = try ReadSource(server.url("m.m3u8"))
    #expect(size(read) == "160x120" && read.frames.count == 100)
    #expect(read.description.codedAudio.count == 1)
    #expect(read.report.incomplete == nil)
    let single = try ReadSource(folder.file("v1.m3u8"))
    #expect(read.audio.map { $0.time } == single.audio.map { $0.time })
    #expect(
      read.description.notices.contains {
        $0.message.contains("has \(count) video streams; 160x120 is used, with the audio")
      })
    #expect(server.requested.contains("v1-3.ts"))
    #expect(!server.requested.contains("v0-3.ts") && !server.requested.contains("v2-3.ts"))
  }

  @Test("with separate HLS audio the variant's own audio group is read")
  func alternateAudio() throws {
    try ffmpeg(
      pictures(["64x48", "160x120"], seconds: 3) + tones(3, seconds: 3) + map(5)
        + StreamChoiceTests.codecs + [
          "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod", "-master_pl_name", "m.m3u8",
          "-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "i%v.mp4",
          "-hls_segment_filename", folder.file("v%v-%d.m4s"), "-var_stream_map",
          "a:0,agroup:lo,language:eng a:1,agroup:hi,language:deu a:2,agroup:hi,language:fra "
            + "v:0,agroup:lo v:1,agroup:hi",
          folder.file("v%v.m3u8"),
        ])
    let server = try FileServer(folder)
    let read = try ReadSource(server.url("m.m3u8"))
    #expect(size(read) == "160x120" && read.frames.count == 75)
    #expect(read.description.codedAudio.count == 2)
    #expect(read.audio.count { $0.streamIndex == 0 } == read.audio.count { $0.streamIndex == 1 })
    #expect(!server.requested.contains("v0-2.m4s") && server.requested.contains("v1-2.m4s"))
    #expect(read.report.incomplete == nil)
    let silent = try ReadSource(server.url("m.m3u8")) { $0.includesAudio = false }
    #expect(silent.frames.count == 75 && silent.report.incomplete == nil)
  }

  @Test("in a transport stream the program with the larger video is read, with its audio alone")
  func programs() throws {
    let path = folder.file("a.ts")
    try ffmpeg(
      pictures(["64x48", "160x120"]) + tones(3) + map(5) + StreamChoiceTests.codecs + [
        "-program", "title=a:st=0:st=2", "-program", "title=b:st=1:st=3:st=4", path,
      ])
    let read = try ReadSource(path)
    #expect(size(read) == "160x120" && read.frames.count == 25)
    #expect(read.description.codedAudio.count == 2)
    #expect(read.audio.contains { $0.streamIndex == 1 })
    #expect(
      read.description.notices.contains { $0.message.contains("160x120 is used, with the audio") })
  }

  @Test("of two video tracks the larger is read, wherever it is", arguments: ["mp4", "mkv"])
  func tracks(kind: String) throws {
    for sizes in [["64x48", "160x120"], ["160x120", "64x48"]] {
      let path = folder.file("a.\(kind)")
      try ffmpeg(
        pictures(sizes) + tones(2) + map(4) + StreamChoiceTests.codecs + [
          "-b:v", "100k", path,
        ])
      let read = try ReadSource(path)
      #expect(size(read) == "160x120" && read.frames.count == 25)
      #expect(read.description.codedAudio.count == 2)
      let warning = try #require(read.description.notices.first)
      #expect(warning.message == "\(path) has 2 video streams; 160x120 is used")
    }
  }

  @Test("of a video and its cover image the video is read")
  func cover() throws {
    let path = folder.file("a.mp4")
    try ffmpeg(
      pictures(["64x48"]) + ["-f", "lavfi", "-i", "testsrc=s=320x240"] + map(2) + [
        "-c:v:0", "libx264", "-c:v:1", "mjpeg", "-frames:v:1", "1", "-disposition:v:1",
        "attached_pic", path,
      ])
    let read = try ReadSource(path)
    #expect(size(read) == "64x48" && read.frames.count == 25)
    #expect(read.description.notices.isEmpty)
  }
}
