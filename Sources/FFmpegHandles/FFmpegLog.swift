import CFFmpeg
import Glibc
import Synchronization

/// Sets whether FFmpeg and the encoders write to standard error themselves.
///
/// kfrec reports errors itself, so this output is for users who want details. Call it before any
/// other thread starts: it sets an environment variable, unless the user has set it.
public func setFFmpegLogging(verbose: Bool) {
  av_log_set_level(verbose ? AV_LOG_INFO : AV_LOG_QUIET)
  // SVT-AV1 writes its own messages, and only this variable limits them; 0 leaves its last words
  // before it gives up.
  if !verbose { setenv("SVT_LOG", "0", 0) }
}

/// Runs calls of FFmpeg, and returns the lines of errors that they log on this thread.
///
/// The true cause of a failure is often in the log only. Nothing is printed meanwhile. Several threads may
/// call it at once.
public func loggedErrors(of work: () -> Void) -> [String] {
  loggedLines(upTo: AV_LOG_ERROR, of: work)
}

/// Runs calls of FFmpeg, and returns what they log on this thread up to a level of libavutil, like `loggedErrors`.
public func loggedLines(upTo level: Int32, of work: () -> Void) -> [String] {
  let thread = pthread_self()
  listeners.withLock { listeners in
    listeners[thread] = Listener(level: level)
    kf_set_log_receiver(note)
  }
  work()
  return listeners.withLock { listeners in
    let lines = listeners.removeValue(forKey: thread)?.lines ?? []
    if listeners.isEmpty { kf_set_log_receiver(nil) }
    return lines
  }
}

/// The log lines that one thread has collected.
private struct Listener {
  let level: Int32
  var lines: [String] = []
}

/// The threads that listen.
private let listeners = Mutex<[pthread_t: Listener]>([:])

/// Keeps a line of a thread that listens; returns 0 if it does not.
private func note(level: Int32, line: UnsafePointer<CChar>?) -> Int32 {
  let thread = pthread_self()
  let text = line.map { String(cString: $0) }?.split(separator: "\n").first
    .map { $0.trimmingPrefix { $0 == " " } }
  return listeners.withLock { listeners in
    guard let heard = listeners[thread]?.level else { return 0 }
    if level <= heard, let text, !text.isEmpty { listeners[thread]?.lines.append(String(text)) }
    return 1
  }
}

/// What happens within FFmpeg to an input or a decoder: the errors that it logs, and the files that it may not open.
///
/// FFmpeg continues after a damaged part of a container, and reports it only in its log. Any thread may ask.
public final class LoggedErrors: @unchecked Sendable {
  // @unchecked: the numbers are changed and read by atomic operations only.
  /// What the `opaque` of the input or decoder is set to, before it is opened.
  ///
  /// The two numbers live as long as this object. Nothing else may stand there.
  public let place: UnsafeMutablePointer<Int32>

  public init() {
    place = .allocate(capacity: 2)
    place.initialize(repeating: 0, count: 2)
    kf_count_logged_errors()
  }

  deinit { place.deallocate() }

  /// The number of errors.
  public var count: Int { Int(kf_load_relaxed(place)) }
  /// Whether a file was refused to it.
  public var hasRefusedFile: Bool { kf_load_relaxed(place + 1) > 0 }

  /// Notes, in a callback of FFmpeg, that a file is refused to the input whose `opaque` this is.
  public static func noteRefusedFile(_ opaque: UnsafeMutableRawPointer?) {
    if let opaque { kf_add_relaxed(opaque.assumingMemoryBound(to: Int32.self) + 1) }
  }
}
