import TestSupport
import Testing

/// Requests that must not be answered, and load that must not be noticed, with the real program.
@Suite struct GuardTests {
  @Test("requests of other web sites, wrong methods and wrong bodies are refused, and counted")
  func refusals() throws {
    let served = try Served()
    let change = Array(#"{"do":"set","effect":1,"parameter":"amount","value":0.9}"#.utf8)
    func status(
      _ method: String, _ path: String, host: String = "localhost", _ headers: [String] = [],
      _ body: [UInt8]? = nil
    ) throws -> Int {
      try HTTPClient.request(
        method, path, port: served.port, host: host, headers: headers, body: body
      ).status
    }
    let json = "Content-Type: application/json"
    #expect(try status("GET", "/", host: "evil.example") == 403)
    #expect(try status("GET", "/page/picture", ["Sec-Fetch-Site: cross-site"]) == 403)
    #expect(
      try status("POST", "/page/change", [json, "Origin: http://evil.example"], change) == 403)
    #expect(try status("POST", "/page/change", ["Content-Type: text/plain"], change) == 415)
    #expect(try status("POST", "/page/change", [], change) == 415)
    #expect(try status("POST", "/page/state", [json], change) == 405)
    #expect(try status("PUT", "/page/change", [json], change) == 405)
    #expect(try status("GET", "/page/change", [json], change) == 405)
    #expect(try status("OPTIONS", "/page/change") == 405)
    #expect(
      try status("POST", "/page/change", [json], Array(repeating: 32, count: 10_000_000)) == 413)
    // What was refused has changed nothing.
    #expect(try served.state()["effects"][0].parameter("amount")["value"].numbers == [0.6])

