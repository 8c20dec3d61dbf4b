/// How many instructions a module has when each call is replaced by the function that it calls, as drivers do.
///
/// A few functions that each call the one before twice make millions, and a driver's compiler cannot be stopped.
struct InlinedSize {
  /// The limit; the largest kernel of kfrec's own effects has some 6,000 when it is optimized.
  static let limit = 200_000

  let instructionCount: Int

  init(_ words: [UInt32]) {
    var sizes: [UInt32: Int] = [:]
    var calls: [UInt32: [UInt32: Int]] = [:]
    var entry: UInt32 = 0
    var function: UInt32?
    for instruction in SPIRVInstructions(words) {
      switch instruction.code {
      case .entryPoint: entry = instruction[1]
      case .function: function = instruction[1]
      case .functionEnd: function = nil
      default: break
      }
      guard let function else { continue }
      sizes[function, default: 0] += 1
      if instruction.code == .functionCall {
        calls[function, default: [:]][instruction[2], default: 0] += 1
      }
    }
    // GLSL has no recursion; a module with one is refused as too large.
    var known: [UInt32: Int] = [:]
    func size(_ function: UInt32) -> Int {
      if let size = known[function] { return size }
      known[function] = .max
      var total = sizes[function] ?? 0
      for (callee, count) in calls[function] ?? [:] {
        total = total.added(size(callee).times(count))
      }
      known[function] = total
      return total
    }
    instructionCount = size(entry)
  }

  /// What is wrong with a module that is too large; nil if nothing is.
  var refusal: String? {
    guard instructionCount > Self.limit else { return nil }
    return
      "has \(instructionCount == .max ? "far too many" : "\(instructionCount)") instructions when its functions stand where they are called, and the limit is "
      + "\(Self.limit); call fewer functions that call others, or make loops of the calls"
  }
}
