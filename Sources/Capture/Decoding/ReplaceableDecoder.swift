import CFFmpeg
import FFmpegHandles
import Frames

/// A decoder whose hardware the processor replaces when it fails, once, without losing or repeating a frame.
///
/// The other decoder gets the packets since a key frame again, and the frames that were already given are dropped.
/// Used by one thread. It is a class because Swift 6.3 destroys a noncopyable struct wrongly if its initialiser throws; the
/// release program crashed.
final class ReplaceableDecoder {
  private var current: VideoDecoder
  private let name: String
  private let makeSoftware: () throws(CaptureError) -> VideoDecoder
  private let notify: @Sendable (Notice) -> Void
  private let standIn: HardwareStandIn?
  /// Leaves frames in the memory of hardware; nil if all are copied.
  private(set) var sharing: FrameSharing?

  /// What decodes instead of the processor; nil if nothing does.
  private(set) var hardware: HardwareFamily?
  /// Why hardware that was wanted is not used, a kind each.
  private(set) var refusals: [String]

  /// Number of the newest packet.
  private var number: Int64 = 0
  private var kept = ReplayBuffer()
  /// The frames of kept packets that were given.
  private var given: Set<FrameKey> = []
  /// Numbers of packets that were damaged.
  private var damaged: Set<Int64> = []
  /// Packets that the other decoder gets before new ones.
  private var replay: ArraySlice<ReplayBuffer.Kept> = []
  private var isDraining = false
  private var hasFrame = false

  /// A frame: the number of its packet, and its timestamp, because a packet may hold several.
  private struct FrameKey: Hashable {
    let number: Int64
    let time: Int64
  }

