public import CFFmpeg

/// Removes the ADTS headers from the AAC packets of a stream.
///
/// A transport stream has one before each packet; other containers store the same information once,
/// in the stream's parameters. libavformat removes the headers itself, except for fragmented MOV
/// and MP4. Packets of other streams, and packets without a header, stay unchanged.
///
/// Used by one thread at a time.
public final class ADTSHeaders {
  private let stream: CompressedStream
  /// Made at the first header.
  private var filter: BitstreamFilterHandle?
  private var isFound = false

  public init(of stream: CompressedStream) { self.stream = stream }

  /// Removes a packet's header; on failure the packet is blank.
  public func remove(from packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
    let isMarked = ADTSHeaders.begin(packet, of: stream.parameters)
    guard isFound || isMarked else { return }
    guard isMarked else {
      // An empty packet carries side data.
      guard packet.pointee.size > 0 else { return }
      av_packet_unref(packet)
      throw FFmpegError(call: "aac_adtstoasc", subject: "audio", code: kf_averror_invaliddata())
    }
    if !isFound { filter = try BitstreamFilterHandle("aac_adtstoasc", stream.parameters) }
    isFound = true
    try filter?.apply(to: packet)
    if stream.parameters.pointee.extradata_size > 0 {
      // The filter sends the extradata again with its first packet, and Matroska's muxer would then
      // write it over the data that follows its place in the file.
      av_packet_shrink_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, 0)
    }
  }

  /// Whether an AAC packet begins with the 12-bit mark of such a header (ISO/IEC 13818-7, 6.2).
  public static func begin(
    _ packet: UnsafePointer<AVPacket>, of parameters: UnsafePointer<AVCodecParameters>
  ) -> Bool {
    guard parameters.pointee.codec_id == AV_CODEC_ID_AAC, packet.pointee.size > 2,
      let data = packet.pointee.data
    else { return false }
    return data[0] == 0xff && data[1] & 0xf0 == 0xf0
  }

  /// Returns a packet's header in the form that other containers store (an AudioSpecificConfig), or
  /// nil if it cannot be read.
  public static func configuration(
    _ packet: UnsafePointer<AVPacket>, of parameters: UnsafePointer<AVCodecParameters>
  ) throws(FFmpegError) -> [UInt8]? {
    guard begin(packet, of: parameters) else { return nil }
    let filter = try BitstreamFilterHandle("aac_adtstoasc", parameters)
    let copy = try AVPacketHandle()
    try check(av_packet_ref(copy.pointer, packet), "av_packet_ref", "a packet")
    guard (try? filter.apply(to: copy.pointer)) != nil else { return nil }
    var size = 0
    let bytes = av_packet_get_side_data(copy.pointer, AV_PKT_DATA_NEW_EXTRADATA, &size)
    return bytes.map { Array(UnsafeBufferPointer(start: $0, count: size)) }
  }
}

/// Owns an AVBSFContext, a filter that changes packets one by one.
private struct BitstreamFilterHandle: ~Copyable {
  private let pointer: UnsafeMutablePointer<AVBSFContext>
  private let name: String

  init(_ name: String, _ parameters: UnsafePointer<AVCodecParameters>) throws(FFmpegError) {
    var made: UnsafeMutablePointer<AVBSFContext>?
    guard let kind = av_bsf_get_by_name(name) else {
      throw FFmpegError(
        call: "av_bsf_get_by_name", subject: name, code: kf_averror_patchwelcome())
    }
    try check(av_bsf_alloc(kind, &made), "av_bsf_alloc", name)
    let filter = try check(made, "av_bsf_alloc", name)
    var result = avcodec_parameters_copy(filter.pointee.par_in, parameters)
    if result >= 0 { result = av_bsf_init(filter) }
    guard result >= 0 else {
      av_bsf_free(&made)
      throw FFmpegError(call: "av_bsf_init", subject: name, code: result)
    }
    pointer = filter
    self.name = name
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVBSFContext>? = pointer
    av_bsf_free(&pointer)
  }

  /// Changes a packet; on failure the packet is blank.
  func apply(to packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
    let sent = av_bsf_send_packet(pointer, packet)
    if sent < 0 { av_packet_unref(packet) }
    try check(sent, "av_bsf_send_packet", name)
    try check(av_bsf_receive_packet(pointer, packet), "av_bsf_receive_packet", name)
  }
}
