import Capture
import Control
import Frames
import GPU

/// `kfrec devices`: lists the devices to record with; with a camera's name, all details of that camera.
struct DevicesCommand {
  let words: Options

  func text() throws -> String {
    if let name = words.operands.first {
      let (camera, controls) = try findCamera(named: name)
      let details = CameraDetails(camera: camera, controls: controls)
      return words.json ? jsonListing([details.object.text]) : details.text
    }
    let cameras = listCameras()
    let microphones = listMicrophones()
    let knobs = listMIDIDevices()
    // A driver that finds no GPU of its kind, alone, makes the loader fail.
    let gpus = (try? listGPUs()) ?? []
    let screen = listScreen().map(ScreenDetails.init)
    let hardware = HardwareDetails()
    if words.json {
      var objects = cameras.map { CameraDetails(camera: $0).object }
      objects += screen?.objects ?? []
      objects += microphones.map { object($0) } + knobs.map { object($0) }
      objects += gpus.map { object($0) } + hardware.objects(isVerbose: words.verbose)
      return jsonListing(objects.map(\.text))
    }
    var text = cameras.map { CameraDetails(camera: $0).summary }.joined()
    if cameras.isEmpty { text += "No camera is plugged in.\n" }
    text += screen?.text ?? ""
    text += microphones.map(describe).joined()
    if microphones.isEmpty { text += "No microphone is plugged in.\n" }
    for knob in knobs {
      text += hang("MIDI", "--midi=\(knob.port)  \(knob.name)", column: 11)
    }
    text += gpus.map(describe).joined()
    if gpus.allSatisfy({ $0.type == "cpu" }) {
      text +=
        gpus.isEmpty
        ? "No GPU: no Vulkan driver offers one (mesa-vulkan-drivers has one for every machine).\n"
        : hang("", "The processor renders, because \(SoftwareReason().text).", column: 8)
      text += hang("", visibleName(VulkanDriverFiles.usual.text), column: 8)
    }
    return text + hardware.text(isVerbose: words.verbose)
  }

  private func describe(_ gpu: GPUDescription) -> String {
    let use = gpu.suitable ? "" : "; unsuitable, lacks \(gpu.missing.joined(separator: ", "))"
    let place = gpu.pciAddress.map { ", PCI \($0)" } ?? ""
    return hang(
      "GPU \(gpu.index)",
      "\(gpu.name) (\(gpu.type)), \(gpu.driver), Vulkan \(gpu.apiVersion)\(use)", column: 8)
      + hang("", "UUID \(dashed(gpu.uuid))\(place)", column: 8)
  }

  /// A UUID as `nvidia-smi` shows it.
  private func dashed(_ digits: String) -> String {
    var (rest, parts) = (digits[...], [String]())
    for count in [8, 4, 4, 4, 12] {
      parts.append(String(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return "GPU-" + parts.joined(separator: "-")
  }

  private func describe(_ microphone: MicrophoneDescription) -> String {
    hang("Microphone", "--audio \(microphone.name)", column: 11)
      + hang("", microphone.title, column: 11)
      + (microphone.problem.map { hang("", $0, column: 11) } ?? "")
  }

  private func object(_ microphone: MicrophoneDescription) -> JSONValue {
    .object([
      ("kind", .string("microphone")),
      ("name", .string(microphone.name)),
      ("title", .string(microphone.title)),
      ("driver", .optional(microphone.driver, JSONValue.string)),
      ("path", .string(microphone.path)),
      ("problem", .optional(microphone.problem, JSONValue.string)),
    ])
  }

  private func object(_ knobs: (port: String, name: String)) -> JSONValue {
    .object([
      ("kind", .string("midi")), ("port", .string(knobs.port)), ("name", .string(knobs.name)),
    ])
  }

  private func object(_ gpu: GPUDescription) -> JSONValue {
    .object([
      ("kind", .string("gpu")),
      ("index", .int(gpu.index)),
      ("name", .string(gpu.name)),
      ("type", .string(gpu.type)),
      ("driver", .string(gpu.driver)),
      ("apiVersion", .string(gpu.apiVersion)),
      ("uuid", .string(gpu.uuid)),
      ("pciAddress", .optional(gpu.pciAddress, JSONValue.string)),
      ("suitable", .bool(gpu.suitable)),
      ("missing", .array(gpu.missing.map(JSONValue.string))),
    ])
  }
}
