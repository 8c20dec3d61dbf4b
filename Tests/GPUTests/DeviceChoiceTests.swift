import CVulkan
import Testing

@testable import GPU

@Suite("The choice of GPU and memory type")
struct DeviceChoiceTests {
  private static func device(
    _ name: String, _ kind: DeviceFacts.Kind, version: (Int, Int) = (1, 3)
  ) -> DeviceFacts {
    DeviceFacts(name: name, kind: kind, apiVersion: version)
  }

  private static let several = [
    device("llvmpipe (LLVM 15)", .cpu), device("Intel UHD 630", .integrated),
    device("Old Radeon", .discrete, version: (1, 1)), device("GeForce RTX 3060", .discrete),
    device("GeForce RTX 3070", .discrete),
  ]

  @Test("the best suitable kind of GPU is chosen, the first of equals")
  func best() throws {
    #expect(try GPUPreference().choose(among: Self.several) == 3)
    #expect(try GPUPreference().choose(among: Array(Self.several.prefix(3))) == 1)
    #expect(try GPUPreference().choose(among: Array(Self.several.prefix(1))) == 0)
    let kinds: [DeviceFacts.Kind] = [.cpu, .other, .virtual, .integrated, .discrete]
    for count in 1...kinds.count {
      let devices = kinds.prefix(count).map { Self.device($0.name, $0) }
      #expect(try GPUPreference().choose(among: devices) == count - 1)
    }
  }

  @Test("a GPU is requested by number or by part of its name")
  func selector() throws {
    for (selector, index) in [
      ("0", 0), ("4", 4), ("llvmpipe", 0), ("INTEL", 1), ("3070", 4), ("geforce", 3), ("630", 1),
    ] {
      #expect(try GPUPreference(selector: selector).choose(among: Self.several) == index)
    }
  }

  @Test("a GPU that cannot be chosen is refused by name, with a list of those present")
  func refusals() {
    let unknown = #expect(throws: VulkanError.self) {
      try GPUPreference(selector: "Voodoo").choose(among: Self.several)
    }
    #expect(unknown?.description.contains("\"Voodoo\"") == true)
    #expect(unknown?.description.contains("1 (Intel UHD 630)") == true)
    #expect(throws: VulkanError.self) {
      try GPUPreference(selector: "5").choose(among: Self.several)
    }
    let old = #expect(throws: VulkanError.self) {
      try GPUPreference(selector: "radeon").choose(among: Self.several)
    }
    #expect(old?.description.contains("Vulkan 1.2 (it has 1.1)") == true)
    let none = #expect(throws: VulkanError.self) {
      try GPUPreference().choose(among: [])
    }
    #expect(none?.description == VulkanError.noDriver.description)
    let unsuitable = #expect(throws: VulkanError.self) {
      try GPUPreference().choose(among: [Self.several[2]])
    }
    #expect(unsuitable?.description.contains("Old Radeon") == true)
  }

  @Test("everything that a device lacks is named, and nothing else")
  func missing() {
    let good = Self.device("good", .discrete, version: (1, 2))
    #expect(good.missing.isEmpty)
    let lacks: [((inout DeviceFacts) -> Void, String)] = [
      ({ $0.apiVersion = (1, 1) }, "Vulkan 1.2"), ({ $0.hasComputeQueue = false }, "compute queue"),
      ({ $0.storesHalfFloatImages = false }, "float"),
      ({ $0.samplesIntegerImages = false }, "integer images"),
      ({ $0.maxImageDimension = 4095 }, "4095"), ({ $0.maxWorkGroupInvocations = 64 }, "128"),
      ({ $0.hasHostVisibleMemory = false }, "memory"),
    ]
    for (change, word) in lacks {
      var device = good
      change(&device)
      #expect(device.missing.count == 1 && device.missing[0].contains(word))
    }
  }

  @Test("memory comes from the type that suits its use")
  func memory() {
    let local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT.rawValue
    let visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT.rawValue
    let coherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT.rawValue
    let cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT.rawValue
    // The memory types of a discrete GPU's driver.
    let discrete = [
      0, local, visible | coherent, visible | coherent | cached, local | visible | coherent,
    ]
    #expect(MemoryUse.device.memoryType(types: discrete, allowed: 0b11111) == 1)
    #expect(MemoryUse.upload.memoryType(types: discrete, allowed: 0b11111) == 2)
    #expect(MemoryUse.readback.memoryType(types: discrete, allowed: 0b11111) == 3)
    // The requirements exclude the best type.
    #expect(MemoryUse.readback.memoryType(types: discrete, allowed: 0b10111) == 2)
    #expect(MemoryUse.device.memoryType(types: discrete, allowed: 0b01101) == 0)
    #expect(MemoryUse.upload.memoryType(types: discrete, allowed: 0b00011) == nil)
    #expect(MemoryUse.readback.memoryType(types: discrete, allowed: 0b00011) == nil)
    // The memory types of a phone: cached without coherence is better than uncached.
    let mobile = [local | visible | coherent, local | visible | cached]
    #expect(MemoryUse.readback.memoryType(types: mobile, allowed: 0b11) == 1)
    #expect(MemoryUse.upload.memoryType(types: mobile, allowed: 0b11) == 0)
    // The only memory type of the software driver.
    let software = [local | visible | coherent | cached]
    for use in [MemoryUse.device, .upload, .readback] {
      #expect(use.memoryType(types: software, allowed: 1) == 0)
    }
  }
}