    for body in [
      "", "{", "[]", "{} x", "{\"do\":1}", "{\"do\":\"fly\"}", "{\"do\":\"set\"}",
      "{\"do\":\"set\",\"effect\":1.5,\"parameter\":\"amount\",\"value\":1}",
      "{\"do\":\"set\",\"effect\":1,\"parameter\":\"amount\",\"value\":[null]}",
      "{\"do\":\"record\",\"on\":1}", String(repeating: "[", count: 5000), "\u{0}\u{1}",
    ] {
      #expect(try served.post(body).status == 400, "\(body)")
    }
    #expect(
      try HTTPClient.request(
        "POST", "/page/change", port: served.port, headers: [json], body: [0xff, 0xfe]
      ).status == 400)
    for (body, reason) in [
      (
        #"{"do":"set","effect":1,"parameter":"amunt","value":1}"#,
        "effect 'vignette' has no parameter 'amunt'; did you mean 'amount'?"
      ),
      (
        #"{"do":"set","effect":1,"parameter":"amount","value":7}"#,
        "effect 'vignette': amount must be a number from 0 to 1, not '7'"
      ),
      (
        #"{"do":"set","effect":99,"parameter":"amount","value":1}"#,
        "this effect is not in the chain"
      ),
      (#"{"do":"remove","effect":99}"#, "this effect is not in the chain any more"),
      (#"{"do":"add","name":"../../etc/passwd"}"#, "there is no effect '../../etc/passwd'"),
    ] {
      let reply = try served.post(body)
      #expect(reply.status == 409 && reply.text.contains(reason), "\(reply.text)")
    }
    let end = served.stop()
    #expect(end.exitCode == 0, "\(end)")
    #expect(end.errors.contains("came from another web site or for another host"))
    #expect(
      end.errors.contains("requests before it could not be understood either")
        || end.errors.contains("more of port"))
  }

  @Test("with a token nothing is shown without it, and the printed address sets a cookie")
  func token() throws {
    let served = try Served(more: ["--control-bind", "0.0.0.0"])
    _ = served.child.waitForError("?token=")
    #expect(try served.get("/").status == 401)
    #expect(try served.get("/page/state").status == 401)
    #expect(try served.get("/page/picture").status == 401)
    #expect(try served.post(#"{"do":"still"}"#).status == 401)
    #expect(try served.get("/", ["Authorization: Bearer 0123456789"]).status == 401)
    let end = served.stop()
    #expect(end.exitCode == 0, "\(end)")
    #expect(end.errors.contains("a request at port \(served.port) had a wrong token"))
    let words = end.errors.split(whereSeparator: { " \n".contains($0) })
    let printed = try #require(words.first { $0.contains("?token=") })
    #expect(printed.split(separator: "=").last?.count == 32)

    let given = try Served(more: ["--control-token", "my-own-token"])
    let first = try given.get("/?token=my-own-token", ["Accept: text/html"])
    #expect(first.status == 303 && first.headers["location"] == "/")
    let cookie = try #require(first.headers["set-cookie"])
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
    let pair = try #require(cookie.split(separator: ";").first)
    #expect(try given.get("/", ["Accept: text/html", "Cookie: \(pair)"]).status == 200)
    #expect(try given.get("/page/state", ["Authorization: Bearer my-own-token"]).status == 200)
    #expect(try given.get("/effect/1?token=my-own-token").status == 200)
    #expect(try given.get("/effect/1?token=my-own-tokem").status == 401)
    #expect(given.stop().exitCode == 0)
  }

  @Test("a port that another program uses is an error before anything is recorded")
  func portInUse() throws {
    let folder = try TemporaryFolder()
    let taken = try HTTPClient.TakenPort()
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "-e", "vignette", "--control", "\(taken.port)", "-o", "out.mov",
        "--frames", "2",
      ], in: folder)
    #expect(
      result.exitCode == 1 && result.errors.contains("another program uses this TCP port"),
      "\(result)")
    #expect(folder.names == [])
  }

  @Test("slow connections without a token keep nobody out who has it")
  func slowConnections() throws {
    let served = try Served(more: ["--control-token", "my-own-token"])
    var kept: [HTTPClient.Connection] = []
    for _ in 0..<140 {
      let connection = try HTTPClient.Connection(port: served.port)
      try connection.send("G")
      kept.append(connection)
    }
    for connection in kept { try? connection.send("E") }
    #expect(
      try served.get("/page/state", ["Authorization: Bearer my-own-token"]).status == 200)
    #expect(served.stop().exitCode == 0)
    withExtendedLifetime(kept) {}
  }

  @Test("stills are saved one after another, and the page says so")
  func stills() throws {
    let served = try Served()
    // There is nothing to save before the effects are compiled.
    try served.saveStill()
    var (saved, refused) = (1, 0)
    for _ in 0..<200 {
      let reply = try served.post(#"{"do":"still"}"#)
      if reply.status == 200 { saved += 1 }
      if reply.text.contains("a still is being saved") { refused += 1 }
    }
    let threads = try String(
      decoding: readFile("/proc/\(served.child.id)/status"), as: UTF8.self
    ).split(separator: "\n").first { $0.hasPrefix("Threads:") }
    #expect(threads.flatMap { Int($0.filter(\.isNumber)) } ?? 0 < 100, "\(threads ?? "")")
    #expect(saved + refused == 201, "\(saved) saved, \(refused) refused")
    // The last one is finished too.
    let end = served.stop()
    #expect(end.exitCode == 0, "\(end)")
    #expect(
      served.folder.names.filter { $0.hasSuffix(".png") }.count == saved, "\(served.folder.names)")
  }

  @Test("neither the page nor programs see the secrets of addresses")
  func secrets() throws {
    let served = try Served([
      "-i", "testsrc", "--size", "64x36", "--realtime", "-e", "vignette", "-o", "out.mkv", "-o",
      "udp://name:word@127.0.0.1:5999/key?pkt_size=1316", "--progress", "json",
    ])
    let text = try served.get("/page/state").text
    #expect(text.contains("udp://127.0.0.1:5999"), "\(text)")
    let end = served.stop()
    for shown in [text, end.text, end.errors] {
      #expect(!shown.contains("word@") && !shown.contains("pkt_size"), "\(shown)")
    }
  }

  @Test("the page does not show the name, password and query of an input")
  func secretInput() throws {
    let port = try HTTPClient.freePort()
    let sender = try ChildProcess(
      "ffmpeg",
      ["-v", "error", "-re", "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25", "-g", "5"]
        + ["-c:v", "mpeg2video", "-f", "mpegts", "udp://127.0.0.1:\(port)"])
    defer { sender.send(9) }
    let served = try Served([
      "preview", "--no-window", "-i", "udp://name:word@127.0.0.1:\(port)?fifo_size=9000",
    ])
    try served.saveStill()
    let text = try served.get("/page/state").text
    #expect(text.contains("udp://127.0.0.1:\(port)"), "\(text)")
    let end = served.stop()
    for shown in [text, end.text, end.errors] {
      #expect(!shown.contains("word@") && !shown.contains("fifo_size"), "\(shown)")
    }
  }

  @Test("floods, silent connections and readers that stop reading do not hold up a recording")
  func floods() throws {
    let served = try Served([
      "-i", "testsrc", "--size", "320x180", "--realtime", "-e", "vignette", "-o", "out.mkv",
    ])
    // A stop before the first frame would leave nothing; the live picture is one.
    let viewer = try HTTPClient.Connection(port: served.port)
    try viewer.send("GET /page/picture HTTP/1.0\r\nHost: localhost\r\n\r\n")
    var seen: [UInt8] = []
    while seen.firstRange(of: [0xff, 0xd8] as [UInt8]) == nil {
      let block = viewer.read()
      try #require(!block.isEmpty)
      seen += block
    }
    var kept: [HTTPClient.Connection] = []
    // Readers that take nothing: their pictures must not be queued.
    for _ in 0..<4 {
      let reader = try HTTPClient.Connection(port: served.port)
      try reader.send("GET /page/picture HTTP/1.1\r\nHost: localhost\r\n\r\n")
      kept.append(reader)
    }
    for text in [
      "", "GET", "GET / HTTP/1.1\r\n", "nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      "POST /page/change HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Transfer-Encoding: chunked\r\n\r\nfffffffff\r\n",
      "POST /page/change HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
      "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\n\r\n",
      "GET /%00%ff%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}",
    ] {
      let connection = try HTTPClient.Connection(port: served.port)
      try? connection.send(text)
      kept.append(connection)
    }
    for _ in 0..<1000 {
      // The system lets more wait than the server takes.
      kept.append(try HTTPClient.Connection(port: served.port, waits: false))
    }
    // Closed connections leave room for others.
    kept = Array(kept.prefix(4))
    #expect(try served.get("/page/state").status == 200)
    let end = served.stop()
    #expect(end.exitCode == 0, "\(end)")
    #expect(frameCount(of: served.folder.file("out.mkv")) ?? 0 > 0)
    withExtendedLifetime(kept) {}
  }
}
