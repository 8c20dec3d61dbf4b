import GPU

/// `kfrec devices`: what there is to record with.
struct DevicesCommand {
  let words: Words

  func text() throws -> String {
    let gpus = try listGPUs()
    if words.json { return jsonListing(gpus.map { object($0).text }) }
    return gpus.isEmpty
      ? "No GPU: no Vulkan driver is installed (mesa-vulkan-drivers has one for every machine).\n"
      : gpus.map(describe).joined()
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
