import GPU
import ShaderCompiler

/// An effect with the resources of its uniforms and images in one kernel.
struct BoundEffect {
  let shader: EffectShader
  private let uniforms: KernelResource.Bound
  /// The resources of the effect's images, in their order.
  private let images: [KernelResource.Bound]

  /// Binds no resources, for a kernel that never runs.
  init(_ shader: EffectShader) {
    self.shader = shader
    uniforms = .nothing
    images = shader.images.map { _ in .nothing }
  }

  /// Uploads the effect's images to the GPU if they are not there yet.
  ///
  /// - Throws: `EffectError` for an image that the GPU refuses.
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

  /// Returns the uniforms as a block of this name; `spelled` says how each is called in the kernel.
  func block(
    _ name: String, spelled: (String) -> String = { $0 }
  ) -> KernelResource {
    shader.layout.resource(name: name, bound: uniforms, spelled: spelled)
  }

  /// Returns the functions that read the images; `id` and each image's index keep them apart from
  /// others in the kernel.
  func imageFragments(id: String, storage: TextureStorage) -> [KernelFragment] {
    zip(shader.images, images).enumerated().map { place, image in
      image.0.fragment(
        as: shader.glsl.imageName(image.0.name), id: "\(id)\(place)", from: image.1,
        storage: storage)
    }
  }
}
