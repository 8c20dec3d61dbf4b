/// What an effect makes a picture of.
package enum EffectRole: String, Sendable, Encodable {
  /// Of the picture that it is given.
  case filter
  /// Of nothing.
  case generator
  /// Of two, on the way from one to the other.
  case transition
}

extension EffectFile {
  var role: EffectRole {
    if let foreignHeader { return foreignHeader.role }
    if header.isGenerator { return .generator }
    let images = header.inputs.filter { $0.kind == .image }.map(\.name)
    return Set(images).isSuperset(of: ISFHeader.transitionNames) ? .transition : .filter
  }
}
