import Frames
import ShaderEffects
import Synchronization
import Testing

@testable import Web

/// What the server answers, without a server and a recording.
@Suite struct SiteTests {
  /// A recording whose newest picture the test gives.
  private final class StillRecording: PageRecording {
    let newest = Mutex<(number: Int, bytes: [UInt8])?>(nil)

    var title: String { "a still" }
    let inbox = ParameterInbox()
    var glide: Rational { .zero }
    var chainRefusal: String? { nil }
    var isChainPending: Bool { false }
    var addableEffects: [AddableEffect] { [] }
    func change(_ change: ChainChange) throws(PageError) {}
    var movie: PageMovie { .off }
    func switchMovie(on: Bool) {}
    func saveStill() throws(PageError) { throw PageError("there is no frame yet") }
    var problem: String? { nil }
    var said: (number: Int, text: String) { (0, "") }
    func picture(after number: Int) -> (number: Int, bytes: [UInt8])? {
      newest.withLock { picture in picture.flatMap { $0.number > number ? $0 : nil } }
    }
    func changeViewers(by difference: Int) {}
    func addWake(_ wake: @escaping @Sendable () -> Void) {}
  }

  /// The messages of notices, in their order.
  private final class Told: Sendable {
    let all = Mutex<[String]>([])
  }

  private let recording = StillRecording()
  private let reported = Told()

  private func makeSite() -> Site {
    Site(recording, access: AccessRule(token: nil, port: 9000), port: 9000) { [reported] notice in
      reported.all.withLock { $0.append(notice.message) }
    }
  }

  private func request(_ method: String, _ path: String, body: String = "") -> HTTPRequest {
    var request = HTTPRequest()
    (request.method, request.path, request.host) = (method, path, "localhost:9000")
    (request.contentType, request.body) = ("application/json", Array(body.utf8))
    return request
  }

  private func at(_ seconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: seconds * 1_000_000_000)
  }

  @Test(
    "a stream of pictures sends something before the first picture too, in the head of its part")
  func alive() throws {
    let stream = PictureStream(recording, makeSite())
    var sent: [UInt8] = try #require(stream.next(now: at(100)))
    #expect(stream.next(now: at(104)) == nil)
    for second: Int64 in [105, 110, 115] {
      let more = try #require(stream.next(now: at(second)))
      #expect(!more.isEmpty && stream.next(now: at(second)) == nil)
      sent += more
    }
    recording.newest.withLock { $0 = (1, Array("JPEG".utf8)) }
    let first = try #require(stream.next(now: at(116)))
    sent += first
    let lines = String(decoding: sent, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.first == "--kfrec-picture" && lines.filter { $0 == "--kfrec-picture" }.count == 2)
    // One head, with its end before the picture.
    #expect(lines.firstIndex(of: "") == lines.firstIndex(of: "JPEG").map { $0 - 1 })
    #expect(lines.contains("Content-Type: image/jpeg") && lines.contains("Content-Length: 4"))
    // Afterwards the picture is sent again.
    #expect(stream.next(now: at(120)) == nil)
    #expect(stream.next(now: at(121)) == first)
  }

  @Test("changes are made by POST alone", arguments: ["GET", "HEAD", "PUT", "OPTIONS"])
  func method(_ method: String) throws {
    let site = makeSite()
    let answer = try #require(site.refusal(of: request(method, "/page/change", body: "{}")))
    #expect(answer.status == 405)
    #expect(answer.headers.filter { $0.name == "Allow" }.map(\.value) == ["POST"])
    #expect(site.refusal(of: request("POST", "/page/change")) == nil)
  }

  @Test("what somebody sends is quoted in one short line", arguments: ["word", "do", "key"])
  func forged(_ kind: String) throws {
    let long = "x\u{2028}kfrec\u{9b}" + String(repeating: "y\u{301}", count: 20_000)
    let body =
      switch kind {
      case "word": "x\u{b}" + long
      case "do": #"{"do":"\n\u001b[2Jkfrec: "# + long + #""}"#
      default: #"{"\nkfrec: saved":1,"\nkfrec: saved":1}"#
      }
    let answer = makeSite().answer(request("POST", "/page/change", body: body))
    #expect(answer.status == 400)
    let message = try #require(reported.all.withLock { $0.first })
    #expect(message.hasPrefix("a request at port 9000: "))
    #expect(message.contains("kfrec") && message.unicodeScalars.count < 400, "\(message)")
    #expect(
      message.unicodeScalars.allSatisfy { scalar in
        ![.control, .lineSeparator].contains(scalar.properties.generalCategory)
      }, "\(message)")
  }
}
