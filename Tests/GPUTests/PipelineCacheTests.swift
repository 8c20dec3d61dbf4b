import CVulkan
import DiskCache
import ShaderCompiler
import TestSupport
import Testing

@testable import GPU

/// Returns a driver's cache header, byte by byte as in the Vulkan specification's
/// VkPipelineCacheHeaderVersionOne.
private func header(length: UInt8 = 32, version: UInt8 = 1) -> [UInt8] {
  [length, 0, 0, 0, version, 0, 0, 0, 0xde, 0x10, 0, 0, 0x35, 0x23, 0, 0] + Array(1...16)
}

@Suite struct PipelineCacheIdentityTests {
  private let identity: PipelineCacheIdentity

  init() {
    var properties = VkPhysicalDeviceProperties()
    properties.vendorID = 0x10de
    properties.deviceID = 0x2335
    properties.driverVersion = 0xabc
    withUnsafeMutableBytes(of: &properties.pipelineCacheUUID) { $0.copyBytes(from: 1...16) }
    identity = PipelineCacheIdentity(properties)
  }

  @Test("Data with the driver's own header is accepted, with and without data after it")
  func own() {
    #expect(identity.matches(header()))
    #expect(identity.matches(header() + [UInt8](repeating: 7, count: 5000)))
  }

  @Test("Data with another byte in its header, or a short one, is refused", arguments: 0..<32)
  func other(place: Int) {
    var data = header()
    data[place] ^= 0x80
    #expect(!identity.matches(data))
    #expect(!identity.matches(Array(header()[..<place])))
  }

  @Test("The file's name differs between drivers' compilers")
  func fileName() {
    #expect(identity.fileName == "10de-2335-abc-0102030405060708090a0b0c0d0e0f10")
  }
}

extension OnDevice.OfTheirOwn {
  @Suite struct PipelineCacheTests {
    private let folder: TemporaryFolder
    private let disk: DiskCache
    private let spirv: SPIRV

    init() throws {
      folder = try TemporaryFolder()
      disk = DiskCache(folder: folder.file("pipelines"))
      spirv = try OnDevice.compiler().compile(
        source: "layout(local_size_x = 8) in;\nvoid main() {}\n", name: "a.comp")
    }

    /// Makes a kernel as a new run would; returns the data that the driver was given and the entry's
    /// name.
    private func run() throws -> (loaded: [UInt8], name: String) {
      let device = try Device(cache: disk)
      #expect(device.pipelines.handle != nil)
      _ = try ComputePipeline(device: device, spirv: spirv, bindings: [])
      let name = PipelineCacheIdentity(device.physical.properties).fileName
      return (device.pipelines.loaded, name)
    }

    private func kept(_ name: String) -> [UInt8]? { disk.parts(of: name)?.first.map { Array($0) } }

    @Test("The driver's data of one run is given to it in the next")
    func twoRuns() throws {
      let first = try run()
      #expect(first.loaded.isEmpty)
      #expect(namesInFolder(folder.file("pipelines")) == [first.name])
      let data = try #require(kept(first.name))
      #expect(data.count >= 32)
      #expect(try run().loaded == data)
    }

    @Test("Data of another driver, or data that is too large, is not given to the driver")
    func refused() throws {
      let name = try run().name
      let good = try #require(kept(name))
      var foreign = good
      foreign[16] ^= 0xff
      let large = good + [UInt8](repeating: 0, count: PipelineCache.dataLimit)
      for data in [foreign, large, [], Array("hello".utf8)] {
        disk.keep([data], as: name)
        #expect(kept(name) == data)
        #expect(try run().loaded.isEmpty)
        #expect(kept(name)?.prefix(32) == good.prefix(32), "replaced by the driver's own")
      }
      disk.keep([], as: name)
      #expect(try run().loaded.isEmpty)
    }

    @Test("Without a folder there is no cache, and kernels are still made")
    func none() throws {
      let device = try Device()
      #expect(device.pipelines.handle == nil)
      _ = try ComputePipeline(device: device, spirv: spirv, bindings: [])
    }
  }
}
