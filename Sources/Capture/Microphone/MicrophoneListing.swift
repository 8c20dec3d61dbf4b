import ALSAHandles
import Glibc

/// A microphone, or another input of a sound card.
public struct MicrophoneDescription: Sendable, Equatable {
  /// The value for `--audio`: ALSA's name, such as "hw:CARD=PCH,DEV=0".
  public let name: String
  /// The card and its device ("HDA Intel PCH, ALC257 Analog").
  public let title: String
  public var driver: String?
  /// The path of the device node that is opened.
  public let path: String
  /// Why the microphone cannot be used, as a sentence.
  public var problem: String?
}

/// Returns the available microphones, by card.
public func listMicrophones() -> [MicrophoneDescription] {
  let known = soundCardDevices().map { device in
    MicrophoneDescription(
      name: device.name,
      title: [device.card, device.device].filter { !$0.isEmpty }.joined(separator: ", "),
      driver: device.driver, path: device.path)
  }
  // ALSA omits the cards that this user may not open.
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

/// Returns "hw:1,0" for "/dev/snd/pcmC1D0c".
private func hardwareName(of path: String) -> String? {
  let numbers = path.split(whereSeparator: { !$0.isNumber })
  return numbers.count == 2 ? "hw:\(numbers[0]),\(numbers[1])" : nil
}

extension MicrophoneDescription {
  /// Finds the microphone with this name, or the only one whose title contains the text; nil if there is none.
  static func named(_ text: String) throws(CaptureError) -> MicrophoneDescription? {
    let all = listMicrophones()
    if let exact = all.first(where: { $0.name == text }) { return exact }
    // ALSA's other names, and "default", are not names of hardware.
    guard text != "default", text != CapturePCM.monitor, !text.contains(":") else { return nil }
    let found = all.filter { $0.title.lowercased().contains(text.lowercased()) }
    guard found.count < 2 else {
      throw CaptureError(
        "\(text) is part of the name of more than one microphone; say which: "
          + found.map(\.name).joined(separator: ", "), isUsageError: true)
    }
    return found.first
  }
}
