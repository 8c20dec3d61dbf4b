import ALSAHandles
import Frames
import ShaderCompiler

@testable import Control
@testable import ShaderEffects
@testable import Terminal
@testable import Web

/// What reaches a running recording from outside: lines, packets, requests, keys, knobs.
let controlTargets: [FuzzTarget] = [
  FuzzTarget(name: "control-lines") { bytes in
    var splitter = LineSplitter(limit: 200)
    func take(_ line: LineSplitter.Line) {
      guard case .whole(let bytes) = line else { return }
      _ = try? ControlCommand.parse(String(decoding: bytes, as: UTF8.self))
    }
    splitter.add(bytes.prefix(bytes.count / 2), take)
    splitter.add(bytes.dropFirst(bytes.count / 2), take)
    splitter.end(take)
  },
  FuzzTarget(name: "osc") { bytes in _ = try? OSCMessage.parse(bytes[...]) },
  FuzzTarget(name: "http") { bytes in
    var lines = bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: 7, omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    lines += [String](repeating: "", count: 8 - lines.count)
    var request = HTTPRequest()
    (request.path, request.host, request.origin) = (lines[0], lines[1], lines[2])
    (request.cookie, request.authorization) = (lines[3], lines[4])
    (request.contentType, request.accept) = (lines[5], lines[6])
    request.query = [("token", lines[7])]
    for rule in [AccessRule(token: nil, port: 80), AccessRule(token: "secret", port: 8080)] {
      _ = rule.refusal(of: request)
      _ = rule.token(of: request)
    }
    _ = (request.hasJSON, request.wantsPage)
  },
  FuzzTarget(name: "page-change") { bytes in _ = try? PageChange(bytes) },
  FuzzTarget(name: "terminal-keys") { bytes in
    var keys = TerminalKeys()
    for part in bytes.split(separator: 0, omittingEmptySubsequences: false) { _ = keys.take(part) }
    keys.endEscape()
  },
  FuzzTarget(name: "midi") { bytes in
    guard var decoder = try? MIDIDecoder() else { return }
    for byte in bytes { _ = decoder.take(byte) }
  },
  .file("midi-map", "fuzz.midi") { path in _ = try MIDIMap(path: path) },
  FuzzTarget(name: "automation") { bytes in
    let steerable = SteerableEffect(name: "every", header: everyInput.header, followed: nil)
    _ = try? Automation(parsing: bytes, name: "fuzz.automation", steerable: [steerable])
  },
]
