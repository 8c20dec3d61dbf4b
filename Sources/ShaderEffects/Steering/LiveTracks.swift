import Frames
import GPU

/// The values of an effect that is steered while it runs, as its copies share them.
///
/// The thread that runs the pipeline uses it; a thread that compiles a new version only makes it.
final class LiveTracks: @unchecked Sendable {
  // @unchecked: handed over with its effect before any use; afterwards one thread uses it.

  /// One track for each input of the file, in the file's order.
  private(set) var values: [ParameterTrack]
  private(set) var mix: ParameterTrack
  /// Whether each input, and then `mix`, was changed while the effect ran.
  private var isChanged: [Bool]

  init(values: [ParameterTrack], mix: ParameterTrack) {
    (self.values, self.mix) = (values, mix)
    isChanged = Array(repeating: false, count: values.count + 1)
  }

  /// The value that each input, and then `mix`, has in the end.
  var latest: [[Double]] {
    (values + [mix]).map { $0.keyframes[$0.keyframes.count - 1].value }
  }

  private subscript(index: Int) -> ParameterTrack {
    get { index < values.count ? values[index] : mix }
    set {
      if index < values.count { values[index] = newValue } else { mix = newValue }
      isChanged[index] = true
    }
  }

  fileprivate func change(
    _ index: Int, _ input: EffectInput, to change: ParameterChange, at clock: EffectClock
  ) {
    if input.kind == .event {
      if change.value[0] > 0 { self[index] = self[index].firing(at: clock.time) }
    } else {
      self[index] = self[index].changing(
        to: change.value, at: clock, glide: input.kind.isStepped ? .zero : change.glide)
    }
  }

  /// Takes over what was changed of an earlier version of the effect, and returns the parameters that were changed and do not
  /// exist any more, or not with that value.
  fileprivate func takeOver(
    _ earlier: LiveTracks, _ inputs: [EffectInput], from earlierInputs: [EffectInput]
  ) -> [String] {
    var lost: [String] = []
    for (index, input) in earlierInputs.enumerated() where earlier.isChanged[index] {
      let track = earlier[index]
      guard let place = inputs.lastIndex(where: { $0.name == input.name }),
        inputs[place].kind == input.kind,
        input.kind == .event || track.keyframes.allSatisfy({ inputs[place].isInRange($0.value) })
      else {
        lost.append(input.name)
        continue
      }
      self[place] = track
    }
    return lost
  }
}

extension EffectInstance {
  /// What can change of the effect while it runs.
  var steerable: SteerableEffect {
    SteerableEffect(
      name: name, tag: tag, header: shader.file.header,
      countsFromBottom: shader.glsl.quads == .fromBottom, followed: followedInput)
  }

  /// The value that each input, and then `mix`, has in the end; used by the thread that runs the pipeline.
  var latestValues: [[Double]] { live?.latest ?? [] }

  /// Changes a parameter from the time of a frame on, or of a moment since the frame before it.
  ///
  /// Used by the thread that runs the pipeline, before it renders the first frame at or after that time. False if the effect
  /// is not steered, has no such parameter, or does not allow the value.
  public func steer(_ change: ParameterChange, at clock: EffectClock) -> Bool {
    let steerable = steerable
    guard let live,
      let (index, value, _) = try? steerable.check(.numbers(change.value), for: change.parameter)
    else { return false }
    var change = change
    change.value = value
    live.change(index, steerable.inputs[index], to: change, at: clock)
    return true
  }

  /// Whether a parameter that can change is an event.
  public func isEvent(_ parameter: String) -> Bool {
    steerable.inputs.last { $0.isCalled(parameter) }?.kind == .event
  }

  /// Takes over the values that an earlier version of the effect was given while it ran, and returns the parameters that were
  /// changed and that this version does not have, or not with that value.
  ///
  /// Used by the thread that runs the pipeline. The same version changes nothing.
  public func takeOver(from earlier: EffectInstance) -> [String] {
    guard let live, let before = earlier.live, live !== before else { return [] }
    return live.takeOver(before, steerable.inputs, from: earlier.steerable.inputs)
  }
}
