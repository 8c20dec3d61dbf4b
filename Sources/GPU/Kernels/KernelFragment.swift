/// A part of a kernel: GLSL, and the resources that it uses.
///
/// The text refers to its resources by name only. `KernelSource.assembled`, which joins the fragments,
/// gives each resource its binding number.
public struct KernelFragment: Sendable {
  /// A short name for messages; empty for a fragment that only serves other fragments.
  public var name: String
  /// The resources, declared before the text in this order.
  public var resources: [KernelResource]
  public var glsl: String

  /// The kinds of the bindings that the fragment adds to a kernel.
  public var bindings: [BindingKind] { resources.map(\.kind) }

  public init(_ glsl: String, name: String = "", resources: [KernelResource] = []) {
    self.name = name
    self.resources = resources
    self.glsl = glsl
  }
}

/// An image or a buffer that a fragment uses: its declaration, and what is bound to it when the kernel
/// runs.
public struct KernelResource: Sendable {
  /// The resource behind a declaration.
  public enum Bound: @unchecked Sendable {
    // @unchecked: only the thread that makes and records kernels uses the objects.

    /// Nothing: the kernel is compiled but never runs.
    case nothing
    /// The same resource for every frame.
    case always(DescriptorSet.Resource)
    /// One resource for each frame in flight.
    case slots([DescriptorSet.Resource])
    /// A resource that is passed when a frame is recorded.
    case passed
  }

  public let kind: BindingKind
  let bound: Bound
  /// Layout qualifiers besides the binding, such as `std430`.
  private let qualifier: String?
  /// The declaration after the layout, without the semicolon.
  private let declaration: String

  public init(
    _ kind: BindingKind, _ declaration: String, qualifier: String? = nil, bound: Bound
  ) {
    self.kind = kind
    self.declaration = declaration
    self.qualifier = qualifier
    self.bound = bound
  }

  /// The declaration with its binding number.
  func glsl(binding: Int) -> String {
    let qualifiers = ["set = 0", "binding = \(binding)"] + [qualifier].compactMap(\.self)
    return "layout(\(qualifiers.joined(separator: ", "))) \(declaration);"
  }

  /// The resource of a slot; nil if it is passed when a frame is recorded.
  func resource(ofSlot slot: Int) -> DescriptorSet.Resource? {
    switch bound {
    case .always(let resource): return resource
    case .slots(let resources): return resources[slot]
    case .passed: return nil
    case .nothing: preconditionFailure("a kernel that runs is bound to all that it declares")
    }
  }

  /// Whether the resource is passed when a frame is recorded.
  var isPassed: Bool { if case .passed = bound { true } else { false } }
}
