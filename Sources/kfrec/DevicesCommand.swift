import Capture
import GPU

/// `kfrec devices`: what there is to record with; with a camera's name, all about that one.
struct DevicesCommand {
  let words: Words

  func text() throws -> String {
    if let name = words.operands.first {
      let (camera, controls) = try findCamera(named: name)
      let details = CameraDetails(camera: camera, controls: controls)
      return words.json ? jsonListing([details.object.text]) : details.text
    }
    let cameras = listCameras()
    let gpus = try listGPUs()
    if words.json {
      return jsonListing(
        cameras.map { CameraDetails(camera: $0).object.text } + gpus.map { object($0).text })
    }
    return
      (cameras.isEmpty
      ? "No camera is plugged in.\n"
      : cameras.map { CameraDetails(camera: $0).summary }.joined())
      + (gpus.isEmpty
        ? "No GPU: no Vulkan driver is installed (mesa-vulkan-drivers has one for every machine).\n"
        : gpus.map(describe).joined())
  }

  private func describe(_ gpu: GPUDescription) -> String {
    let use = gpu.suitable ? "" : "; unsuitable, lacks \(gpu.missing.joined(separator: ", "))"
    return hang(
      "GPU \(gpu.index)",
      "\(gpu.name) (\(gpu.type)), \(gpu.driver), Vulkan \(gpu.apiVersion)\(use)", column: 8)
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
      ("suitable", .bool(gpu.suitable)),
      ("missing", .array(gpu.missing.map(JSONValue.string))),
    ])
  }
}
