import Glibc
import TestSupport
import Testing

/// The live picture, the chain, movies and stills of the real program, as the page asks for them.
@Suite struct LiveTests {
  /// Reads the next JPEG file of a stream; the bytes before it are skipped.
  private func nextPicture(
    _ stream: HTTPClient.Connection, _ rest: inout [UInt8]
  ) throws -> [UInt8] {
    let (begin, end): ([UInt8], [UInt8]) = ([0xff, 0xd8], [0xff, 0xd9])
    while true {
      if let first = rest.indices.first(where: { rest[$0...].starts(with: begin) }),
        let last = rest[first...].indices.first(where: { rest[$0...].starts(with: end) })
      {
        let picture = Array(rest[first..<last + 2])
        rest = Array(rest[(last + 2)...])
        return picture
      }
      let block = stream.read()
      guard !block.isEmpty else { throw TestSupportError("the stream has ended") }
      rest += block
    }
  }

  /// The size of a picture, and the colour of its middle.
  private func look(
    _ picture: [UInt8], _ folder: TemporaryFolder
  ) throws -> (width: Int, height: Int, middle: [Int]) {
    let path = try folder.write(picture, to: "look.jpg")
    let size = try runTool(
      "ffprobe", ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path])
    let parts = size.split(whereSeparator: { ",\n".contains($0) }).compactMap { Int($0) }
    let pixels = try ChildProcess(
      "ffmpeg",
      [
        "-v", "error", "-i", path, "-vf", "crop=2:2", "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
      ]
    ).wait().output
    try #require(parts.count == 2 && pixels.count == 12)
    return (parts[0], parts[1], pixels.prefix(3).map(Int.init))
  }

  @Test("the sliders of a Shadertoy stand before what a pointer does")
  func pointerLast() throws {
    let effects = try TemporaryFolder()
    try effects.write(
      Array(
        """
        uniform float speed; // = 0.3
        uniform float zoom; // = 0.7
        void mainImage(out vec4 color, in vec2 place) {
          color = vec4(iMouse.xy / iResolution.xy, speed, zoom);
        }

        """.utf8), to: "toy.frag")
    let served = try Served([
      "preview", "--no-window", "-i", "testsrc", "--size", "64x36", "-e", effects.file("toy.frag"),
    ])
    let names = try served.state()["effects"][0]["parameters"].items.compactMap { $0["name"].text }
    #expect(names.filter { ["speed", "zoom"].contains($0) } == ["speed", "zoom"])
    let pointer = try #require(names.firstIndex { $0.hasPrefix("iMouse") })
    #expect(names[pointer...].allSatisfy { $0.hasPrefix("iMouse") || $0 == "mix" }, "\(names)")
    #expect(names.lastIndex(of: "zoom").map { $0 < pointer } == true, "\(names)")
    #expect(served.stop().exitCode == 0)
  }

  @Test("the live picture has the colours of the frames, and the same picture is not sent twice")
  func picture() throws {
    let served = try Served([
      "preview", "--no-window", "-i", "color:ff8000", "--size", "1280x720", "-e",
      "vignette:amount=0",
      "-e", "invert:mix=0",
    ])
    let stream = try HTTPClient.Connection(port: served.port)
    // HTTP 1.0 has no chunks, which would lie between the bytes.
    try stream.send("GET /page/picture HTTP/1.0\r\nHost: localhost\r\n\r\n")
    var rest: [UInt8] = []
    let first = try look(try nextPicture(stream, &rest), served.folder)
    #expect((first.width, first.height) == (640, 360))
    for (part, value) in [255, 128, 0].enumerated() {
      #expect(abs(first.middle[part] - value) <= 6, "\(first.middle)")
    }
    // The frames go on at 30 in a second; the next picture is the one that differs.
    try served.post(#"{"do":"set","effect":2,"parameter":"mix","value":1}"#)
    let second = try look(try nextPicture(stream, &rest), served.folder)
    for (part, value) in [0, 127, 255].enumerated() {
      #expect(abs(second.middle[part] - value) <= 6, "\(second.middle)")
    }
    let end = served.stop()
    #expect(end.exitCode == 0, "\(end)")
  }

  @Test("effects are added, moved, muted and removed, and keep their values on the way")
  func chain() throws {
    let served = try Served()
    func names(_ state: JSON) -> [String] { state["effects"].items.compactMap { $0["name"].text } }
    #expect(names(try served.state()) == ["vignette", "crt"])
    try served.post(#"{"do":"set","effect":1,"parameter":"amount","value":0.125}"#)
    #expect(try served.post(#"{"do":"add","name":"invert"}"#).status == 200)
    try served.waitForState { names($0) == ["vignette", "crt", "invert"] }
    #expect(try served.post(#"{"do":"move","effect":1,"by":5}"#).status == 200)
    let moved = try served.waitForState { names($0) == ["crt", "invert", "vignette"] }
    #expect(moved["effects"][2].parameter("amount")["value"].numbers == [0.125])
    // A change goes with its effect to the new place, also in OSCQuery.
    #expect(try JSON(served.get("/effect/3/amount?VALUE").text)["VALUE"].numbers == [0.125])

    #expect(
      try served.post(#"{"do":"set","effect":1,"parameter":"mix","value":0.5}"#).status == 200)
    #expect(try served.post(#"{"do":"mute","effect":1,"on":true}"#).status == 200)
    #expect(try served.state()["effects"][2]["isMuted"].flag == true)
    #expect(try served.post(#"{"do":"mute","effect":1,"on":true}"#).status == 200)
    #expect(try served.post(#"{"do":"mute","effect":1,"on":false}"#).status == 200)
    #expect(try served.state()["effects"][2].parameter("mix")["value"].numbers == [0.5])

    for tag in 1...3 {
      #expect(try served.post("{\"do\":\"remove\",\"effect\":\(tag)}").status == 200)
    }
    try served.waitForState { names($0) == [] && $0["isPending"].flag == false }
    #expect(try served.post(#"{"do":"add","name":"invert"}"#).status == 200)
    try served.waitForState { names($0) == ["invert"] }
    let end = served.stop()
    #expect(end.exitCode == 0, "\(end)")
  }

  @Test("a chain that does not compile leaves the effects as they are, and the page says why")
  func wrongEffect() throws {
    let effects = try TemporaryFolder()
    try effects.write(Array("vec4 effect(vec2 uv) { return nothing; }\n".utf8), to: "wrong.comp")
    let served = try Served(more: ["--effects-dir", effects.path])
    #expect(try served.post(#"{"do":"add","name":"wrong"}"#).status == 200)
    let state = try served.waitForState { !$0["problem"].isNull }
    #expect(state["problem"].text?.contains("the effects stay as they are") == true)
    #expect(state["effects"].items.count == 2 && state["isPending"].flag == false)
    // The wrong effect is not asked for again with the next change.
    #expect(try served.post(#"{"do":"add","name":"invert"}"#).status == 200)
    // The effects show first; the recording then says that they are mended.
    let mended = try served.waitForState {
      $0["effects"].items.count == 3 && $0["problem"].isNull
    }
    #expect(mended["effects"][2]["name"].text == "invert")
    #expect(served.stop().exitCode == 0)
  }

  @Test("movies and stills are made without a window")
  func movies() throws {
    let served = try Served()
    #expect(try served.post(#"{"do":"record","on":true}"#).status == 200)
    #expect(try served.post(#"{"do":"record","on":true}"#).status == 200)
    let running = try served.waitForState { $0["movie"]["name"].text != nil }
    #expect(running["movie"]["name"].text == "kfrec-0001.mov")
    try served.saveStill()
    try served.waitForState { $0["said"]["text"].text == "saved kfrec-0001.png" }
    #expect(try served.post(#"{"do":"record","on":false}"#).status == 200)
    let saved = try served.waitForState {
      $0["said"]["text"].text?.hasPrefix("saved kfrec-0001.mov: ") == true
    }
    let sentence = saved["said"]["text"].text ?? ""
    #expect(sentence.wholeMatch(of: /.*: \d+ frames, \d+\.\d{1,3} s/) != nil, "\(sentence)")
    #expect(try served.state()["movie"]["isOn"].flag == false)
    let end = served.stop()
    #expect(end.exitCode == 0, "\(end)")
    #expect(served.folder.names == ["kfrec-0001.mov", "kfrec-0001.png"])
    let sizes = try served.folder.names.map { name in
      try runTool(
        "ffprobe",
        [
          "-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height", "-of",
          "csv=p=0", served.folder.file(name),
        ])
    }
    #expect(sizes == ["64,36\n", "64,36\n"])
  }

  @Test("a still and a movie do not go through a link without a target that has their name")
  func danglingLinks() throws {
    let served = try Served()
    for ending in ["png", "mov"] {
      #expect(symlink("target." + ending, served.folder.file("kfrec-0001." + ending)) == 0)
    }
    #expect(try served.post(#"{"do":"record","on":true}"#).status == 200)
    let running = try served.waitForState { $0["movie"]["name"].text != nil }
    #expect(running["movie"]["name"].text == "kfrec-0002.mov")
    try served.saveStill()
    try served.waitForState { $0["said"]["text"].text == "saved kfrec-0002.png" }
    #expect(served.stop().exitCode == 0)
    #expect(served.folder.names.filter { $0.hasPrefix("target") } == [])
  }

  @Test(
    "a recording with outputs says that it is recorded, and its automation belongs to its chain")
  func impossible() throws {
    let served = try Served(
      [
        "-i", "testsrc", "--size", "64x36", "--realtime", "-e", "vignette", "--automation", "cues",
        "-o", "out.mkv",
      ])
    let state = try served.state()
    #expect(state["movie"]["refusal"].text == "everything is recorded already, into out.mkv")
    #expect(state["chainRefusal"].text?.contains("an automation belongs to it") == true)
    #expect(try served.post(#"{"do":"record","on":true}"#).status == 409)
    #expect(try served.post(#"{"do":"add","name":"invert"}"#).status == 409)
    let id = try #require(state["effects"][0]["id"].number)
    #expect(
      try served.post("{\"do\":\"set\",\"effect\":\(Int(id)),\"parameter\":\"amount\",\"value\":1}")
        .status == 200)
    waitUntil(served.child) {
      let cues = (try? readFile(served.folder.file("cues.part"))) ?? []
      return String(decoding: cues, as: UTF8.self).contains("\"amount\"")
    }
    let end = served.stop()
    #expect(end.exitCode == 0, "\(end)")
    let cues = String(decoding: try readFile(served.folder.file("cues")), as: UTF8.self)
    #expect(cues.contains("\"parameter\":\"amount\",\"value\":[1.0]"), "\(cues)")
  }
}
