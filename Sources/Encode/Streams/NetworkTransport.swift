import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// A connection to a server, through a protocol of libavformat.
///
/// Used by one thread at a time. Every wait ends: by a stop while it connects, and by a time limit.
final class NetworkTransport: StreamTransport {
  private let name: String
  private let isStopped: @Sendable () -> Bool
  private let delay: Rational
  var keptFrames: Int? { nil }
  private(set) var context: UnsafeMutablePointer<AVIOContext>?
  private var isConnected = false
  /// When the current call is given up.
  private var deadline = MonotonicTime.now
  private var hasTimedOut = false

  /// Seconds for which a server may take no data, or not answer.
  static let patience = 10

  /// Connects to an address with its secrets; the `delay` is how long the receiver holds data, in seconds.
  init(
    _ url: String, name: String, options: [EncoderOption], delay: Rational,
    isStopped: @escaping @Sendable () -> Bool
  ) throws(EncodeError) {
    (self.name, self.isStopped, self.delay) = (name, isStopped, delay)
    var interrupt = AVIOInterruptCB(
      callback: { connection in
        guard let connection else { return 0 }
        return Unmanaged<NetworkTransport>.fromOpaque(connection).takeUnretainedValue()
          .shouldGiveUp ? 1 : 0
      }, opaque: Unmanaged.passUnretained(self).toOpaque())
    var dictionary: OpaquePointer?
    defer { av_dict_free(&dictionary) }
    for option in options { av_dict_set(&dictionary, option.key, option.value, 0) }
    beginCall()
    let result = avio_open2(&context, url, AVIO_FLAG_WRITE, &interrupt, &dictionary)
    guard result >= 0, context != nil else {
      throw EncodeError(
        hasTimedOut
          ? "\(name) does not answer; check the address and the network"
          : "cannot connect to \(name) (\(FFmpegError.reason(result))); check the address, and whether a server listens there"
      )
    }
    isConnected = true
  }

  private var shouldGiveUp: Bool {
    if !isConnected, isStopped() { return true }
    hasTimedOut = hasTimedOut || MonotonicTime.now.seconds(since: deadline) > 0
    return hasTimedOut
  }

  func attach(to muxer: UnsafeMutablePointer<AVFormatContext>) {}

  func beginCall() { deadline = .now + Rational(Int64(Self.patience)) }

  func failure(_ code: Int32) -> (any Error)? {
    let code = code < 0 ? code : context?.pointee.error ?? 0
    if hasTimedOut {
      return EncodeError(
        "\(name) took no data for \(Self.patience) seconds; check the network, or lower --bitrate")
    }
    guard code < 0 else { return nil }
    return EncodeError(
      "the connection to \(name) was lost (\(FFmpegError.reason(code))); check the network and the server"
    )
  }

  func close(isComplete: Bool) {
    if isComplete, delay > .zero {
      // A receiver of SRT drops what it holds when the connection ends.
      avio_flush(context)
      MonotonicTime.sleep(until: .now + delay)
    }
    beginCall()
    if !isComplete { context?.pointee.error = kf_averror(EPIPE) }
    avio_closep(&context)
  }

  deinit { avio_closep(&context) }
}
