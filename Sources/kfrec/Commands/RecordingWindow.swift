import Frames
import GPU
import Recorder
import ShaderEffects
import Window

extension Options {
  /// Whether a window shows the frames.
  var showsWindow: Bool { preview || command == .preview }
}

extension WindowOutput {
  /// Makes the window of a recording.
  ///
  /// - Parameters:
  ///   - words: The typed options.
  ///   - control: Pauses and stops the recording.
  ///   - door: Changes parameters; nil if there is no effect.
  ///   - reporter: Tells the person what happened.
  convenience init(
    _ words: Options, control: RecordingControl, door: ParameterDoor?, reporter: RecordingReporter
  ) {
    let gpu = GPUWish(selector: words.gpu, requiresHardware: words.requireGPU)
    self.init(
      title: "kfrec " + (words.inputs + words.effects.map(\.name)).joined(separator: " "),
      scale: words.scale ?? .fit, gpu: gpu,
      actions: Actions(
        togglePause: { control.togglePause() },
        stop: { control.stop() },
        saveStill: { frame in
          let still = StillImage(frame, gpu: gpu)
          do {
            try WorkerThread(name: "kfrec-still") {
              do { reporter.note("saved \(try still.save())") } catch {
                reporter.note("the still was not saved: \(error)")
              }
            }.detach()
          } catch {
            reporter.note("the still was not saved: \(error)")
          }
        },
        say: { reporter.note($0) }),
      parameters: door.map { ParameterRows(door: $0, glide: words.glide) })
  }

  /// Shows the error of an effect that is being edited over the last good picture, until it is mended.
  func show(_ event: RecordingEvent) {
    switch event {
    case .notice(let notice) where notice.id == .effectReload: message = notice.message
    case .reloaded: message = nil
    default: break
    }
  }
}

/// The parameters of a running recording as rows of its window: one for each component.
private struct ParameterRows: WindowParameters {
  let door: ParameterDoor
  /// Milliseconds.
  let glide: Int?

  private var all: [(parameter: ListedParameter, part: Int)] {
    door.parameters.flatMap { parameter in parameter.parts.indices.map { (parameter, $0) } }
  }

  var rows: [WindowParameter] {
    all.map { parameter, part in
      let part = (name: parameter.parts[part], index: part)
      return WindowParameter(
        name: "\(parameter.effect) \(parameter.effectName) \(parameter.name)"
          + (part.name.isEmpty ? "" : ".\(part.name)"),
        value: parameter.text(ofPart: part.index), range: parameter.range(ofPart: part.index))
    }
  }

  func move(_ row: Int, by steps: Int) {
    let rows = all
    guard rows.indices.contains(row) else { return }
    give(rows[row].parameter.moved(part: rows[row].part, by: steps), to: rows[row].parameter)
  }

  func reset(_ row: Int) {
    let rows = all
    guard rows.indices.contains(row) else { return }
    give(rows[row].parameter.usual, to: rows[row].parameter)
  }

  private func give(_ value: [Double], to parameter: ListedParameter) {
    // A chain that changed between two keys has other rows; the next key acts on those.
    try? door.give(
      .numbers(value), to: parameter.name, of: .number(parameter.effect),
      glide: Rational(Int64(glide ?? 0), 1000))
  }
}
