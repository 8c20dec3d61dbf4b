import Frames
package import Settings

extension Recording {
  /// How inputs follow each other.
  package static let clipOptions: [OptionRow<Recording>] = [
    .value(
      "overlap", taking: .times, into: \.overlaps, in: .input, of: [.record, .preview],
      help: "The length of the transition between two inputs",
      details: """
        Default: 1 second. The next input starts this long before the input before it ends. \
        With more than two inputs the value is used for each pair; a list such as 1,0,2 gives one value for each \
        pair. 0 makes a cut.
        """)
  ]
}

extension Recording {
  /// What is recorded beside the source.
  package static let microphoneOptions: [OptionRow<Recording>] = [
    .value(
      "audio", taking: .text("MICROPHONE", .microphone, expected: "default or a microphone's name"),
      into: \.microphone,
      in: .camera, of: [.record], help: "Record audio with the camera or the screen",
      details: """
        default is the microphone that the system has chosen, and monitor is what the speakers play. kfrec devices lists the others; give the ALSA name \
        (hw:CARD=PCH,DEV=0) or part of the name of the card. Audio and video stay in sync even if the clock of \
        the microphone is wrong; kfrec measures its error and prints it at the end. Without this option no audio is \
        recorded.
        """)
  ]
}
