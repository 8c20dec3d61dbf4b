/// A part of a kernel: GLSL, and the resources that it is bound to.
///
/// The text knows its resources by their names alone. The number that each is bound at is given where
/// the fragments are put together, in `KernelSource.assembled`.
package struct KernelFragment: Sendable {
  /// What it does, in a short word for people; empty for what only serves other fragments.
  package var name: String
  /// Declared before the text, in this order.
  package var resources: [KernelResource]
  package var glsl: String

  /// What it adds to the bindings of a kernel.
  package var bindings: [BindingKind] { resources.map(\.kind) }

  package init(_ glsl: String, name: String = "", resources: [KernelResource] = []) {
    self.name = name
    self.resources = resources
    self.glsl = glsl
  }
}

/// An image or a buffer that a fragment is bound to: how it is declared, and what it is when the kernel
/// runs.
package struct KernelResource: Sendable {
  /// What a declaration stands for.
  package enum Bound: @unchecked Sendable {
    // @unchecked: only the thread that makes and records kernels looks at the objects.

    /// Nothing: the kernel is compiled and never runs.
    case nothing
    /// The same for every frame.
    case always(DescriptorSet.Resource)
    /// One for each frame in flight.
    case slots([DescriptorSet.Resource])
    /// What is told when a frame is recorded.
    case told
  }

  package let kind: BindingKind
  let bound: Bound
  /// Layout qualifiers besides the binding, such as `std430`.
  private let qualifier: String?
  /// What follows the layout, without the semicolon.
  private let declaration: String

  package init(
    _ kind: BindingKind, _ declaration: String, qualifier: String? = nil, bound: Bound
  ) {
    self.kind = kind
    self.declaration = declaration
    self.qualifier = qualifier
    self.bound = bound
  }

  /// The declaration, with the number that it is bound at.
  func glsl(binding: Int) -> String {
    let qualifiers = ["set = 0", "binding = \(binding)"] + [qualifier].compactMap(\.self)
    return "layout(\(qualifiers.joined(separator: ", "))) \(declaration);"
  }

  /// What a slot is bound to; nil for what is told later.
  func resource(ofSlot slot: Int) -> DescriptorSet.Resource? {
    switch bound {
    case .always(let resource): return resource
    case .slots(let resources): return resources[slot]
    case .told: return nil
    case .nothing: preconditionFailure("a kernel that runs is bound to all that it declares")
    }
  }

  /// It is told when a frame is recorded.
  var isTold: Bool { if case .told = bound { true } else { false } }
}
