import ALSAHandles
import Glibc

/// A microphone, or whatever else a sound card records from.
package struct MicrophoneDescription: Sendable, Equatable {
  /// What it is given to `--audio` as: ALSA's name, such as "hw:CARD=PCH,DEV=0".
  package let name: String
  /// The card and what of it ("HDA Intel PCH, ALC257 Analog").
  package let title: String
  package var driver: String?
  /// The node that is opened for it.
  package let path: String
  /// Why it cannot be used, as a sentence.
  package var problem: String?
}

/// The microphones that there are, by card.
package func listMicrophones() -> [MicrophoneDescription] {
  let known = soundCardDevices().map { device in
    MicrophoneDescription(
      name: device.name,
      title: [device.card, device.device].filter { !$0.isEmpty }.joined(separator: ", "),
      driver: device.driver, path: device.path)
  }
  // ALSA leaves out the cards that this user may not open.
  let others = captureNodes().filter { path in !known.contains { $0.path == path } }
  return known.map { microphone in
    var microphone = microphone
    microphone.problem = problem(of: microphone.path, microphone.name)
    return microphone
  }
    + others.map { path in
      let name = hardwareName(of: path) ?? path
      return MicrophoneDescription(
        name: name, title: path, path: path, problem: problem(of: path, name))
    }
}

private func problem(of path: String, _ name: String) -> String? {
  guard access(path, R_OK | W_OK) != 0, errno == EACCES else { return nil }
  let denied = ALSAError(call: "snd_pcm_open", code: EACCES)
  return "\(CaptureError(denied, microphone: name, node: path))"
}

/// "hw:1,0" of "/dev/snd/pcmC1D0c".
private func hardwareName(of path: String) -> String? {
  let numbers = path.split(whereSeparator: { !$0.isNumber })
  return numbers.count == 2 ? "hw:\(numbers[0]),\(numbers[1])" : nil
}

extension MicrophoneDescription {
  /// The microphone that is meant by what was typed, where that is part of one's title or its name.
  ///
  /// - Throws: Where that is so of more than one.
  static func named(_ text: String) throws(CaptureError) -> MicrophoneDescription? {
    let all = listMicrophones()
    if let exact = all.first(where: { $0.name == text }) { return exact }
    // ALSA's other names, and "default", are none of its hardware's.
    guard text != "default", !text.contains(":") else { return nil }
    let found = all.filter { $0.title.lowercased().contains(text.lowercased()) }
    guard found.count < 2 else {
      throw CaptureError(
        "\(text) is part of the name of more than one microphone; say which: "
          + found.map(\.name).joined(separator: ", "), isUsageError: true)
    }
    return found.first
  }
}