  /// Opens a decoder for a stream that outlives it, as `VideoDecoder` does.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, name: String, _ request: SourceRequest
  ) throws(CaptureError) {
    let (threads, filters) = (request.decoderThreads, !request.isOnlyChecked)
    let current = try VideoDecoder(
      stream, name: name, threads: threads, filtersPictures: filters,
      hardware: request.hardwareStandIn == nil ? request.hardware : .off,
      hardwareDecoder: request.hardwareDecoder,
      keptFrames: request.sharing == nil ? 0 : PictureSharing.limit)
    sharing = request.sharing.map { FrameSharing($0) }
    (hardware, refusals) = (request.hardwareStandIn?.family ?? current.hardware, current.refusals)
    self.current = current
    makeSoftware = { () throws(CaptureError) in
      try VideoDecoder(stream, name: name, threads: threads, filtersPictures: filters)
    }
    standIn = request.hardwareStandIn
    (self.name, notify) = (name, request.notice)
  }

  /// FFmpeg's name of the decoder.
  var codecName: String { current.codecName }

  /// The frame rate that the coded stream itself says; nil if it has not said one so far.
  var codedRate: Rational? { current.codedRate }

  /// Number of repairs that a decoder of checksums only logs.
  var repairs: Int { current.repairs }

  /// Sends a packet, which is not changed, or nil at the end of the stream; false if the packet is damaged.
  ///
  /// Call it only when `receive` needs a packet.
  func send(_ packet: UnsafeMutablePointer<AVPacket>?) throws(CaptureError) -> Bool {
    if packet == nil { isDraining = true } else { number += 1 }
    guard hardware != nil else { return VideoDecoder.isSound(current.send(packet, number)) }
    if let packet {
      try explained { () throws(FFmpegError) in try kept.add(packet, number: number) }
    }
    var result = packet == nil ? 0 : standIn?.fails(.packet(number)) ?? 0
    if result >= 0 { result = current.send(packet, number) }
    guard !VideoDecoder.isSound(result) else { return true }
    // A damaged packet is damaged for the processor too.
    guard result != kf_averror_invaliddata() else {
      damaged.insert(number)
      return false
    }
    try replace(after: result)
    return true
  }

  /// Forgets all packets, after a seek.
  func flush() {
    current.flush()
    kept.removeAll()
    given = []
    damaged = []
    replay = []
    isDraining = false
  }

  /// Returns the next frame in presentation order, or why there is none.
  func receive() throws(CaptureError) -> VideoDecoder.Result {
    while true {
      switch try current.receive() {
      case .needsPacket:
        guard let next = replay.popFirst() else { return .needsPacket }
        let isSound = VideoDecoder.isSound(current.send(next.packet.pointer, next.number))
        if replay.isEmpty, isDraining { _ = current.send(nil, number) }
        if !isSound, !damaged.contains(next.number) { return .damaged(0) }
      case .end: return .end
      case .damaged(let code):
        guard hardware != nil, code != kf_averror_invaliddata() else { return .damaged(code) }
        try replace(after: code)
      case .frame(let frame, _):
        let key = FrameKey(
          number: kf_packet_number(frame.pointer), time: frame.pointer.pointee.pts)
        guard !given.contains(key) else { continue }
        if let standIn, hardware != nil {
          let result = standIn.fails(.frame(key.number))
          guard result >= 0 else {
            try replace(after: result)
            continue
          }
        }
        note(key, isOnDevice: frame.pointer.pointee.hw_frames_ctx != nil)
        if let standIn, hardware != nil {
          let moved = standIn.moved(frame)
          let place = standIn.mapped.flatMap { sharing?.picture(of: moved, by: $0) }
          return .frame(moved, on: place)
        }
        if frame.pointer.pointee.hw_frames_ctx != nil, let place = sharing?.picture(of: frame) {
          return .frame(frame, on: place)
        }
        guard let fetched = HardwareDevice.fetched(frame) else {
          given.remove(key)
          guard hardware != nil else { return .damaged(0) }
          try replace(after: kf_averror_external())
          continue
        }
        return .frame(fetched, on: nil)
      }
    }
  }

  /// Notes a frame that is given, and at the first one whether hardware has made it.
  private func note(_ key: FrameKey, isOnDevice: Bool) {
    if !hasFrame, standIn == nil, !isOnDevice, let family = hardware {
      // FFmpeg itself takes the processor if the hardware does not know the profile or the size.
      refusals.append("\(family.title): it does not decode this kind of \(codecName)")
      hardware = nil
    }
    hasFrame = true
    guard hardware != nil else { return }
    given.insert(key)
    guard let first = kept.give(key.number) else { return }
    given = given.filter { $0.number >= first }
    damaged = damaged.filter { $0 >= first }
  }

  /// Lets the processor go on, from the packets that are kept.
  private func replace(after code: Int32) throws(CaptureError) {
    guard let family = hardware else { return }
    let failure = "\(family.title) stopped decoding \(name) (\(FFmpegError.reason(code)))"
    guard let packets = kept.all else {
      throw CaptureError(
        "\(failure), and its key frames are too far apart for the processor to go on: use --hw off")
    }
    current = try makeSoftware()
    hardware = nil
    replay = packets[...]
    kept.removeAll()
    if replay.isEmpty, isDraining { _ = current.send(nil, number) }
    notify(
      Notice(.sourceHardware, name, "\(failure); the processor goes on, and no frame is lost"))
  }
}

/// Plays the part of hardware in tests: the processor decodes, and calls fail where the test says.
struct HardwareStandIn: Sendable {
  enum Call: Sendable {
    /// A packet is sent.
    case packet(Int64)
    /// The frame of a packet was decoded.
    case frame(Int64)
  }

  var family = HardwareFamily.vaapi
  /// Returns an error of FFmpeg, or 0.
  var fails: @Sendable (Call) -> Int32
  /// Brings a frame into the layout that hardware gives.
  var moved: @Sendable (consuming AVFrameHandle) -> AVFrameHandle = { $0 }
  /// Opens the memory of such a frame as hardware does; nil if it does not.
  var mapped: (@Sendable (borrowing AVFrameHandle) -> HeldFrame?)?
}
