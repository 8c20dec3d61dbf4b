/// The threads of a recording, by the names that they show in `top -H`: 15 bytes at most.
///
/// What a library does on threads of its own goes by the name of the thread that opened it.
package enum ThreadName: String {
  /// Opens the GPU, and with it the driver's threads.
  case device = "kfrec-device"
  /// Opens the source, and with it the decoder's threads.
  case decode = "kfrec-decode"
  /// Stage one.
  case capture = "kfrec-capture"
  /// Reads ahead in one of several sources.
  case prefetch = "kfrec-ahead"
  /// Stages two to four.
  case gpu = "kfrec-gpu"
  /// Opens a sink, and with it the encoder's threads; then stage five for that output.
  case encode = "kfrec-encode"
  /// Fetches a microphone's sound.
  case listen = "kfrec-listen"
  /// Resamples and encodes it.
  case sound = "kfrec-sound"
  /// Compiles what stage three runs.
  case compile = "kfrec-compile"
  /// Compiles effects whose files change.
  case reload = "kfrec-reload"
}

extension WorkerThread {
  /// Starts `body` on a new thread.
  ///
  /// Of several with one job those after the first have their number in the name, by which they are
  /// still one `ThreadGroup`.
  package init(
    _ name: ThreadName, place: Int = 0, body: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    try self.init(name: place == 0 ? name.rawValue : "\(name.rawValue)-\(place + 1)", body: body)
  }
}
