/// The levels of the audio at a frame's time that formulas can use, each from 0 to 1.
public struct AudioLevels: Sendable, Equatable {
  /// The loudness: 1 for a tone of full scale.
  public var level = 0.0
  /// The loudness below 250 Hz, from 250 Hz to 4 kHz, and above.
  public var low = 0.0
  public var mid = 0.0
  public var high = 0.0
  /// How suddenly sounds begin: jumps up when one does, and falls in a tenth of a second.
  public var onset = 0.0
  /// 1 when a strong sound with low frequencies begins, as a drum, and then a line to 0 in a quarter of a second.
  public var beat = 0.0

  public init() {}

  /// The names in formulas.
  static let names = ["level", "low", "mid", "high", "onset", "beat"]
}
