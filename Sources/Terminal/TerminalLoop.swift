import CPosix
import Frames
import Glibc
import Window

/// Runs a view in a terminal: asks what the terminal can do, takes its keys, and draws the frames and text of the feed.
///
/// Only the terminal's thread uses it.
struct TerminalLoop {
  private let output: TerminalOutput
  private let feed: ViewFeed
  private let device: TerminalDevice
  private let facts = TerminalFacts()
  private var screen: TerminalScreen
  private var controls: ViewControls
  private var keys = TerminalKeys()
  /// Bytes that the terminal has not taken yet.
  private var unwritten: ArraySlice<UInt8> = []
  /// The frame that is being written or awaits the terminal's answer.
  private var drawn: Frame?
  private var newest: Frame?
  /// Whether `newest` has not been drawn yet.
  private var isWaiting = false
  /// What the terminal has said of itself.
  private var answers: [TerminalInput] = []
  /// When the terminal was asked what it can.
  private var askedForFacts = MonotonicTime.now
  /// When the terminal was asked to say that it has taken everything; nil if it owes no answer.
  private var asked: MonotonicTime?
  /// Whether the shell has the terminal, and the program is in the background.
  private var isBehind = false

  /// How long the terminal's first answers are waited for, in seconds: over ssh around the world.
  private static let patience = 1.0
  /// An answer that takes longer was lost, in seconds.
  private static let longestSilence = 5.0
  /// The bytes of a sequence come together, in milliseconds; after Esc nothing comes.
  private static let longestPause: Int32 = 60

  /// Keys that need a window.
  private static let absentKeys: Set<WindowKey> = [.compare, .scale, .fullScreen]

  /// Runs until the feed ends or the terminal goes away, and restores the terminal.
  static func run(_ output: TerminalOutput, feed: ViewFeed, on device: TerminalDevice) {
    // What is shown may be late, what is recorded may not.
    setpriority(Int32(PRIO_PROCESS.rawValue), 0, 5)
    var loop = TerminalLoop(output, feed, device)
    do throws(TerminalError) {
      try loop.run()
    } catch {
      feed.fail(error)
    }
    output.restore()
  }

  private init(_ output: TerminalOutput, _ feed: ViewFeed, _ device: TerminalDevice) {
    (self.output, self.feed, self.device) = (output, feed, device)
    controls = ViewControls(output.keys, withoutKeys: Self.absentKeys)
    screen = TerminalScreen(style: output.style ?? facts.style ?? .blocks)
  }

  private mutating func run() throws(TerminalError) {
    try askForFacts()
    device.showScreen(for: screen.style)
    while !feed.hasEnded {
      if let frame = feed.take() { (newest, isWaiting) = (frame, true) }
      if let asked, MonotonicTime.now.seconds(since: asked) > Self.longestSilence {
        self.asked = nil
      }
      lookForShell()
      if unwritten.isEmpty, asked == nil, !isBehind { try draw() }
      try write()
      try wait(milliseconds: 250)
    }
    try awaitAnswers()
  }

  /// Leaves the terminal alone while the shell has it, and takes it again after that.
  private mutating func lookForShell() {
    let wasBehind = isBehind
    isBehind = !device.isInForeground
    guard isBehind || wasBehind else { return }
    (unwritten, asked) = ([], nil)
    guard !isBehind else { return }
    device.showScreen(for: screen.style)
    screen = TerminalScreen(style: screen.style)
    isWaiting = newest != nil
  }

  /// Waits for the answers that are still to come: after the end they would be typed into the shell.
  private mutating func awaitAnswers() throws(TerminalError) {
    let patience = unwritten.isEmpty ? Self.patience : Self.patience / 3
    // What was not sent yet is dropped, and its question with it.
    if !unwritten.isEmpty { (unwritten, asked) = ([], nil) }
    let end = MonotonicTime.now
    while owesAnswer, !isBehind, MonotonicTime.now.seconds(since: end) < patience {
      try wait(milliseconds: 50)
    }
  }

