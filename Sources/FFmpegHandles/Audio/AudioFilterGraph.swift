import CFFmpeg
public import Frames

/// Owns a graph of libavfilter that changes float samples: blocks go in, and come out changed.
///
/// Used by one thread at a time.
public struct AudioFilterGraph: ~Copyable {
  /// The format of what comes out.
  public let output: AudioFormat

  private let input: AudioFormat
  private let graph: FilterGraphHandle
  private let source: UnsafeMutablePointer<AVFilterContext>
  private let sink: UnsafeMutablePointer<AVFilterContext>
  private let frame: AVFrameHandle
  /// Number of samples that went in.
  private var position: Int64 = 0

  /// Builds a graph of filters that FFmpeg writes as "volume=0.5,alimiter"; at its end it converts to `output`.
  public init(
    _ description: String, from input: AudioFormat, to output: AudioFormat
  ) throws(FFmpegError) {
    let frame = try AVFrameHandle()
    let graph = try FilterGraphHandle()
    let source = try graph.add(
      "abuffer",
      "sample_rate=\(input.rate):sample_fmt=fltp:channel_layout=\(input.layoutName)"
        + ":time_base=1/\(input.rate)")
    let sink = try graph.add("abuffersink")
    let whole =
      "\(description),aformat=sample_fmts=fltp:sample_rates=\(output.rate)"
      + ":channel_layouts=\(output.layoutName)"
    try graph.connect(source, through: whole, to: sink)
    (self.input, self.output, self.source, self.sink) = (input, output, source, sink)
    self.frame = frame
    self.graph = graph
  }

  /// Takes a block of the input's format, which follows the one before it.
  public mutating func add(_ block: AudioBlock) throws(FFmpegError) {
    precondition(block.format == input, "audio of another format than the graph was built for")
    let target = frame.pointer
    frame.clear()
    target.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
    target.pointee.nb_samples = Int32(block.count)
    target.pointee.sample_rate = Int32(input.rate)
    target.pointee.pts = position
    target.pointee.ch_layout = input.layout
    try check(av_frame_get_buffer(target, 0), "av_frame_get_buffer", "audio")
    for channel in 0..<input.channels {
      guard let plane = target.pointee.extended_data[channel] else { continue }
      block.samples(ofChannel: channel).withUnsafeBytes { bytes in
        if let first = bytes.baseAddress {
          UnsafeMutableRawPointer(plane).copyMemory(from: first, byteCount: bytes.count)
        }
      }
    }
    position += Int64(block.count)
    try check(av_buffersrc_add_frame(source, target), "av_buffersrc_add_frame", "audio")
  }

  /// Ends the input; what the filters still hold can be taken.
  public mutating func end() throws(FFmpegError) {
    try check(av_buffersrc_add_frame(source, nil), "av_buffersrc_add_frame", "audio")
  }

  /// Takes what is ready.
  ///
  /// `each` gets the place of the first sample, in samples of the output from the first one that went in.
  public mutating func take(
    each: (_ place: Int64, _ count: Int, _ sample: (_ channel: Int, _ number: Int) -> Float) -> Void
  ) throws(FFmpegError) {
    while true {
      frame.clear()
      let result = av_buffersink_get_frame(sink, frame.pointer)
      if result == kf_averror(11) || result == kf_averror_eof() { return }
      try check(result, "av_buffersink_get_frame", "audio")
      let made = frame.pointer.pointee
      for entry in dictionaryEntries(made.metadata) { measured[entry.name] = Double(entry.text) }
      let unit = Rational(av_buffersink_get_time_base(sink)) * Rational(Int64(output.rate))
      let place = (Rational(made.pts) * unit + Rational(1, 2)).floor
      each(place, Int(made.nb_samples)) { channel, number in
        made.extended_data[channel].map {
          UnsafeRawPointer($0).load(
            fromByteOffset: number * MemoryLayout<Float>.size, as: Float.self)
        } ?? 0
      }
    }
  }

  /// The latest numbers that filters have put beside the samples, by FFmpeg's name, such as "lavfi.r128.I".
  public private(set) var measured: [String: Double] = [:]
}
