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
        $0.message.contains("has \(count) video streams (1 is 64x48, 2 is 160x120")
          && $0.message.contains("); 160x120 is used, with the audio")
      })
    #expect(server.requested.contains("v1-3.ts"))
    #expect(!server.requested.contains("v0-3.ts") && !server.requested.contains("v2-3.ts"))
    guard count == 3 else { return }
    // Its audio comes along, and the others are not fetched.
    for (choice, number) in [
      (VideoChoice.worst, 0), (.number(3), 2), (.width(100), 2), (.width(96), 2), (.width(95), 0),
      (.width(10), 0), (.width(5000), 1),
    ] {
      let server = try FileServer(folder)
      let read = try ReadSource(server.url("m.m3u8")) { $0.video = choice }
      #expect(size(read) == sizes[number] && read.frames.count == 100, "\(choice)")
      let single = try ReadSource(folder.file("v\(number).m3u8"))
      #expect(read.audio.map(\.time) == single.audio.map(\.time), "\(choice)")
      for other in 0..<3 {
        #expect(server.requested.contains("v\(other)-3.ts") == (other == number), "\(choice)")
      }
    }
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

  @Test("of a DASH stream one video and one sound of each language are fetched")
  func dash() throws {
    try ffmpeg(
      pictures(["64x48", "160x120"], seconds: 6) + tones(3, seconds: 6) + map(5)
        + StreamChoiceTests.codecs + [
          "-b:a:0", "32k", "-b:a:1", "96k", "-b:a:2", "64k", "-metadata:s:a:2", "language=fra",
          "-f", "dash", "-seg_duration", "2", "-adaptation_sets",
          "id=0,streams=v id=1,streams=2,3 id=2,streams=4", folder.file("m.mpd"),
        ])
    for (choice, wanted, streams) in [
      (VideoChoice.best, "160x120", [1, 3, 4]), (.worst, "64x48", [0, 2, 4]),
      (.number(1), "64x48", [0, 3, 4]),
    ] {
      let server = try FileServer(folder)
      let read = try ReadSource(server.url("m.mpd")) { $0.video = choice }
      #expect(size(read) == wanted && read.frames.count == 150, "\(choice)")
      #expect(read.description.codedAudio.count == 2 && read.report.incomplete == nil)
      for stream in 0..<5 {
        #expect(
          server.requested.contains("chunk-stream\(stream)-00003.m4s") == streams.contains(stream),
          "\(choice): \(stream)")
      }
    }
    try ffmpeg(
      pictures(["64x48"]) + tones(2) + map(3) + StreamChoiceTests.codecs + [
        "-f", "dash", "-adaptation_sets", "id=0,streams=v id=1,streams=a", folder.file("s.mpd"),
      ])
    let single = try ReadSource(folder.file("s.mpd"))
    #expect(
      single.description.notices.map(\.message) == [
        "\(folder.file("s.mpd")) has its sound at several bit rates; one of each language is used"
      ])
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

  @Test("--program reads the program with a number or a name, with its sound and subtitles alone")
  func program() throws {
    let path = folder.file("a.ts")
    try ffmpeg(
      pictures(["64x48", "160x120"]) + tones(3) + map(5) + StreamChoiceTests.codecs + [
        "-program", "title=First channel:program_num=11:st=0:st=2", "-program",
        "title=Second:program_num=7:st=1:st=3:st=4", path,
      ])
    for (text, wanted, sounds) in [
      (nil, "160x120", 2), ("11", "64x48", 1), ("first", "64x48", 1), ("First channel", "64x48", 1),
      ("7", "160x120", 2), ("Second", "160x120", 2),
    ] {
      let read = try ReadSource(path) { $0.program = text }
      #expect(size(read) == wanted && read.frames.count == 25, "\(text ?? "")")
      #expect(read.description.codedAudio.count == sounds)
      #expect(read.description.notices.isEmpty == (text != nil))
    }
    let notice = try ReadSource(path).description.notices.first?.message ?? ""
    #expect(
      notice.contains(
        "--program chooses another of its programs (11 \"First channel\", 7 \"Second\")"))
    for text in ["1", "", "third", "n"] {
      let said = try #require(complaint(path) { $0.program = text })
      #expect(said.contains("11 \"First channel\", 7 \"Second\""), "\(said)")
    }
    let plain = folder.file("a.mkv")
    try ffmpeg(pictures(["64x48"]) + [plain])
    let said = try #require(complaint(plain) { $0.program = "1" })
    #expect(said == "\(plain) has no programs; leave out --program")
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
      #expect(
        warning.message == "\(path) has 2 video streams (1 is \(sizes[0]), 2 is \(sizes[1])); "
          + "160x120 is used; --variant chooses another")
      for (choice, wanted) in [
        (VideoChoice.worst, "64x48"), (.number(1), sizes[0]), (.number(2), sizes[1]),
        (.width(64), "64x48"),
      ] {
        let read = try ReadSource(path) { $0.video = choice }
        #expect(size(read) == wanted && read.frames.count == 25, "\(choice)")
      }
      let error = #expect(throws: CaptureError.self) {
        try ReadSource(path) { $0.video = .number(3) }
      }
      #expect(
        error.map { "\($0)" } == "\(path) has 2 video streams, and --variant asks for number 3")
    }
  }

  @Test("of a video and its cover image the video is read")
  func cover() throws {
    let path = folder.file("a.mp4")
    try ffmpeg(
      pictures(["64x48"]) + ["-f", "lavfi", "-i", "testsrc=s=320x240:r=1:d=1"] + map(2) + [
        "-c:v:0", "libx264", "-c:v:1", "mjpeg", "-disposition:v:1", "attached_pic", path,
      ])
    let read = try ReadSource(path)
    #expect(size(read) == "64x48" && read.frames.count == 25)
    #expect(read.description.notices.isEmpty)
  }
}