  private var owesAnswer: Bool {
    asked != nil
      || answersAttributes == nil
        && MonotonicTime.now.seconds(since: askedForFacts) < Self.longestSilence
  }

  /// Asks whether the terminal can draw pixels, unless the environment has said it.
  private mutating func askForFacts() throws(TerminalError) {
    // Old consoles print what they do not know.
    let isPlain = getenv("TERM").map { String(cString: $0).hasPrefix("linux") } ?? true
    let kitty = isPlain ? "" : "\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\"
    unwritten = Array((kitty + "\u{1b}[c").utf8)[...]
    askedForFacts = .now
    while answersAttributes == nil, !feed.hasEnded,
      MonotonicTime.now.seconds(since: askedForFacts) < Self.patience
    {
      try write()
      try wait(milliseconds: 50)
    }
    guard output.style == nil, facts.style == nil else { return }
    if answers.contains(.kittyImages) {
      screen = TerminalScreen(style: .kitty)
    } else if answersAttributes == true {
      screen = TerminalScreen(style: .sixel)
    }
  }

  /// Whether the terminal can draw sixels; nil if it has not answered.
  private var answersAttributes: Bool? {
    for case .attributes(let hasSixels) in answers { return hasSixels }
    return nil
  }

  /// Draws what has changed since the last time.
  private mutating func draw() throws(TerminalError) {
    let texts = output.texts
    let lines = controls.lines(message: output.keys.message) + texts.notes
    let text = try screen.draw(
      newest, isNew: isWaiting, lines: lines,
      status: texts.progress.isEmpty ? "h: help  q: stop" : texts.progress, size: device.size,
      facts: facts)
    if isWaiting { drawn = newest }
    isWaiting = false
    guard !text.isEmpty else { return noteShown() }
    unwritten = text[...]
    // A terminal that answers is asked when it has shown this; what waits on the way to it would make the
    // picture late.
    guard answersAttributes != nil else { return }
    unwritten += "\u{1b}[5n".utf8
    asked = .now
  }

  private mutating func noteShown() {
    if let drawn { feed.noteShown(drawn) }
    drawn = nil
  }

  /// Writes what the terminal takes without waiting.
  private mutating func write() throws(TerminalError) {
    guard !unwritten.isEmpty else { return }
    guard let count = device.write(unwritten) else {
      throw TerminalError("the picture ended: the terminal has gone away")
    }
    unwritten = unwritten.dropFirst(count)
    // Time in which the terminal does not read is no silence.
    if !unwritten.isEmpty, asked != nil { asked = .now }
    if unwritten.isEmpty, asked == nil { noteShown() }
  }

  /// Waits for keys, for the terminal to take more, or for the feed, and does what the keys say.
  ///
  /// In the background nothing can be read: then only the feed ends the wait.
  private mutating func wait(milliseconds: Int32) throws(TerminalError) {
    var waited = [
      pollfd(
        fd: isBehind ? -1 : device.descriptor,
        events: Int16(unwritten.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0),
      pollfd(fd: feed.flag.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&waited, nfds_t(waited.count), milliseconds) > 0 else { return }
    if waited[1].revents != 0 { feed.flag.lower() }
    guard waited[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { return }
    switch device.read() {
    case .bytes(let bytes):
      for input in keys.take(bytes) { take(input) }
      endEscape()
    case .nothing: break
    case .gone(let reason):
      throw TerminalError("the picture ended: the terminal has gone away (\(reason))")
    }
  }

  /// Takes a lone escape character for Esc if nothing follows it soon.
  private mutating func endEscape() {
    guard keys.hasLoneEscape else { return }
    var waited = pollfd(fd: device.descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&waited, 1, Self.longestPause) == 0 { keys.endEscape() }
  }

  private mutating func take(_ input: TerminalInput) {
    switch input {
    case .key(let key, let steps): controls.press(key, steps: steps, newest: newest)
    case .attributes, .kittyImages: answers.append(input)
    case .ready:
      asked = nil
      noteShown()
    }
  }
}
