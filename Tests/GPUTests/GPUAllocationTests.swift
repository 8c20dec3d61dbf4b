import Testing

@testable import GPU

@Suite("The GPU that a scheduler gave")
struct GPUAllocationTests {
  private static func device(
    _ name: String, _ kind: DeviceFacts.Kind, pci: String? = nil, uuid: String = "",
    vendor: UInt32 = 0x10de
  ) -> DeviceFacts {
    var facts = DeviceFacts(name: name, kind: kind, apiVersion: (1, 3))
    facts.pciAddress = pci.flatMap { PCIAddress($0) }
    (facts.uuid, facts.vendor) = (uuid, vendor)
    return facts
  }

  /// Four equal cards, in an order that is not that of their PCI addresses.
  private static let cards = [
    device("llvmpipe", .cpu, uuid: "6d657361000000000000000000000000", vendor: 0x10005),
    device("H200", .discrete, pci: "0000:b0:00.0", uuid: "11112222333344445555666677778888"),
    device("H200", .discrete, pci: "0000:3b:00.0", uuid: "aaaabbbbccccddddeeeeffff00001111"),
    device("H200", .discrete, pci: "0001:01:00.0", uuid: "aaaacccc000000000000000000000000"),
    device("Radeon", .discrete, pci: "0000:05:00.0", vendor: 0x1002),
  ]

  private func chosen(
    _ environment: [String: String], among devices: [DeviceFacts] = cards, selector: String? = nil
  ) throws -> Int {
    try GPUPreference(selector: selector).choose(
      among: devices, given: GPUAllocation { environment[$0] })
  }

  @Test(
    "it is found by UUID, and by its number in the order of PCI addresses",
    arguments: [
      (["CUDA_VISIBLE_DEVICES": "0"], 2), (["CUDA_VISIBLE_DEVICES": "1,0"], 1),
      (["CUDA_VISIBLE_DEVICES": "2"], 3),
      (["CUDA_VISIBLE_DEVICES": "GPU-11112222-3333-4444-5555-666677778888"], 1),
      (["CUDA_VISIBLE_DEVICES": "GPU-aaaacccc"], 3),
      // Slurm counts all kinds of hardware.
      (["SLURM_JOB_GPUS": "0"], 4), (["SLURM_JOB_GPUS": "1"], 2), (["SLURM_JOB_GPUS": "3"], 3),
      (["SLURM_JOB_GPUS": "3", "CUDA_VISIBLE_DEVICES": "0"], 2),
      // These name no device.
      (["CUDA_VISIBLE_DEVICES": ""], 1), (["CUDA_VISIBLE_DEVICES": "NoDevFiles"], 1),
      (["CUDA_VISIBLE_DEVICES": "-1"], 1), (["CUDA_VISIBLE_DEVICES": "MIG-GPU-1/2/3"], 1),
      (["CUDA_VISIBLE_DEVICES": "NoDevFiles", "SLURM_JOB_GPUS": "0"], 4),
      ([:], 1),
    ] as [([String: String], Int)])
  func found(environment: [String: String], index: Int) throws {
    #expect(try chosen(environment) == index)
  }

  @Test("--gpu counts more than the scheduler")
  func selector() throws {
    let given = ["CUDA_VISIBLE_DEVICES": "0"]
    for (word, index) in [
      ("radeon", 4), ("1", 1), ("GPU-aaaabbbb", 2), ("gpu-AAAACCCC-0000", 3), ("01:00.0", nil),
      ("1:1:0.0", 3), ("00000000:3B:00.0", 2), ("b0:00.0", 1),
      ("11112222333344445555666677778888", 1), ("11112222-3333-4444-5555-666677778888", 1),
    ] as [(String, Int?)] {
      if let index {
        #expect(try chosen(given, selector: word) == index, "\(word)")
      } else {
        #expect(throws: VulkanError.self) { try chosen(given, selector: word) }
      }
    }
  }

  @Test("where other devices are hidden, a number that is too large means the first")
  func hidden() throws {
    let one = [Self.cards[0], Self.cards[3]]
    #expect(try chosen(["SLURM_JOB_GPUS": "3"], among: one) == 1)
    #expect(try chosen(["CUDA_VISIBLE_DEVICES": "3"], among: one) == 1)
  }

  @Test("one that Vulkan does not show is an error, unless there is no such hardware at all")
  func missing() throws {
    for environment in [
      ["CUDA_VISIBLE_DEVICES": "3"], ["CUDA_VISIBLE_DEVICES": "GPU-ffff0000"],
      ["SLURM_JOB_GPUS": "7"],
    ] {
      let error = #expect(throws: VulkanError.self) { try chosen(environment) }
      #expect(error?.description.contains(environment.values.first ?? "?") == true)
      #expect(try chosen(environment, among: [Self.cards[0]]) == 0)
    }
    #expect(try chosen(["CUDA_VISIBLE_DEVICES": "5"], among: [Self.cards[4]]) == 0)
  }

  @Test("a software driver is an error if hardware is required, and no other choice changes that")
  func required() throws {
    let software = [Self.cards[0]]
    for selector in [nil, "0", "llvmpipe"] {
      let preference = GPUPreference(selector: selector, requiresHardware: true)
      let error = #expect(throws: VulkanError.self) { try preference.choose(among: software) }
      #expect(error?.description.contains("no hardware GPU") == true)
    }
    let preference = GPUPreference(requiresHardware: true)
    #expect(try preference.choose(among: Self.cards) == 1)
    var old = Self.cards[4]
    old.apiVersion = (1, 1)
    let unsuitable = #expect(throws: VulkanError.self) {
      try preference.choose(among: [Self.cards[0], old])
    }
    #expect(unsuitable?.description.contains("Radeon cannot run effects") == true)
  }

  @Test("PCI addresses are read as lspci and nvidia-smi write them, and nothing else is")
  func addresses() {
    #expect(PCIAddress("3b:00.0")?.description == "0000:3b:00.0")
    #expect(PCIAddress("00000001:0A:1f.7")?.description == "0001:0a:1f.7")
    for word in [
      "", "3b", "3b:00", "3b:00.8", "3b:20.0", "100:00.0", "a:b:c:d.0", "+3:00.0", "x:0.0",
    ] {
      #expect(PCIAddress(word) == nil, "\(word)")
    }
  }
}
