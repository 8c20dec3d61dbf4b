public import CFFmpeg
public import Frames

extension AudioFormat {
  /// Makes the format of a rate and of FFmpeg's layout; a layout that does not name its speakers has the usual ones.
  public init(rate: Int, layout: AVChannelLayout) {
    let isNamed = layout.order == AV_CHANNEL_ORDER_NATIVE
    self.init(
      rate: rate, channels: Int(layout.nb_channels), speakers: isNamed ? layout.u.mask : 0)
    if speakers == 0 { speakers = self.layout.u.mask }
  }

  /// The layout as FFmpeg takes it; it owns no memory.
  public var layout: AVChannelLayout {
    var layout = AVChannelLayout()
    if speakers.nonzeroBitCount != channels || av_channel_layout_from_mask(&layout, speakers) < 0 {
      av_channel_layout_default(&layout, Int32(channels))
    }
    return layout
  }

  /// FFmpeg's name of the layout, such as "5.1(side)".
  public var layoutName: String {
    var layout = layout
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
      guard let name = text.baseAddress, av_channel_layout_describe(&layout, name, 128) > 0 else {
        return "mono"
      }
      return String(cString: name)
    }
  }

  /// Returns the nearest of some layouts, of which there is at least one.
  ///
  /// It has the same speakers, where a speaker at the side stands for one at the back; otherwise it is the
  /// one with the fewest speakers that has all of these; otherwise the same with the two at the back for the one in the
  /// middle of the back; otherwise the one that has most of them, without any that would be silent.
  public func nearest(of layouts: [UInt64]) -> AudioFormat {
    let own = layout.u.mask
    func format(_ speakers: UInt64) -> AudioFormat {
      AudioFormat(rate: rate, channels: speakers.nonzeroBitCount, speakers: speakers)
    }
    if layouts.contains(own) { return format(own) }
    let places = Self.atBack(own)
    if let same = layouts.first(where: {
      Self.atBack($0) == places && $0.nonzeroBitCount == channels
    }) {
      return format(same)
    }
    for places in [places, Self.withoutBackCenter(places)] {
      let enough = layouts.filter {
        places & ~Self.atBack($0) == 0 && $0.nonzeroBitCount > channels
      }
      if let least = enough.min(by: { $0.nonzeroBitCount < $1.nonzeroBitCount }) {
        return format(least)
      }
    }
    // More speakers than there are channels would only be silent.
    let fewer = layouts.filter { $0.nonzeroBitCount <= channels }
    let most = (fewer.isEmpty ? layouts : fewer).max { first, second in
      let shared = [first, second].map { (Self.atBack($0) & places).nonzeroBitCount }
      return (shared[0], -first.nonzeroBitCount) < (shared[1], -second.nonzeroBitCount)
    }
    return format(most ?? own)
  }

  /// Whether another format has a place for each speaker; one at the side may stand for one at the back.
  public func isHeld(by other: AudioFormat) -> Bool {
    Self.atBack(layout.u.mask) & ~Self.atBack(other.layout.u.mask) == 0
  }

  /// Whether samples stay where they are in another format, where a speaker at the side may stand for one at the back.
  public func hasSameOrder(as other: AudioFormat) -> Bool {
    let (own, theirs) = (speakersInOrder, other.speakersInOrder)
    return own.count == theirs.count && isHeld(by: other)
      && zip(own, theirs).allSatisfy { $0 == $1 || Self.sidesAndBacks[$0] == $1 }
  }

  /// One bit for each speaker, in the order of the channels.
  private var speakersInOrder: [UInt64] {
    let mask = layout.u.mask
    return (0..<64).map { UInt64(1) << $0 }.filter { mask & $0 != 0 }
  }

  /// The speaker at the back for the one at the side, and the other way round.
  private static let sidesAndBacks: [UInt64: UInt64] = [
    0x200: 0x10, 0x400: 0x20, 0x10: 0x200, 0x20: 0x400,
  ]

  /// Returns a row for each channel of a format that has a place for each speaker, but for side and back; else nil.
  ///
  /// libswresample would mix the two at the back into the one between them, where the other has that one and those at
  /// the side.
  func exchanged(for other: AudioFormat) -> [Double]? {
    let (own, theirs) = (layout.u.mask, other.layout.u.mask)
    guard own & ~theirs != 0, isHeld(by: other) else { return nil }
    return other.speakersInOrder.flatMap { place in
      speakersInOrder.map { speaker in
        speaker == place || theirs & speaker == 0 && Self.sidesAndBacks[speaker] == place ? 1 : 0
      }
    }
  }

  /// Speakers with the two at the back instead of the one in the middle between them.
  private static func withoutBackCenter(_ speakers: UInt64) -> UInt64 {
    speakers & 0x100 != 0 && speakers & 0x30 == 0 ? speakers & ~0x100 | 0x30 : speakers
  }

  /// Speakers with those at the back instead of those at the side, unless both are there.
  private static func atBack(_ speakers: UInt64) -> UInt64 {
    let (back, side): (UInt64, UInt64) = (0x30, 0x600)
    return speakers & back == 0 && speakers & side == side ? speakers & ~side | back : speakers
  }
}
