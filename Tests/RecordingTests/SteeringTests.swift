import Glibc
import TestSupport
import Testing

/// Tests of `--control`, `--automation` and `--automation-in` with the real program.
@Suite struct SteeringTests {
  /// An effect with every kind of parameter, and a result that depends on all frames before.
  private static let effect = """
    /*{"INPUTS": [{"NAME": "amount", "TYPE": "float", "DEFAULT": 0.2},
      {"NAME": "on", "TYPE": "bool"}, {"NAME": "spot", "TYPE": "point2D"},
      {"NAME": "tint", "TYPE": "color"}, {"NAME": "flash", "TYPE": "event"},
      {"NAME": "mode", "TYPE": "long", "VALUES": [0, 1], "LABELS": ["Soft", "Hard"]},
      {"NAME": "back", "TYPE": "image"}],
      "PASSES": [{"TARGET": "kept", "PERSISTENT": true, "FLOAT": true}, {}]}*/
    vec4 effect(vec2 uv) {
      if (PASSINDEX == 0) return mix(keptPixel(PIXEL), framePixel(), flash ? 1.0 : amount);
      vec4 color = keptPixel(PIXEL) * tint + vec4(spot, float(mode), 0.0) * 0.3 + back(uv);
      return on ? 1.0 - color : color;
    }
    """
  private static let use = ["-e", "./a.comp:tint=ffffff", "-e", "vignette:mix=0"]

  /// A recording of a clip that comes frame by frame through a FIFO, so that changes act in its middle.
  private final class Session {
    let folder: TemporaryFolder
    let child: ChildProcess
    private let fifo: Int32
    private let clip: [UInt8]
    private var sent = 0

    /// More than all lines need on a loaded machine; all fit into the FIFO, so that writing never waits.
    static let frames = 300
    private static let frameSize = 32 * 16 * 3 / 2 + 6

    init(_ words: [String]) throws {
      folder = try TemporaryFolder()
      try folder.write(SteeringTests.effect.utf8, to: "a.comp")
      try make(
        "clip.y4m", in: folder,
        ["-f", "lavfi", "-i", "testsrc2=s=32x16:r=25", "-frames:v", "\(Self.frames)"])
      clip = try readFile(folder.file("clip.y4m"))
      try #require(mkfifo(folder.file("in"), 0o600) == 0)
      // Opened for both, because opening it for writing alone would wait for the reader.
      fifo = open(folder.file("in"), O_RDWR | O_CLOEXEC)
      // F_SETPIPE_SZ, which Glibc's module lacks.
      try #require(fifo >= 0 && fcntl(fifo, 1031, 1 << 20) >= clip.count)
      child = try KfrecProcess.start(
        ["-i", "in", "--control", "-", "--progress", "json"] + SteeringTests.use + words,
        in: folder, input: .silence)
      // The demuxer reads ahead before it gives the first frame.
      send(30)
      #expect(child.waitForOutput { $0.contains("\"type\":\"ready\"") })
    }

    deinit { if sent < Self.frames { close(fifo) } }

    func send(_ frames: Int) {
      let head = clip.count - Self.frames * Self.frameSize
      let begin = sent == 0 ? 0 : head + sent * Self.frameSize
      sent += frames
      let bytes = clip[begin..<head + sent * Self.frameSize]
      bytes.withUnsafeBytes { #expect(write(fifo, $0.baseAddress, $0.count) == $0.count) }
    }

    /// Feeds a line, and then frames until it acts, which the automation shows.
    ///
    /// A frame is sent after the one before it was taken: a program that waits for a processor gets none.
    func steer(_ line: String) {
      let before = cueCount
      child.feed(Array((line + "\n").utf8))
      let acts = waitUntil(child) {
        var waiting = pollfd(fd: fifo, events: Int16(POLLIN), revents: 0)
        if sent < Self.frames - 5, poll(&waiting, 1, 0) == 0 { send(1) }
        return cueCount > before
      }
      #expect(acts, "\(line)")
    }

    private var cueCount: Int {
      let bytes = (try? readFile(folder.file("cues.part"))) ?? []
      return bytes.count { $0 == UInt8(ascii: "\n") }
    }

    func end() -> ChildResult {
      send(Self.frames - sent)
      close(fifo)
      return child.wait()
    }
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try readFile(path), as: UTF8.self)
  }

  private static func hashes(_ path: String) throws -> [String] {
    try text(path).split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }

