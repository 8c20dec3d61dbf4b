import Frames
import TestSupport
import Testing

@testable import kfrec

@Suite("Notices")
struct NoticeTests {
  @Test("The manual lists every id once, and marks the notes")
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

  @Test("Two notices are equal if their id and subject are, whatever their message")
  func equality() {
    let notice = Notice(.sourceHDR, "a.mov", "one")
    #expect(notice == Notice(.sourceHDR, "a.mov", "two"))
    #expect(notice != Notice(.sourceHDR, "b.mov", "one"))
    #expect(notice != Notice(.outputHDR, "a.mov", "one"))
  }

  @Test("JSON has the id, the subject and the message")
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
