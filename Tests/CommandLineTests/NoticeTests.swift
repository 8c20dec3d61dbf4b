import Frames
import TestSupport
import Testing

@testable import kfrec

@Suite("Notices")
struct NoticeTests {
  @Test("The manual lists every id once, and marks those that are notes")
  func manual() throws {
    let text = String(decoding: try readFile("\(repositoryRoot)/docs/notices.md"), as: UTF8.self)
    var listed: [String: String] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.filter { $0 != "`" } }
      let id = String(cells[0].filter { $0 != " " })
      #expect(listed.updateValue(cells[1], forKey: id) == nil, "\(id) is listed twice")
    }
    #expect(Set(listed.keys) == Set(NoticeID.allCases.map(\.rawValue)))
    for id in NoticeID.allCases {
      #expect(listed[id.rawValue]?.hasPrefix(" note:") == (id.severity == .note), "\(id)")
    }
  }

  @Test("Two are the same by their id and what they are about, whatever they say")
  func equality() {
    let notice = Notice(.sourceHDR, "a.mov", "one")
    #expect(notice == Notice(.sourceHDR, "a.mov", "two"))
    #expect(notice != Notice(.sourceHDR, "b.mov", "one"))
    #expect(notice != Notice(.outputHDR, "a.mov", "one"))
  }

  @Test("Programs are told the id, what it is about and the sentence")
  func json() {
    #expect(
      JSONValue.notice(Notice(.outputDepth, "out.mov", "fewer bits")).text
        == """
        {"type":"warning","id":"output-depth","subject":"out.mov","message":"fewer bits"}
        """)
    #expect(
      JSONValue.notice(Notice(.sourceWaiting, "cam", "waiting")).text.contains("source-lost"))
  }
}
