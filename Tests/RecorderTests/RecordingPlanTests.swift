import Capture
import Encode
import Frames
import Render
import ShaderEffects
import Testing

@testable import Recorder

/// Tests of the decisions before the first frame, from values alone.
@Suite("The plan of a recording")
struct RecordingPlanTests {
  private static func format(
    _ width: Int, _ height: Int, _ pixelFormat: PixelFormat = .yuv420p
  ) -> FrameFormat {
    FrameFormat(
      width: width, height: height, pixelFormat: pixelFormat,
      color: ColorDescription(
        tags: ColorTags(), pixelFormat: pixelFormat, width: width, height: height))
  }

  private func plan(
    _ change: (inout Recording) throws -> Void = { _ in },
    clips: [FrameFormat] = [format(640, 480)],
    outputs: [String] = ["null"], facts changeFacts: (inout RecordingFacts) -> Void = { _ in }
  ) throws -> RecordingPlan {
    var recording = Recording(source: SourceRequest(input: "a.mov"), outputs: outputs)
    try change(&recording)
    let set = try OutputSet(outputs, settings: recording.encoding)
    var facts = RecordingFacts(
      outputs: set, trim: TrimPlan(recording, outputLimit: set.frameLimit),
      source: SourceDescription(
        name: "a.mov", frameRate: Rational(25), timeBase: Rational(1, 600)), clips: clips)
    changeFacts(&facts)
    return try RecordingPlan(recording, facts)
  }

  @Test("equal recordings have equal plans, and any difference shows")
  func equality() throws {
    #expect(try plan() == plan())
    #expect(try plan() != plan { $0.size = (320, nil) })
    #expect(try plan() != plan { $0.source.frames = 3 })
    #expect(try plan() != plan(clips: [Self.format(640, 360)]))
  }

