/// The threads of a recording, by the names that `top -H` shows: 15 bytes at most.
///
/// Threads that a library starts have the name of the thread that opened the library.
public enum ThreadName: String {
  /// Opens the GPU and with it the driver's threads.
  case device = "kfrec-device"
  /// Opens the source and with it the decoder's threads.
  case decode = "kfrec-decode"
  /// Runs stage one.
  case capture = "kfrec-capture"
  /// Reads ahead in one of several sources.
  case prefetch = "kfrec-ahead"
  /// Runs stages two to four.
  case gpu = "kfrec-gpu"
  /// Opens a sink and with it the encoder's threads; then runs stage five for that output.
  case encode = "kfrec-encode"
  /// Reads the audio of a microphone.
  case listen = "kfrec-listen"
  /// Resamples that audio, and cuts it to the times of the frames.
  case audio = "kfrec-audio"
  /// Compiles the kernels that stage three runs.
  case compile = "kfrec-compile"
  /// Makes outputs of a batch, one after the other.
  case batch = "kfrec-batch"
  /// Watches folders for inputs of a batch.
  case watch = "kfrec-watch"
  /// Waits for the time at which a recording or a batch stops.
  case stop = "kfrec-stop"
  /// Takes the events of a window, and shows frames in it.
  case window = "kfrec-window"
  /// Decodes the audio of a player, and shows its frames when they are due.
  case play = "kfrec-play"
  /// Takes the keys of a terminal, and shows frames in it.
  case terminal = "kfrec-terminal"
  /// Reads changes of parameters.
  case control = "kfrec-control"
  /// Reads MIDI messages, which change parameters.
  case midi = "kfrec-midi"
  /// Answers the page and the other requests of --control.
  case web = "kfrec-web"
  /// Makes small pictures of the frames for that page.
  case picture = "kfrec-picture"
  /// Writes messages to standard output or standard error.
  case messages = "kfrec-messages"
  /// Takes what libraries write to standard error.
  case library = "kfrec-library"
  /// Compiles effects whose files change.
  case reload = "kfrec-reload"
}

extension WorkerThread {
  /// Starts `body` on a new thread.
  ///
  /// If several threads have the same job, the names of all after the first end with a number; they still
  /// form one `ThreadGroup`.
  public init(
    _ name: ThreadName, place: Int = 0, body: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    try self.init(name: place == 0 ? name.rawValue : "\(name.rawValue)-\(place + 1)", body: body)
  }
}
