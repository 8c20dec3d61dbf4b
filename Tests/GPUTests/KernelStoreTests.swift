import ShaderCompiler
import Testing

@testable import GPU

extension OnDevice.OfTheirOwn {
  @Suite("Kernels that recordings share") struct KernelStoreTests {
    init() throws { _ = try OnDevice.device() }

    private func module(_ size: Int) throws -> SPIRV {
      try OnDevice.compiler().compile(
        source: "layout(local_size_x = \(size)) in;\nvoid main() {}\n", name: "a.comp")
    }

    @Test("A module is made into a kernel once, as long as somebody keeps the store")
    func once() throws {
      let device = try Device()
      let (spirv, other) = (try module(8), try module(16))
      #expect(try device.kernel(spirv, bindings: []) !== device.kernel(spirv, bindings: []))
      weak var kernel: ComputePipeline?
      do {
        let store = KernelStore()
        device.use(store)
        let first = try device.kernel(spirv, bindings: [])
        kernel = first
        #expect(try device.kernel(spirv, bindings: []) === first)
        #expect(try device.kernel(other, bindings: []) !== first)
        #expect(try device.kernel(spirv, bindings: [.uniformBuffer]) !== first)
      }
      #expect(kernel == nil)
      #expect(try device.kernel(spirv, bindings: []) !== device.kernel(spirv, bindings: []))
    }

    @Test("A store does not grow without end, and its end releases the device")
    func limits() throws {
      weak var released: Device?
      do {
        let (device, store) = (try Device(), KernelStore())
        released = device
        device.use(store)
        weak var first: ComputePipeline?
        first = try device.kernel(try module(1), bindings: [])
        #expect(first != nil)
        for size in 2...65 { _ = try device.kernel(try module(size), bindings: []) }
        #expect(first == nil)
        withExtendedLifetime(store) {}
      }
      #expect(released == nil)
    }
  }
}
