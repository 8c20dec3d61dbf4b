package import Frames

/// Reports mistakes in control input, but not more than a person can read.
///
/// Ten are reported at once, and then one a second; the others are counted.
package struct MistakeCounter {
  private static let most = 10.0
  /// The longest sentence, in code points: a mistake may quote what somebody has sent.
  private static let longest = 500

  private let subject: String
  private let unit: (one: String, many: String)
  private let notify: @Sendable (Notice) -> Void
  private var allowance = MistakeCounter.most
  private var latest: MonotonicTime?
  private var untold = 0

  /// - Parameters:
  ///   - subject: Where the mistakes come from, such as "standard input".
  ///   - unit: What is wrong, such as "line" and "lines".
  ///   - notify: Called with each notice.
  package init(
    subject: String, unit: (one: String, many: String),
    notify: @escaping @Sendable (Notice) -> Void
  ) {
    (self.subject, self.unit, self.notify) = (subject, unit, notify)
  }

  /// Counts a mistake, and reports it if the rate allows it; only then its sentence is made.
  package mutating func add(_ mistake: @autoclosure () -> String, now: MonotonicTime = .now) {
    if let latest {
      allowance = min(allowance + now.seconds(since: latest), MistakeCounter.most)
    }
    latest = now
    guard allowance >= 1 else {
      untold += 1
      return
    }
    allowance -= 1
    let more = untold == 0 ? "" : "; \(count) before it could not be understood either"
    untold = 0
    notify(Notice(.controlLine, subject, mistake().onOneLine(atMost: Self.longest) + more))
  }

  /// Reports the number of mistakes that were not reported.
  package mutating func finish() {
    guard untold > 0 else { return }
    notify(
      Notice(.controlLine, subject, "\(count) more of \(subject) could not be understood"))
    untold = 0
  }

  /// Always reports a sentence, for problems other than input that could not be understood.
  package func tell(_ sentence: String) { notify(Notice(.controlLine, subject, sentence)) }

  private var count: String { untold == 1 ? "1 \(unit.one)" : "\(untold) \(unit.many)" }
}

extension String {
  /// The text for a message that quotes it: cut to this many code points, and without characters that begin a line or
  /// steer a terminal, so that nobody can forge a message.
  package func onOneLine(atMost limit: Int) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars.prefix(limit) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: text.append("\u{FFFD}")
      default: text.append(scalar)
      }
    }
    if unicodeScalars.dropFirst(limit).first != nil { text.append("\u{2026}") }
    return String(text)
  }
}
