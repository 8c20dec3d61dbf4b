import Render
import ShaderEffects

extension LineJoin {
  /// The chain's one transition.
  ///
  /// - Throws: A usage error where there is none, more than one, or one that has a picture already.
  static func transition(of effects: [CompiledEffect]) throws(RecorderError) -> Int {
    let places = effects.indices.filter { effects[$0].isTransition }
    guard let place = places.first else {
      throw RecorderError(
        "two inputs need an effect that leads from one to the other; name a transition with -e, such as "
          + "-e crossfade", isUsageError: true)
    }
    guard places.count == 1 else {
      throw RecorderError(
        "'\(effects[place].name)' and '\(effects[places[1]].name)' are both transitions; "
          + "two inputs take one", isUsageError: true)
    }
    guard effects[place].missingImages.contains(imageName) else {
      throw RecorderError(
        "the second input is \(imageName) of '\(effects[place].name)'; leave out \(imageName)= or "
          + "the second -i", isUsageError: true)
    }
    return place
  }

  /// - Throws: A usage error for a transition that has nothing to lead to, as there is one input.
  static func checkPictures(of effects: [CompiledEffect]) throws(RecorderError) {
    for effect in effects
    where effect.isTransition && effect.missingImages.contains(imageName) {
      throw RecorderError(
        "effect '\(effect.name)' leads from one input to another; give a second -i, or a picture "
          + "with \(imageName)=FILE", isUsageError: true)
    }
  }
}
