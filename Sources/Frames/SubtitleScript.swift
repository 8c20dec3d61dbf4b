/// Words that are shown over the picture at their times, in the form that libass reads.
public struct SubtitleScript: Sendable, Equatable {
  /// One text of it.
  public struct Line: Sendable, Equatable {
    /// ASS without its times: ReadOrder, Layer, Style, Name, MarginL, MarginR, MarginV, Effect, Text.
    public let text: String
    /// When it is shown, in milliseconds from the zero of the input.
    public let start: Int64
    /// How long, in milliseconds.
    public let duration: Int64

    public init(text: String, start: Int64, duration: Int64) {
      (self.text, self.start, self.duration) = (text, start, duration)
    }
  }

  /// The sections of ASS before the events.
  public let header: String
  public let lines: [Line]
  /// Whether the file itself says how its words look; otherwise kfrec does.
  public let hasStyles: Bool

  public init(header: String, lines: [Line], hasStyles: Bool) {
    (self.header, self.lines, self.hasStyles) = (header, lines, hasStyles)
  }

  /// The largest number of lines that are shown at the same time.
  public var mostAtOnce: Int {
    let starts = lines.map(\.start).sorted()
    let ends = lines.map { $0.start + $0.duration }.sorted()
    var (most, ended) = (0, 0)
    for (index, start) in starts.enumerated() {
      while ended < index, ends[ended] <= start { ended += 1 }
      most = max(most, index + 1 - ended)
    }
    return most
  }
}
