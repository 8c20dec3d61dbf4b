import Encode
import Frames

/// An open output that is ready for frames.
struct OpenOutput: Sendable {
  let name: String
  /// Whether the output may miss frames, and may fail without harm to the others.
  var isBestEffort = false
  /// Whether its frames wait a moment before newer ones take their place.
  var queuesFrames = false
  var takesAudio = false
  /// Whether packets are copied, and whether samples are encoded.
  var copiesAudio = true
  var encodesAudio = true
  /// What the open sink says of its encoder, and messages for the user.
  let encoderName: String?
  let encoderRefusals: [String]
  let notices: [Notice]
  /// The sink, which one thread at a time uses.
  let sink: Handover<any MediaSink>
  /// Number of encoder threads that run before the first frame.
  var encoderThreads = 0

  init(name: String, sink: sending any MediaSink) {
    self.name = name
    (encoderName, encoderRefusals) = (sink.encoderName, sink.encoderRefusals)
    notices = sink.notices
    self.sink = Handover(sink)
  }
}

extension OutputSet {
  /// Opens all outputs, or none: if it throws, nothing is left behind.
  func open(_ request: SinkRequest) throws -> [OpenOutput] {
    var opened: [OpenOutput] = []
    do {
      for (place, output) in outputs.enumerated() {
        let before = OutputSet.encoderThreads()
        var own = request
        if place != hashedOutput { own.frameHashes = nil }
        let forms = (copied: !own.codedAudio.isEmpty, samples: !own.audio.isEmpty)
        let encodes = forms.samples && (!forms.copied || output.encodesAudio(own.codedAudio))
        // What comes in both forms is for outputs of both kinds.
        if encodes { own.codedAudio = [] } else { own.audio = [] }
        let opening = try Pending(.encode, place: place) { [own] in try output.open(own) }
        let sink = try opening.value()
        var made = OpenOutput(name: output.word, sink: sink)
        made.isBestEffort = output.isBestEffort
        made.queuesFrames = output.queuesFrames
        made.takesAudio = output.takesAudio
        (made.copiesAudio, made.encodesAudio) = (!encodes, encodes)
        made.encoderThreads = max(OutputSet.encoderThreads() - before, 0)
        opened.append(made)
      }
    } catch {
      for output in opened { output.sink.use { $0.abandon() } }
      throw error
    }
    return opened
  }

  private static func encoderThreads() -> Int {
    ThreadGroup.running().first { $0.name == ThreadName.encode.rawValue }?.count ?? 0
  }
}
