package import Frames
package import Settings

/// What changes parameters of effects while a recording runs.
package struct ControlSettings: Sendable {
  package var ways: [ControlWay] = []
  /// `any`, or the name or the path of a MIDI device.
  package var midi: String?
  package var midiMap: String?
  /// A numeric address.
  package var address: String?
  package var token: String?
  /// Nothing but the page shows the frames.
  package var noWindow = false
  /// In milliseconds.
  package var glide: Int?

  package init() {}

  /// The glide of changes that say none, in seconds.
  package var glideTime: Rational { Rational(Int64(glide ?? 0), 1000) }

  /// The ports at which there is a page.
  package var ports: [Int] {
    ways.compactMap { if case .port(let port) = $0 { port } else { nil } }
  }

  package static let options: [OptionRow<ControlSettings>] = [
    .list(
      "control", taking: .control, into: \.ways, in: .control, of: [.record, .preview, .play],
      traits: .live,
      help: "Change parameters of effects while recording",
      details: """
        - reads lines from standard input: effect 1 amount 0.5 gives the parameter amount of the first effect of the \
        chain a new value, from the next frame on. So do effect 1 center 0.5 0.25, effect vignette mix 0, and \
        amount,0.5 for the first effect that has the parameter. effect 1 amount 0.5 glide 200 takes 200 milliseconds to \
        get there, and glide 200 is for all lines that follow. A number is a port of this machine. A browser shows a page \
        there with the live picture, the chain of effects and a control for each parameter; OSCQuery clients read all \
        parameters; and the UDP port of this number takes Open Sound \
        Control: /effect/1/amount 0.5, /amount 0.5, /glide 200. What cannot be understood is reported, and the \
        recording continues, also after standard input ends. Repeat --control for both. Images, and parameters that decide how large an effect's images \
        are, cannot change. docs/control.md is the manual.
        """),
    .value(
      "midi", ifAlone: "any",
      taking: .text("DEVICE", expected: "any, or the name or the path of a MIDI device"),
      into: \.midi,
      in: .control, of: [.record, .preview, .play], traits: .live,
      help: "Change parameters of effects by knobs and keys of MIDI devices",
      details: """
        Through ALSA's sequencer, where kfrec is the port kfrec. Without DEVICE all MIDI hardware is connected, also \
        what is plugged in later, and other programs may be (aconnect). DEVICE is client:port or a part of a name, or \
        the path of a raw MIDI device, a FIFO or a file. A device that goes away is waited for. What a knob changes is \
        in the map of --midi-map, or learned in a window: m, then move the knob.
        """),
    .value(
      "midi-map", taking: .file(), into: \.midiMap, in: .control, of: [.record, .preview, .play],
      traits: .live,
      help: "What MIDI knobs and keys change",
      details: """
        Lines such as cc 1/21 -> effect 1 amount (channel 1, controller 21), with the values of the two ends behind \
        them if needed, and note 10/36 -> effect bloom flash. What is learned in a window is added, to an existing file \
        only with -y. Default: kfrec/midi.map in XDG_CONFIG_HOME or ~/.config. docs/control.md is the manual.
        """),
    .value(
      "control-bind", taking: .address, into: \.address, in: .control,
      of: [.record, .preview, .play], traits: .live,
      help: "Let other machines reach the page at this address of this machine",
      details: """
        Default: 127.0.0.1, which only this machine reaches. 0.0.0.0 stands for all addresses. At an address that \
        other machines can reach the page needs a token, which kfrec prints with the page's address. The connection is \
        not encrypted. Open Sound Control has no token, and always stays on 127.0.0.1.
        """),
    .value(
      "control-token", taking: .token, into: \.token, in: .control,
      of: [.record, .preview, .play], traits: .live,
      help: "The token that the page needs, instead of a random one",
      details: """
        8 to 128 letters, digits, - . _ or ~. At an address that only this machine reaches, such as 127.0.0.1, the \
        page needs a token only if this option is given. \
        Other users of this machine can read the command line.
        """),
    .flag(
      "no-window", in: .control, of: [.preview], traits: .live,
      help: "Open no window: only the page of --control shows the frames",
      details: "For a machine without a display. Movies and stills are saved in the current folder."
    ) { $0.noWindow = true },
    .value(
      "glide", taking: .number("MS", in: 0...ControlCommand.longestGlide), into: \.glide,
      in: .control, of: [.record, .preview, .play],
      help: "Ramp changes of parameters over this many milliseconds",
      details:
        "Default: 0. Each change then acts at once. A switch or a menu always changes at once."),
  ]
}

/// A way in which parameters are changed while a recording runs.
package enum ControlWay: Sendable, Equatable {
  case standardInput
  /// Open Sound Control at the UDP port of this number, and the page at the TCP port.
  case port(Int)

  /// As it is typed.
  package var word: String {
    switch self {
    case .standardInput: "-"
    case .port(let port): "\(port)"
    }
  }
}

extension ValueGrammar where Value == ControlWay {
  fileprivate static var control: ValueGrammar {
    ValueGrammar(
      name: "WHERE",
      expected: "- for standard input, or a port from 1 to 65535 for the page and OSC"
    ) { word in
      if word == "-" { return .standardInput }
      let isNumber = (1...5).contains(word.utf8.count) && word.utf8.allSatisfy { 48...57 ~= $0 }
      guard isNumber, let port = Int(word), (1...65535).contains(port) else { return nil }
      return .port(port)
    }
  }
}

extension ValueGrammar where Value == String {
  fileprivate static var address: ValueGrammar {
    ValueGrammar(name: "ADDRESS", expected: "a numeric address such as 0.0.0.0 or 192.168.1.5") {
      NumericAddress($0) == nil ? nil : $0
    }
  }

  /// Characters that need no escape in a URL or a cookie.
  fileprivate static var token: ValueGrammar {
    ValueGrammar(name: "TOKEN", expected: "8 to 128 letters, digits, - . _ or ~") { word in
      let isPlain = word.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII
          && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
      }
      return isPlain && (8...128).contains(word.utf8.count) ? word : nil
    }
  }
}
