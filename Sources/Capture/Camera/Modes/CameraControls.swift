import CV4L2
import Frames
import V4L2Handles

/// A setting that a camera offers, such as exposure, white balance or focus.
public struct CameraControl: Sendable {
  public enum Kind: Sendable, Hashable {
    case number, flag, button
    /// The names of the choices, by number.
    case menu([Int32: String])
    /// A value that is not a 32-bit number: text, a list, 64 bits; kfrec does not set it.
    case other
  }

  let id: UInt32
  /// The name as users type it: "exposure_time_absolute".
  public let name: String
  public let kind: Kind
  public let minimum: Int32
  public let maximum: Int32
  public let step: Int32
  public let usual: Int32
  /// The current value; nil if it cannot be read.
  public var value: Int32?
  public let isReadOnly: Bool
  /// Whether the control has no effect until another one is set.
  public let isInactive: Bool
}

extension VideoDevice {
  /// Returns the device's controls, in the driver's order.
  func controls() -> [CameraControl] {
    var controls: [CameraControl] = []
    var question = v4l2_queryctrl()
    question.id = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
    while kf_queryctrl(descriptor, &question) == 0, controls.count < 1000 {
      if let control = control(question) { controls.append(control) }
      question.id |= UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
    }
    return controls
  }

  private func control(_ answer: v4l2_queryctrl) -> CameraControl? {
    func has(_ flag: Int32) -> Bool { answer.flags & UInt32(flag) != 0 }
    let kind: CameraControl.Kind
    switch v4l2_ctrl_type(answer.type) {
    case V4L2_CTRL_TYPE_CTRL_CLASS: return nil
    case V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_BITMASK: kind = .number
    case V4L2_CTRL_TYPE_BOOLEAN: kind = .flag
    case V4L2_CTRL_TYPE_BUTTON: kind = .button
    case V4L2_CTRL_TYPE_MENU: kind = .menu(choices(of: answer, areNumbers: false))
    case V4L2_CTRL_TYPE_INTEGER_MENU: kind = .menu(choices(of: answer, areNumbers: true))
    default: kind = .other
    }
    guard !has(V4L2_CTRL_FLAG_DISABLED) else { return nil }
    var current = v4l2_control()
    current.id = answer.id
    let isReadable =
      kind != .other && !has(V4L2_CTRL_FLAG_WRITE_ONLY) && kf_g_ctrl(descriptor, &current) == 0
    return CameraControl(
      id: answer.id, name: CameraControl.typed(text(of: answer.name)), kind: kind,
      minimum: answer.minimum, maximum: answer.maximum, step: answer.step,
      usual: answer.default_value, value: isReadable ? current.value : nil,
      isReadOnly: has(V4L2_CTRL_FLAG_READ_ONLY), isInactive: has(V4L2_CTRL_FLAG_INACTIVE))
  }

  private func choices(of answer: v4l2_queryctrl, areNumbers: Bool) -> [Int32: String] {
    var choices: [Int32: String] = [:]
    guard answer.minimum <= answer.maximum, answer.maximum < 1000 else { return choices }
    for index in max(answer.minimum, 0)...max(answer.maximum, 0) {
      var item = v4l2_querymenu()
      item.id = answer.id
      item.index = UInt32(index)
      // Menus may have gaps.
      guard kf_querymenu(descriptor, &item) == 0 else { continue }
      choices[index] = areNumbers ? "\(item.value)" : text(of: item.name)
    }
    return choices
  }

  /// Sets a control from a typed name and value.
  func set(control typed: String, to value: String, name camera: String) throws(CaptureError) {
    let control = try CameraControl.named(typed, among: controls(), of: camera)
    var setting = v4l2_control()
    setting.id = control.id
    setting.value = try control.number(of: value)
    let result = kf_s_ctrl(descriptor, &setting)
    guard result < 0 else { return }
    let error = V4L2Error(call: "VIDIOC_S_CTRL", code: -result)
    throw CaptureError(
      control.isInactive
        ? """
        \(camera) does not set \(control.name) while an automatic control sets it; turn the automatic \
        control off first
        """
        : "\(camera) does not set \(control.name) to \(value): \(error.reason)")
  }
}

extension CameraControl {
  /// Converts a name to lowercase letters, digits and single underscores, as v4l2-ctl writes names.
  static func typed(_ name: String) -> String {
    let words = name.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return words.joined(separator: "_")
  }

  /// Finds the control with a name, or the only control whose name contains it.
  static func named(
    _ name: String, among controls: [CameraControl], of camera: String
  ) throws(CaptureError) -> CameraControl {
    let wanted = typed(name)
    if let exact = controls.first(where: { $0.name == wanted }) { return exact }
    let similar = wanted.isEmpty ? [] : controls.filter { $0.name.contains(wanted) }
    if similar.count == 1 { return similar[0] }
    let names = (similar.isEmpty ? controls : similar).map(\.name)
    throw CaptureError(
      similar.isEmpty
        ? "\(camera) has no control \(name); it has \(names.joined(separator: ", "))"
        : "\(camera) has more than one control \(name); say which: \(names.joined(separator: ", "))",
      isUsageError: true)
  }

  /// Returns the number for a typed value.
  func number(of text: String) throws(CaptureError) -> Int32 {
    let number = Int32(text)
    switch kind {
    case .flag:
      if ["on", "true", "yes", "1"].contains(text.lowercased()) { return 1 }
      if ["off", "false", "no", "0"].contains(text.lowercased()) { return 0 }
    case .button: return 1
    case .menu(let choices):
      if let choice = choices.first(where: { $0.value.lowercased() == text.lowercased() }) {
        return choice.key
      }
      if let number, choices[number] != nil { return number }
    case .number:
      if let number, number >= minimum, minimum > maximum || number <= maximum { return number }
    case .other: break
    }
    throw CaptureError("--camera-control \(name) takes \(range), not \(text)", isUsageError: true)
  }

  /// The allowed values, in words.
  public var range: String {
    switch kind {
    case .flag: "on or off"
    case .button: "any word, which presses it"
    case .menu(let choices):
      choices.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
    case .number:
      "\(minimum) to \(maximum)" + (step > 1 ? " in steps of \(step)" : "")
    case .other: "nothing that kfrec can set"
    }
  }
}