  @Test("a movie has alpha if an effect is known to make some and the output holds it")
  func alpha() throws {
    func format(_ output: String, makesAlpha: Bool) throws -> PixelFormat {
      try plan(outputs: [output]) { $0.makesAlpha = makesAlpha }.sink.pixelFormat
    }
    #expect(try format("a.webm", makesAlpha: false) == .yuv420p)
    #expect(try format("a.webm", makesAlpha: true) == .yuva420p)
    #expect(try format("a.mov", makesAlpha: true) == .yuv420p)
    #expect(try format("a.png", makesAlpha: true) == .rgba)
    #expect(
      try plan(outputs: ["a.webm", "a.mov"]) { $0.makesAlpha = true }.sink.pixelFormat == .yuv420p)
  }

  @Test("frames are made as hardware takes them, if the GPU makes them anyway")
  func together() throws {
    func made(
      _ clip: PixelFormat = .yuv420p, _ change: (inout Recording) throws -> Void = { _ in }
    ) throws -> RecordingPlan {
      var format = Self.format(640, 480)
      format.pixelFormat = clip
      return try plan(change, clips: [format], outputs: ["a.mov"]) { $0.wantsSemiPlanar = true }
    }
    // Nothing is changed: the frames go to the encoder as they are.
    #expect(try made().sink.pixelFormat == .yuv420p && !made().needsGPU)
    #expect(try made(.nv12).sink.pixelFormat == .nv12 && !made(.nv12).needsGPU)
    let smaller = try made { $0.size = (320, nil) }
    #expect(smaller.sink.pixelFormat == .nv12 && smaller.needsGPU && smaller.sharesResults)
    let hashed = try made {
      $0.size = (320, nil)
      $0.frameHashes = "a.framemd5"
    }
    #expect(hashed.sink.pixelFormat == .yuv420p && !hashed.sharesResults)
    let other = try plan({ $0.size = (320, nil) }, outputs: ["a.mov"])
    #expect(other.sink.pixelFormat == .yuv420p && !other.sharesResults)
  }

  @Test("the GPU is needed only where a frame is changed")
  func needsGPU() throws {
    #expect(try !plan().needsGPU)
    #expect(try plan { $0.size = (320, nil) }.needsGPU)
    #expect(try plan { $0.forcesGPU = true }.needsGPU)
    #expect(try plan(clips: [Self.format(640, 480), Self.format(320, 240)]).needsGPU)
    #expect(try plan(clips: [Self.format(640, 480, .rgba)]).needsGPU)
    #expect(try plan { $0.effects = [try EffectSpec(parsing: "separateRGB")] }.needsGPU)
    #expect(try !plan { $0.effects = [try EffectSpec(parsing: "separateRGB:mix=0")] }.needsGPU)
    let frame = Frame(
      format: Self.format(640, 480), pixels: PixelBuffer(planes: []) {}, time: .zero)
    #expect(try plan().bypassesGPU(FrameSet(frame)))
    #expect(try !plan { $0.forcesGPU = true }.bypassesGPU(FrameSet(frame)))
  }

  @Test("the plan has the size, the rate and the time base of the output")
  func output() throws {
    let plain = try plan()
    #expect((plain.sink.width, plain.sink.height) == (640, 480))
    #expect(plain.outputRate == Rational(25) && plain.timeBase == Rational(1, 600))
    let changed = try plan {
      ($0.size, $0.pace) = ((320, nil), .constant(Rational(30)))
    }
    #expect((changed.sink.width, changed.sink.height) == (320, 240))
    #expect(changed.outputRate == Rational(30) && changed.timeBase == Rational(1, 30))
    #expect(try plan { $0.pace = .constant(nil) }.constantRate == Rational(25))
  }

  @Test("losses are reported by their notice ids")
  func notices() throws {
    #expect(try plan().notices.isEmpty)
    let odd = try plan(clips: [Self.format(641, 481)])
    #expect(odd.notices.map(\.id) == [.outputSize])
    let deep = try plan(clips: [Self.format(640, 480, .yuv420p10le)])
    #expect(deep.notices == [Notice(.outputDepth, "null", "whatever it says")])
    func chroma(
      _ source: PixelFormat, _ outputs: [String], asked: PixelFormat? = nil
    ) throws -> [String] {
      try plan(
        {
          $0.encoding.codec = outputs.contains { $0.hasSuffix("mkv") } ? "ffv1" : nil
          $0.encoding.pixelFormat = asked
        }, clips: [Self.format(640, 480, source)], outputs: outputs
      ).notices.filter { $0.id == .outputChroma }.map(\.message)
    }
    let reported = try chroma(.yuv444p, ["a.y4m"])
    #expect(
      reported.count == 1 && reported.first?.contains("yuv444p keeps all") == true, "\(reported)")
    #expect(try chroma(.yuv422p, ["a.mkv", "a.y4m"]).count == 1)
    #expect(try chroma(.yuv420p, ["a.mkv", "a.y4m"]).isEmpty)
    for kept in [["a.mkv"], ["a.mov"], ["null"]] {
      #expect(try chroma(.yuv444p, kept).isEmpty, "\(kept)")
    }
    #expect(try chroma(.yuv444p, ["a.y4m"], asked: .yuv420p).isEmpty)
    let fields = try plan({ $0.size = (320, nil) }) { $0.source.fieldOrder = .topFirst }
    #expect(fields.notices.map(\.id) == [.outputFields] && fields.fieldOrder == nil)
  }

  @Test("a still image for a video file without a duration is refused")
  func still() throws {
    #expect(throws: RecorderError.self) {
      try plan(outputs: ["/tmp/kfrec-plan.mov"]) { $0.source.isStill = true }
    }
    _ = try plan({ $0.source.frames = 5 }, outputs: ["/tmp/kfrec-plan.mov"]) {
      $0.source.isStill = true
    }
  }

  @Test(
    "frames are counted where they are known: source, capture, between clips, or outputs")
  func trim() throws {
    func trim(_ change: (inout Recording) -> Void, limit: Int? = nil) -> TrimPlan {
      var recording = Recording(source: SourceRequest(input: "a.mov"), outputs: ["null"])
      (recording.source.frames, recording.source.duration) = (10, Rational(2))
      change(&recording)
      return TrimPlan(recording, outputLimit: limit)
    }
    let both = TrimPlan.Limit(duration: Rational(2), frames: 10)
    let file = trim { _ in }
    #expect(file.source == both && file.clips == .none && file.capture == .none)
    #expect(file.output == .none && file.stillFrames == nil)
    #expect(trim({ _ in }, limit: 1).source.frames == 1)
    let camera = trim { $0.source.input = "/dev/video9" }
    #expect(camera.capture == both && camera.output.frames == 10)
    #expect(camera.excludes(frameAt: Rational(2), after: 0, dropped: 0))
    // Containers round times: a frame just before the limit would be at it.
    let almost = Rational(1_999_999, 1_000_000)
    #expect(camera.excludes(frameAt: almost, after: 3, dropped: 0))
    #expect(!camera.excludes(frameAt: Rational(1998, 1000), after: 3, dropped: 0))
    #expect(camera.shown(frameAt: Rational(199, 100), lasting: .one) == Rational(1, 100))
    #expect(camera.shown(frameAt: .one, lasting: Rational(1, 2)) == nil)
    #expect(camera.hasAll(sent: 13, dropped: 3) && !camera.hasAll(sent: 12, dropped: 3))
    #expect(camera.end(ofFrameAt: Rational(199, 100), lasting: .one) == Rational(2))
    let clips = trim { $0.following = [SourceRequest(input: "b.mov")] }
    #expect(clips.clips == both && clips.source == .none)
    let constant = trim { $0.pace = .constant(nil) }
    #expect(constant.source == TrimPlan.Limit(duration: Rational(2), frames: nil))
    #expect(constant.output == both && constant.stillFrames == 10)
  }
}
