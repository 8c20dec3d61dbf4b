import Frames
import Testing

@Suite("JSON text")
struct JSONTextTests {
  @Test("nothing that a terminal obeys is in JSON as it is, and readers get the same text")
  func controls() {
    let text = "a\u{1b}\u{7f}\u{9b}\u{85}\u{2028}\u{2029}\u{202e}\u{2066}\u{200f}\n\"\\é"
    let json = JSONValue.object([(text, .string(text))]).text
    #expect(!json.unicodeScalars.contains { $0.isObeyed })
    let quoted = #""a\u001b\u007f\u009b\u0085\u2028\u2029\u202e\u2066\u200f\n\"\\é""#
    #expect(json == "{\(quoted):\(quoted)}")
    #expect(withoutControls(json: #"{"a":"\#u{9b}é"}"#) == #"{"a":"\u009bé"}"#)
  }
}
