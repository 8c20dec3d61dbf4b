import GPU
import ShaderCompiler

/// An effect with what stands behind its uniforms and images in a kernel.
struct BoundEffect {
  let shader: EffectShader
  private let uniforms: KernelResource.Bound
  /// One for each of the effect's images.
  private let images: [KernelResource.Bound]

  /// For a kernel that never runs.
  init(_ shader: EffectShader) {
    self.shader = shader
    uniforms = .nothing
    images = shader.images.map { _ in .nothing }
  }

  /// Brings the effect's images to the GPU, where they are not there yet.
  ///
  /// - Throws: `EffectError` for an image that the GPU does not take.
  init(
    _ shader: EffectShader, uniforms: KernelResource.Bound, device: Device,
    compiler: ShaderCompiler, storage: TextureStorage
  ) throws {
    self.shader = shader
    self.uniforms = uniforms
    images = try shader.images.map { use in
      do {
        return try use.image.bound(device: device, compiler: compiler, storage: storage)
      } catch let error as VulkanError {
        let lead = use.image.name.isEmpty ? "" : "\(use.image.name): "
        throw EffectError.image(of: shader.file, use.name, "\(lead)\(error)")
      }
    }
  }

  /// Its uniforms, in a block of a name.
  func block(_ name: String) -> KernelResource {
    shader.layout.resource(name: name, bound: uniforms)
  }

  /// The functions that read its images; `id` and their places tell them from others of the kernel.
  func imageFragments(id: String, storage: TextureStorage) -> [KernelFragment] {
    zip(shader.images, images).enumerated().map { place, image in
      image.0.fragment(
        as: shader.pictureName(image.0.name), id: "\(id)\(place)", from: image.1, storage: storage)
    }
  }
}
