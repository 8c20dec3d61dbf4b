import Settings

extension Options {
  /// Throws if something else would read from the terminal in which frames are shown, or write objects to it.
  func checkTerminal() throws(CommandLineError) {
    if controls.contains(.standardInput), StandardStream.input.isTerminal {
      throw CommandLineError(
        "--control - and the keys of --preview both read the terminal; give the lines through a pipe, or leave "
          + "one out")
    }
    let hasObjects = progress == .json || progress == .openjd
    let stream = writesToStandardOutput ? StandardStream.error : .output
    if hasObjects, stream.isTerminal {
      throw CommandLineError(
        "--progress would write into the picture of --preview in the terminal; send its output to a file or a "
          + "pipe")
    }
  }
}
