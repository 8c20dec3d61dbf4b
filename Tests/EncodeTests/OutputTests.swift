import Frames
import Glibc
import Testing

@testable import Encode

@Suite("What the word after -o means")
struct OutputTests {
  let folder = TestFolder()

  private func refusal(
    _ word: String, container: String? = nil, _ change: (inout EncodeSettings) -> Void = { _ in }
  ) -> EncodeError? {
    var settings = EncodeSettings()
    change(&settings)
    return #expect(throws: EncodeError.self) {
      try Output(word, container: container, settings: settings)
    }
  }

  private func filePath(_ output: Output) throws -> String {
    guard case .single(.file(let path)) = output.target.place else {
      throw EncodeError("\(output.word) is no file")
    }
    return path
  }

  private func isStream(_ output: Output) -> Bool {
    if case .single(.stream) = output.target.place { true } else { false }
  }

  @Test(
    "An extension selects the container, in upper or lower case",
    arguments: [
      ("a.mov", "mov"), ("A.MOV", "mov"), ("a.mp4", "mp4"), ("a.m4v", "mp4"), ("a.b.mkv", "mkv"),
      ("a.y4m", "y4m"), ("50%.mov", "mov"),
    ])
  func movies(name: String, container: String) throws {
    let output = try Output(folder.file(name))
    let movie = try #require(output.target as? MovieOutput)
    #expect(movie.container.name == container)
    #expect(try filePath(output) == folder.file(name))
    #expect(output.takesAudio == (container != "y4m"))
    #expect(output.existingPath == nil)
    shell("touch \(folder.file(name))")
    #expect(output.existingPath == folder.file(name))
  }

  @Test("Images, sequences and null are recognized")
  func others() throws {
    for name in ["a.png", "100%.png"] {
      let picture = try Output(folder.file(name))
      #expect(picture.target is ImageOutput)
      #expect(try filePath(picture) == folder.file(name))
    }
    #expect(try Output(folder.file("a%04d.png")).target is ImageSequenceOutput)
    #expect(try Output("null").target is NullOutput)
    let named = try Output(folder.file("a"), container: "mkv")
    #expect(named.target is MovieOutput)
    #expect(try filePath(named) == folder.file("a"))
    let device = try Output("/dev/full", container: "mov")
    #expect(device.target is MovieOutput && isStream(device))
    #expect(try Output("null").takesAudio == false)
    #expect(try Output(folder.file("a.png")).takesAudio == false)
  }

  @Test(
    "A name without a known extension is a usage error that lists the containers",
    arguments: [
      "out", "out.avi", "out.", ".mov", "",
    ])
  func unknownContainer(name: String) throws {
    let error = try #require(refusal(name.isEmpty ? "" : folder.file(name)))
    #expect(error.isUsageError)
    if !name.isEmpty {
      for container in [".mov", ".mp4", ".mkv", ".png"] {
        #expect(error.description.contains(container))
      }
    }
  }

  @Test("A container's name is checked")
  func containerName() throws {
    let error = try #require(refusal("out.mov", container: "avi"))
    #expect(error.isUsageError)
    #expect(error.description.contains("\"avi\""))
    #expect(error.description.contains("mov, mp4, mkv, webm, y4m, rawvideo"))
  }

  @Test("A virtual camera that does not exist is named")
  func camera() throws {
    let error = try #require(refusal("/dev/video9999"))
    #expect(error.description.contains("/dev/video9999 cannot be opened as a virtual camera"))
    #expect(!error.isUsageError)
  }

  @Test("A FIFO without a known extension needs a container")
  func fifo() throws {
    mkfifo(folder.file("pipe"), 0o600)
    mkfifo(folder.file("pipe.mkv"), 0o600)
    #expect(refusal(folder.file("pipe"))?.isUsageError == true)
    #expect(try Output(folder.file("pipe"), container: "y4m").existingPath == nil)
    #expect(isStream(try Output(folder.file("pipe.mkv"))))
  }

  @Test("The output's path is checked before there is a frame")
  func places() throws {
    shell("mkdir \(folder.file("d.mov")); touch \(folder.file("file"))")
    let missing = try #require(refusal(folder.file("no/out.mov")))
    #expect(missing.description.contains("there is no folder \(folder.file("no"))"))
    // Linux makes no file there, and says that there is none.
    let kernel = EncodeError.cannotMake("/proc/a.mov", "/proc/a.mov.part", ENOENT)
    #expect(!kernel.description.contains("there is no folder"), "\(kernel)")
    let file = try #require(refusal(folder.file("file/out.mov")))
    #expect(file.description.contains("is not a folder") || file.description.contains("no folder"))
    for word in ["d.mov", "d.mov/"] {
      let directory = try #require(refusal(folder.file(word)))
      #expect(directory.description.contains("is a folder"))
      #expect(!directory.isUsageError)
    }
    #expect(refusal(folder.file("no/a-%d.png"))?.description.contains("no folder") == true)
    #expect(!missing.isUsageError)
  }

  @Test("A link to a missing file is followed, and a link to itself is refused")
  func links() throws {
    shell("cd \(folder.path); mkdir sub; ln -s sub/new.mov a.mov; ln -s a.mov b.mov")
    shell("cd \(folder.path); ln -s \(folder.path)/abs.mov c.mov; ln -s d.mov d.mov")
    shell("cd \(folder.path); ln -s no/new.mov e.mov; ln -s new.png f-1.png")
    for (word, place) in [
      ("a.mov", "sub/new.mov"), ("b.mov", "sub/new.mov"), ("c.mov", "abs.mov"),
    ] {
      let output = try Output(folder.file(word))
      #expect(output.target is MovieOutput)
      #expect(try filePath(output) == folder.file(place))
      #expect(output.existingPath == nil)
    }
    #expect(refusal(folder.file("d.mov"))?.description.contains("leads to itself") == true)
    #expect(
      refusal(folder.file("e.mov"))?.description.contains("no folder \(folder.file("no"))") == true)
    #expect(try Output(folder.file("f-%d.png")).existingPath == folder.file("f-1.png"))
    #expect(throws: EncodeError.self) {
      try OutputSet([folder.file("a.mov"), folder.file("sub/new.mov")])
    }

    try record(folder.file("b.mov"), times: [.zero], timeBase: Rational(1, 25), rate: 25)
    #expect(shell("readlink \(folder.file("b.mov"))") == "a.mov\n")
    #expect(ProbedStream(folder.file("sub/new.mov"), "v:0").times == [.zero])
    #expect(try Output(folder.file("b.mov")).existingPath == folder.file("b.mov"))
  }

  @Test("A folder without write permission is named")
  func notWritable() async {
    await #expect(processExitsWith: .success) {
      let folder = TestFolder()
      chmod(folder.path, 0o555)
      // Root may write anywhere, so the test is another user until the folder is removed.
      let isRoot = geteuid() == 0
      if isRoot { #expect(seteuid(65534) == 0) }
      let error = #expect(throws: EncodeError.self) { try Output(folder.file("out.mov")) }
      #expect(
        error?.description.contains("the folder \(folder.path) is not writable") == true,
        "\(error as Any)")
      #expect(error?.isUsageError == false)
      if isRoot { #expect(seteuid(0) == 0) }
      withExtendedLifetime(folder) {}
    }
  }

  @Test("Encoders and their settings are checked too")
  func encoders() throws {
    let file = folder.file("out.mov")
    let typo = try #require(refusal(file) { $0.codec = "libx246" })
    #expect(typo.description.contains("libx246"))
    #expect(typo.description.contains("libx264"))
    #expect(typo.isUsageError)
    #expect(refusal(file) { $0.codec = "nonsenseencoder" }?.description.contains("libx264") == true)
    #expect(refusal(file) { $0.codec = "aac" }?.isUsageError == true)
    // A codec that FFmpeg knows and cannot encode.
    let lacking = try #require(refusal(file) { $0.codec = "vvc" })
    #expect(!lacking.isUsageError)
    #expect(lacking.description.contains("vvc"))
    #expect(refusal(file) { $0.codec = "vp9" }?.description.contains(".mkv") == true)
    let eight = refusal(file) { ($0.codec, $0.pixelFormat) = ("prores", .yuv420p) }
    #expect(eight?.description.contains("use --pixel-format yuv422p10le") == true)
    var prores = EncodeSettings()
    prores.codec = "prores"
    #expect(try Output(file, settings: prores).target.preference == .format(.yuv422p10le))
    #expect(refusal(file) { $0.codec = "rpza" }?.description.contains("another --codec") == true)
    #expect(refusal(file) { $0.preset = "quick" }?.description.contains("veryfast") == true)
    #expect(refusal(folder.file("a.mkv")) { ($0.codec, $0.preset) = ("libsvtav1", "99") } != nil)
    #expect(refusal(file) { ($0.codec, $0.preset) = ("mpeg4", "fast") } != nil)
    #expect(
      refusal(file) { ($0.codec, $0.crf) = ("mpeg4", 20) }?.description.contains("--bitrate")
        == true)
    #expect(refusal(file) { $0.crf = 52 }?.description.contains("51") == true)
    #expect(refusal(file) { $0.crf = -1 } != nil)
    #expect(refusal(file) { $0.crf = .nan } != nil)
    #expect(refusal(file) { $0.bitrate = 8 }?.description.contains("8M") == true)
    #expect(refusal(file) { $0.gop = 0 } != nil)
    #expect(refusal(file) { ($0.crf, $0.bitrate) = (20, 8_000_000) } != nil)
    #expect(refusal(folder.file("a.y4m")) { $0.pixelFormat = .rgb24 } != nil)
  }

  @Test("The bit rate follows size and rate")
  func bitrate() {
    func rate(_ width: Int, _ height: Int, _ fps: Rational) -> Int {
      EncoderChoice.usualBitrate(
        SinkRequest(
          format: FrameFormat(width: width, height: height, pixelFormat: .yuv420p, color: .hd),
          frameRate: fps, timeBase: Rational(1, 1000)))
    }
    #expect(rate(1280, 720, 30) == 6_000_000)
    #expect(rate(1920, 1080, 25) == 11_250_000)
    #expect(rate(64, 48, 25) == 500_000)
  }

  @Test(
    "files get constant quality, live sources a limit too, and a bit rate that is asked for is kept"
  )
  func usualQuality() throws {
    func plan(
      _ codec: String, isLive: Bool = false, _ change: (inout EncodeSettings) -> Void = { _ in }
    ) throws -> EncoderPlan {
      var settings = EncodeSettings()
      settings.codec = codec
      change(&settings)
      var request = SinkRequest(
        format: FrameFormat(width: 1280, height: 720, pixelFormat: .yuv420p, color: .hd),
        frameRate: 30, timeBase: Rational(1, 1000))
      request.isLive = isLive
      return try EncoderChoice(settings: settings, container: .mkv)
        .plan(settings: settings, request: request, timeBase: Rational(1, 1000))
    }
    func values(_ plan: EncoderPlan, _ key: String) -> [String] {
      plan.options.filter { $0.key == key }.map(\.value)
    }
    for (codec, crf) in [("h264", "21.6"), ("hevc", "26.8"), ("av1", "35"), ("vp9", "31")] {
      let file = try plan(codec)
      #expect(values(file, "crf") == [crf] && file.bitrate == nil && file.highestBitrate == nil)
      let live = try plan(codec, isLive: true)
      #expect(values(live, "crf") == [crf])
      #expect(live.bitrate ?? live.highestBitrate == 6_000_000)
      let asked = try plan(codec, isLive: true) { $0.bitrate = 2_000_000 }
      #expect(values(asked, "crf") == [] && asked.bitrate == 2_000_000)
      #expect(asked.highestBitrate == nil)
      let quality = try plan(codec, isLive: true) { $0.crf = 30 }
      #expect(values(quality, "crf").compactMap(Double.init) == [30])
      #expect(quality.bitrate == nil && quality.highestBitrate == nil)
    }
    #expect(try plan("mpeg4").bitrate == 6_000_000)
    #expect(try values(plan("h264") { $0.options = [EncoderOption("subq", "2")] }, "subq") == ["2"])
    #expect(try values(plan("h264") { $0.crf = 18 }, "subq") == ["7"])
    #expect(try values(plan("h264") { $0.preset = "slow" }, "subq") == [])
    #expect(try values(plan("h264") { $0.bitrate = 1_000_000 }, "subq") == [])
    #expect(try values(plan("h264", isLive: true), "subq") == [])
    #expect(
      try values(plan("hevc"), "x265-params") == ["log-level=error:early-skip=1:limit-refs=3"])
  }

  @Test("An output that is the input is refused")
  func sameAsInput() throws {
    shell("touch \(folder.file("in.mov")); ln -s in.mov \(folder.file("link.mov"))")
    shell(
      "ln \(folder.file("in.mov")) \(folder.file("hard.mov")); touch \(folder.file("s-0003.png"))")
    func refused(_ output: String, _ input: String) throws -> Bool {
      let made = try Output(folder.file(output))
      do { try made.checkDiffers(fromInput: folder.file(input)) } catch {
        return error.isUsageError
      }
      return false
    }
    for output in ["in.mov", "link.mov", "hard.mov", "./in.mov"] {
      #expect(try refused(output, "in.mov"))
    }
    #expect(try refused("s-%04d.png", "s-0003.png"))
    #expect(try refused("s-%04d.png", "./s-%04d.png"))
    #expect(try refused("s-0003.png", "s-%04d.png"))
    #expect(try !refused("other.mov", "in.mov"))
    #expect(try !refused("s-%04d.png", "t-0003.png"))
  }

  @Test("An RGB source becomes limited-range video by the size rule, and keeps its primaries")
  func rgbSource() throws {
    let format = try Output(folder.file("a.mov")).frameFormat(
      width: 641, height: 361, color: .sRGB)
    #expect((format.width, format.height) == (642, 362))
    #expect(format.color.matrix == .smpte170m)
    #expect(format.color.range == .limited)
    #expect(format.color.transfer == 13)
  }
}
