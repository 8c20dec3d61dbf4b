import Encode
import Frames
import ShaderEffects

/// Changes the parameters of a recording's effects while it runs.
///
/// Changes come from the cues of an automation and from the inbox, and what acts is written down.
/// Used by the GPU thread.
final class EffectSteering {
  private let inbox: ParameterInbox?
  private let cues: [Automation.Cue]
  private var next = 0
  /// Where changes are written as they act; nil if they are not kept.
  private let log: Handover<LineFile>?
  private let notify: (Notice) -> Void
  /// The parameters of cues that the effects do not have any more, by effect and name.
  private var lost: Set<[String]> = []

  init(
    inbox: ParameterInbox?, automation: Automation?, log: Handover<LineFile>?,
    notify: @escaping (Notice) -> Void
  ) {
    (self.inbox, self.log, self.notify) = (inbox, log, notify)
    cues = automation?.cues ?? []
  }

  /// Makes everything act that is due for a frame; allocates nothing if nothing is.
  ///
  /// A cue acts from its own time on, which may be before the frame's, and a value from the inbox from the
  /// frame's time on. So a replay gives each parameter the track that it had.
  func act(at clock: EffectClock, on effects: [EffectInstance]) {
    while next < cues.count, cues[next].time <= clock.time {
      apply(cues[next], clock, to: effects)
      inbox?.note(cues[next].change)
      next += 1
    }
    inbox?.take { apply(Automation.Cue(time: clock.time, change: $0), clock, to: effects) }
  }

  private func apply(_ cue: Automation.Cue, _ clock: EffectClock, to effects: [EffectInstance]) {
    let effect = effects[cue.change.effect]
    if effect.steer(cue.change, at: clock.moved(to: cue.time)) {
      guard let log else { return }
      let line = cue.line(isEvent: effect.isEvent(cue.change.parameter))
      log.use { $0.write(line) }
    } else if lost.insert([effect.name, cue.change.parameter]).inserted {
      tellLoss(of: cue.change.parameter, effect)
    }
  }

  /// Gives other versions of the effects the values that the earlier ones were given.
  func replace(_ earlier: [EffectInstance], by effects: [EffectInstance]) {
    for (place, effect) in effects.enumerated() {
      let before =
        effect.tag == 0
        ? (earlier.indices.contains(place) ? earlier[place] : nil)
        : earlier.first { $0.tag == effect.tag }
      // Another effect in the place of one begins with its own values.
      guard let before, before.name == effect.name else { continue }
      for name in effect.takeOver(from: before) { tellLoss(of: name, effect) }
    }
    inbox?.open(effects)
  }

  private func tellLoss(of parameter: String, _ effect: EffectInstance) {
    notify(
      Notice(
        .effectParameter, effect.name,
        "effect '\(effect.name)' no longer has the parameter '\(parameter)', or not with its value, which is lost"
      ))
  }
}