  private static func render(
    _ words: [String], hashes name: String, in folder: TemporaryFolder
  ) throws -> [String] {
    let result = try KfrecProcess.run(
      ["-i", "clip.y4m", "-o", "\(name).mkv", "--framehash", name] + words, in: folder)
    #expect(result.exitCode == 0, "\(result)")
    return try hashes(folder.file(name))
  }

  @Test("What is changed while it records renders the same again, bit for bit")
  func replay() throws {
    let session = try Session(
      ["--automation", "cues", "-o", "live.mkv", "--framehash", "live", "--glide", "120"])
    let folder = session.folder
    for line in [
      "effect 1 amount 0.9", "effect 1 on true", "effect 1 spot 0.7 0.123456789", "flash,1",
      "effect vignette mix 0.5 glide 333", "effect 1 mode hard", "tint,ff8000c0",
      "effect 1 mix 0 glide 0",
    ] { session.steer(line) }
    session.child.feed(Array("effect 1 nothing 1\n".utf8))
    let result = session.end()
    #expect(result.exitCode == 0, "\(result)")
    let live = try Self.hashes(folder.file("live"))
    #expect(live.count == Session.frames)
    let lines = try Self.text(folder.file("cues")).split(separator: "\n")
    #expect(
      lines.first
        == "{\"format\":\"kfrec-automation\",\"version\":1,\"effects\":[\"a\",\"vignette\"]}")
    #expect(
      lines.count == 9 && lines[3].contains("\"value\":[0.7,0.123456789],\"glide\":\"3/25\"}"))
    // An event that fires has no value.
    #expect(
      lines[4].contains("\"parameter\":\"flash\"") && !lines[4].contains("value"), "\(lines[4])")
    let replayed = try Self.render(
      Self.use + ["--automation-in", "cues", "--automation", "again"], hashes: "replay", in: folder)
    #expect(replayed == live)
    #expect(try Self.text(folder.file("again")) == Self.text(folder.file("cues")))
    // Without the changes the frames differ; with an inbox that nobody uses they are the same as without.
    let plain = try Self.render(Self.use, hashes: "plain", in: folder)
    #expect(plain != live && plain[0] == live[0])
    try folder.write((String(lines[0]) + "\n").utf8, to: "none")
    #expect(
      try Self.render(Self.use + ["--automation-in", "none"], hashes: "idle", in: folder) == plain)
  }

  @Test("Part of a replay gives the frames that the whole has")
  func part() throws {
    let folder = try TemporaryFolder()
    try make(
      "clip.y4m", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=32x16:r=25", "-frames:v", "40"])
    try folder.write(
      """
      {"format": "kfrec-automation", "version": 1, "effects": ["vignette"]}
      {"time": 0.3, "effect": 1, "parameter": "amount", "value": 0.9, "glide": 0.77}
      {"time": 0.71, "effect": 1, "parameter": "amount", "value": 0.1, "glide": 0.5}
      {"time": 0.2, "effect": 1, "parameter": "mix", "value": 0.3}
      """.utf8, to: "cues")
    let words = ["-e", "vignette", "--automation-in", "cues"]
    func frames(_ hashes: [String]) -> [String] {
      hashes.map { String($0.split(separator: ",").last ?? "") }
    }
    let whole = frames(try Self.render(words, hashes: "whole", in: folder))
    #expect(Set(whole).count > 20)
    let part = frames(
      try Self.render(words + ["--frame-range", "22-30"], hashes: "part", in: folder))
    #expect(part == Array(whole[22...30]))
    let batch = try KfrecProcess.run(
      ["batch", "clip.y4m", "--output-dir", "out", "--codec", "ffv1", "--container", "mkv"] + words,
      in: folder)
    #expect(batch.exitCode == 0, "\(batch)")
    let lossless = try KfrecProcess.run(
      ["-i", "clip.y4m", "-o", "lossless.mkv", "--codec", "ffv1"] + words, in: folder)
    #expect(lossless.exitCode == 0, "\(lossless)")
    #expect(
      try Probe.pixels(folder.file("out/clip.mkv")) == Probe.pixels(folder.file("lossless.mkv")))
    // Another automation is another result.
    let same = try KfrecProcess.run(
      [
        "batch", "clip.y4m", "--output-dir", "out", "--dry-run", "--codec", "ffv1", "--container",
        "mkv",
      ]
        + words, in: folder)
    #expect(!same.text.contains("cues changed"))
    try folder.write(
      "{\"format\":\"kfrec-automation\",\"version\":1,\"effects\":[\"vignette\"]}\n".utf8,
      to: "cues")
    let other = try KfrecProcess.run(
      [
        "batch", "clip.y4m", "--output-dir", "out", "--dry-run", "--codec", "ffv1", "--container",
        "mkv",
      ]
        + words, in: folder)
    #expect((other.text + other.errors).contains("cues changed"), "\(other) \(other.text)")
  }

  @Test("A formula hears the audio of the file, the same way each time")
  func sound() throws {
    let folder = try TemporaryFolder()
    try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "color=white:s=32x16:r=25:d=2", "-f", "lavfi", "-i",
        "aevalsrc=exprs=0.8*sin(2*PI*100*t)*gt(t\\,1):s=48000:d=2", "-c:v", "ffv1", "-c:a", "flac",
      ])
    try folder.write(
      """
      /*{"INPUTS": [{"NAME": "level", "TYPE": "float"}]}*/
      vec4 effect(vec2 uv) { return vec4(vec3(level), 1.0); }
      """.utf8, to: "a.comp")
    func grey(_ name: String) throws -> [UInt8] {
      let result = try KfrecProcess.run(
        [
          "-i", "in.mkv", "-e", "./a.comp:level=audio(low)", "-o", name, "--codec", "ffv1",
          "--pixel-format", "yuv444p", "--range", "full",
        ], in: folder)
      #expect(result.exitCode == 0, "\(result)")
      return try Probe.pixels(folder.file(name), "gray").enumerated()
        .filter { $0.offset % (32 * 16) == 0 }.map(\.element)
    }
    let first = try grey("a.mkv")
    #expect(first.count == 50 && first[..<25].allSatisfy { $0 == 0 })
    #expect(first[30...].allSatisfy { (198...210).contains($0) }, "\(first)")
    #expect(try grey("b.mkv") == first)
  }

  @Test("A killed recording leaves its changes, and the next one keeps them")
  func killed() throws {
    let session = try Session(["--automation", "cues", "-o", "live.mkv"])
    session.steer("effect 1 amount 0.9")
    session.child.send(SIGKILL)
    _ = session.child.wait()
    let folder = session.folder
    let left = try Self.text(folder.file("cues.part"))
    #expect(left.split(separator: "\n").count == 2 && left.hasSuffix("\n"))
    let again = try KfrecProcess.run(
      ["-i", "clip.y4m", "-o", "b.mkv", "--automation-in", "cues.part", "--automation", "cues"]
        + Self.use, in: folder)
    #expect(again.exitCode == 0 && again.errors.contains("kept as cues.recovered"), "\(again)")
    #expect(try Self.text(folder.file("cues")) == left)
    #expect(try Self.text(folder.file("cues.recovered")) == left)
  }

  private func isLast(_ value: String, in path: String) throws -> Bool {
    guard fileExists(path) else { return false }
    return try Self.text(path).hasSuffix("\"value\":[\(value)]}\n")
  }

  @Test("Lines that cannot be understood are told and counted, and change nothing")
  func wrongLines() throws {
    let folder = try TemporaryFolder()
    var input: [UInt8] = []
    for line in ["", "# comment", "hello", "effect 3 amount 1", "effect 1 amout 1", "amount,inf"] {
      input += Array((line + "\r\n").utf8)
    }
    input += [0, 0xff, 0xfe, 0x0a] + Array(repeating: UInt8(ascii: "x"), count: 10 << 20) + [0x0a]
    for number in 0..<3000 { input += Array("effect 1 amount 7\(number)\n".utf8) }
    for number in 0..<3000 { input += Array("effect 1 amount 0.\(number)\n".utf8) }
    input += Array("effect 1 amount 0.777".utf8)
    let child = try KfrecProcess.start(
      [
        "-i", "testsrc", "--size", "32x16", "--realtime", "-e", "vignette", "--control", "-",
        "--automation", "cues", "-o", "out.mkv",
      ], in: folder, input: .bytes(input))
    #expect(try waitUntil(child) { try isLast("0.777", in: folder.file("cues.part")) })
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result)")
    for sentence in [
      "line 3 of standard input: write a line such as",
      "line 4 of standard input: there is no effect 3",
      "line 5 of standard input: effect 'vignette' has no parameter 'amout'; did you mean 'amount'?",
      "line 6 of standard input: effect 'vignette': amount must be a number from 0 to 1, not 'inf'",
      "line 7 of standard input: it is not UTF-8",
      "line 8 of standard input: it is longer than 4096 bytes",
      "line 9 of standard input: effect 'vignette': amount must be", "could not be understood",
    ] { #expect(result.errors.contains(sentence), "\(sentence)") }
    #expect(result.errors.split(separator: "warning:").count < 40)
    let cues = try Self.text(folder.file("cues")).split(separator: "\n")
    // At most one change in a frame.
    #expect(Set(cues.map { $0.split(separator: ",")[0] }).count == cues.count)
    #expect(cues.last?.contains("\"value\":[0.777]}") == true, "\(cues.last ?? "")")
  }

  @Test("Packets of OSC change parameters, and others are counted")
  func packets() throws {
    let other = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(other) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    func withAddress<Result>(_ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result)
      -> Result
    {
      withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    // The system chooses a port that is free, which stays free unless another program opens it at once.
    let chosen = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try #require(withAddress { bind(chosen, $0, $1) } == 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try #require(withAddress { address, _ in getsockname(chosen, address, &size) } == 0)
    let port = Int(address.sin_port.bigEndian)
    let taken = try KfrecProcess.run(
      ["-i", "testsrc", "-e", "vignette", "--control", "\(port)", "-o", "null", "--frames", "2"])
    #expect(taken.exitCode == 1 && taken.errors.contains("another program uses this UDP port"))
    close(chosen)

    let folder = try TemporaryFolder()
    let child = try KfrecProcess.start(
      [
        "-i", "testsrc", "--size", "32x16", "--realtime", "-e", "vignette", "--control", "\(port)",
        "--automation", "cues", "-o", "out.mkv", "--progress", "json",
      ], in: folder)
    #expect(child.waitForOutput { $0.contains("\"framesOut\":") })
    func send(_ bytes: [UInt8]) {
      #expect(withAddress { sendto(other, bytes, bytes.count, 0, $0, $1) } == bytes.count)
    }
    send([])
    send(Array("nonsense".utf8))
    let message = Array("/effect/1/amount\0\0\0\0,f\0\0".utf8)
    send(message + [0x40, 0, 0, 0])
    for _ in 0..<1000 { send(message + [0x3e, 0x80, 0, 0]) }
    waitUntil(child) { (try? Self.text(folder.file("cues.part")))?.contains("0.25") == true }
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result)")
    #expect(try Self.text(folder.file("cues")).contains("\"value\":[0.25]"))
    for sentence in [
      "a packet at port \(port): it is no OSC packet",
      "1 value of port \(port) was out of range; the nearest allowed acted",
    ] { #expect(result.errors.contains(sentence), "\(result)") }
  }

  @Test("The end of the lines is not the end of the recording, and no line is needed")
  func noLines() throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "32x16", "--frames", "9", "-e", "vignette", "--control", "-",
        "--automation", "cues", "-o", "out.mkv",
      ], in: folder)
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    #expect(try Probe.rows(folder.file("out.mkv"), "packet=pts", of: "v:0").count == 9)
    #expect(
      try Self.text(folder.file("cues"))
        == "{\"format\":\"kfrec-automation\",\"version\":1,\"effects\":[\"vignette\"]}\n")
  }

  @Test(
    "Words that cannot work are refused before anything is written",
    arguments: [
      ("--control -", "--control has no effect to change"),
      ("--automation-in cues", "--automation-in has no effect to change"),
      ("-e vignette --control x", "--control takes - for standard input, or a port"),
      ("-e vignette --control - --control -", "--control - was given twice"),
      ("-e vignette --control 0", "--control takes - for standard input, or a port"),
      ("-e vignette --control 65536", "--control takes - for standard input, or a port"),
      ("-e vignette --control-bind 0.0.0.0", "--control-bind is for the page of --control PORT"),
      ("-e vignette --control - --control-token 12345678", "--control-token is for the page"),
      ("-e vignette --control 1 --control-bind x", "--control-bind takes a numeric address"),
      ("-e vignette --control 1 --control-token 1234567", "--control-token takes 8 to 128 letters"),
      ("-e vignette --control 1 --control-bind 0.0.0.0 --quiet", "nobody would see the token"),
      ("-e vignette --glide 5", "--glide is for changes by --control"),
      ("-e vignette --control - --glide x", "--glide takes a whole number"),
      ("-e vignette --automation x", "--automation has no changes to write"),
      ("-e vignette --control - --automation out.mkv", "is the output itself"),
      ("-e vignette --control - --automation cues", "cues exists already; add -y"),
      ("-e vignette --control - -y --automation clip.y4m", "written over the input clip.y4m"),
      ("-e ./mine.comp --control - -y --automation mine.comp", "written over ./mine.comp"),
      ("-e vignette --control - --automation none/x", "there is no folder none"),
      ("-e vignette --control - --automation /dev/null", "is no regular file"),
      ("-e vignette --automation-in cues -y --automation cues", "written over the input cues"),
      ("-e vignette --automation-in none", "the automation none cannot be read"),
      ("-e vignette --automation-in .", "is no regular file"),
      ("-e vignette --automation-in cues", "cues:2: there is no \"time\""),
      ("-e invert --automation-in cues", "cues:1: the automation is for vignette"),
      ("-e vignette --automation-in clip.y4m", "clip.y4m:1: "),
      ("-e vignette --automation-in cues -o ./cues.mkv -y -o cues --container mkv", "cues"),
      ("-i - -e vignette --control -", "both read standard input"),
    ])
  func mistakes(words: String, message: String) throws {
    let folder = try TemporaryFolder()
    try make(
      "clip.y4m", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=32x16:r=25", "-frames:v", "2"])
    try folder.write("vec4 effect(vec2 uv) { return frame(uv); }\n".utf8, to: "mine.comp")
    let cues = "{\"format\":\"kfrec-automation\",\"version\":1,\"effects\":[\"vignette\"]}\n{}\n"
    try folder.write(cues.utf8, to: "cues")
    let typed = words.split(separator: " ").map(String.init)
    let input = typed.contains("-i") ? [] : ["-i", "clip.y4m"]
    let result = try KfrecProcess.run(input + typed + ["-o", "out.mkv"], in: folder)
    #expect([1, 2].contains(result.exitCode) && result.errors.contains(message), "\(result)")
    #expect(folder.names == ["clip.y4m", "cues", "mine.comp"])
    #expect(try Self.text(folder.file("cues")) == cues)
  }

  @Test("With -n an existing automation is left as it is, and the recording is made")
  func kept() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine".utf8, to: "cues")
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "32x16", "--frames", "2", "-e", "vignette", "--control", "-",
        "--automation", "cues", "-n", "-o", "out.mkv",
      ], in: folder)
    #expect(result.exitCode == 0 && result.errors.contains("cues exists already"), "\(result)")
    #expect(folder.names == ["cues", "out.mkv"])
    #expect(try Self.text(folder.file("cues")) == "mine")
  }

  @Test("A new version of an effect keeps the values that were changed")
  func reload() throws {
    func colored(_ blue: String, _ inputs: String = "level") -> String {
      """
      /*{"INPUTS": [{"NAME": "\(inputs)", "TYPE": "float", "DEFAULT": 0}]}*/
      vec4 effect(vec2 uv) { return vec4(\(inputs), 0.0, \(blue), 1.0); }
      """
    }
    let folder = try TemporaryFolder()
    try folder.write(colored("0.0").utf8, to: "a.comp")
    let child = try KfrecProcess.start(
      [
        "-i", "testsrc", "--realtime", "--fps", "20", "--size", "32x16", "--reload", "--progress",
        "json", "-e", "./a.comp", "--control", "-", "--automation", "cues", "-o", "out-%04d.png",
      ], in: folder, input: .silence)
    #expect(child.waitForOutput { $0.contains("\"framesOut\":") })
    child.feed(Array("level,1\n".utf8))
    waitUntil(child) { (try? Self.text(folder.file("cues.part")))?.contains("level") == true }
    func replace(_ text: String, _ count: Int) throws {
      try folder.write(text.utf8, to: "a.comp.new")
      try #require(rename(folder.file("a.comp.new"), folder.file("a.comp")) == 0)
      #expect(
        child.waitForOutput { $0.split(separator: "\"type\":\"reloaded\"").count > count })
    }
    try replace(colored("1.0"), 1)
    try replace(colored("1.0", "other"), 2)
    child.send(SIGTERM)
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errors.contains("effect 'a' no longer has the parameter 'level'"), "\(result)")
    let pixels = try Probe.pixels(folder.file("out-%04d.png"), "rgb24")
    let colors = stride(from: 0, to: pixels.count, by: 32 * 16 * 3).map {
      Array(pixels[$0..<$0 + 3])
    }
    let runs = colors.reduce(into: [[UInt8]]()) { if $0.last != $1 { $0.append($1) } }
    #expect(runs == [[0, 0, 0], [255, 0, 0], [255, 0, 255], [0, 0, 255]])
  }
}
