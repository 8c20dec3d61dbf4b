import CFFmpeg
public import FFmpegHandles
import Frames
import Glibc

/// Tries every kind of hardware that decodes: for each codec with one frame.
public func listHardwareDecoders() -> [HardwareListing] {
  var listings: [HardwareListing] = []
  for family in HardwareFamily.allCases {
    guard let name = family.deviceName else { continue }
    let kind = av_hwdevice_find_type_by_name(name)
    var device: UnsafeMutablePointer<AVBufferRef>?
    defer { av_buffer_unref(&device) }
    guard kind != AV_HWDEVICE_TYPE_NONE else { continue }
    if let reason = HardwareDevice.open(kind, family, &device) {
      listings.append(HardwareListing(.decoder, family, name: name, codec: nil, refusal: reason))
      continue
    }
    for sample in CodecSample.all {
      guard let software = avcodec_find_decoder(sample.codec),
        let decoder = HardwareDevice.decoder(instead: software, on: name)
      else { continue }
      let codec = String(cString: avcodec_get_name(sample.codec))
      let refusal =
        sample.isDecoded(by: decoder, device)
        ? nil : "the hardware, or its driver, does not decode \(codec)"
      listings.append(
        HardwareListing(.decoder, family, name: name, codec: codec, refusal: refusal))
    }
  }
  return listings
}

/// A key frame of a codec: gray, of 128x128 or 256x256 pixels, which every decoder of hardware has.
///
/// Carried, because an FFmpeg may have no encoder of a codec that its hardware decodes. Made by FFmpeg 5.1 (`-f lavfi -i
/// color=gray:s=256x256 -frames:v 1`) with libx264, libx265, libvpx, libaom and its own encoders, without SEI.
struct CodecSample {
  let codec: AVCodecID
  private let base64: String

  static let all = [
    CodecSample(
      codec: AV_CODEC_ID_H264,
      base64: """
        AAAAAWdkABWscgRBAIbARAAAAwAEAAADAMg8WLYRgAAAAAFo6EOPLIsAAAFliIEABX/+9nN8JXJY43mS9yy/LoSXL9iDB9cTsHo/7H27KszDdAAACjAUHE\
        DAVzkib9fkoQ==
        """),
    CodecSample(
      codec: AV_CODEC_ID_HEVC,
      base64: """
        AAAAAUABDAH//wFgAAADAJAAAAMAAAMAPJWYCQAAAAFCAQEBYAAAAwCQAAADAAADADygCAgEBZZWaSTK8BaAgAAAAwCAAAAMhAAAAAFEAcFytGJAAAABKA\
        GvHSEx1vcBW9a+xwAf0TKUJWCpccoFGIFTQJMNlCAFPIcAAAMBdw==
        """),
    CodecSample(
      codec: AV_CODEC_ID_AV1, base64: "EgAKCwAAAAO///n/8wCAMhQQAJAAAACgAACAAbVIhtSeQgxDgA=="),
    CodecSample(
      codec: AV_CODEC_ID_VP9,
      base64: """
        gkmDQgAP8A/2ADgkHBhKAAAwYAAAE7gYAAJiYyo4KCyA
        """),
    CodecSample(
      codec: AV_CODEC_ID_VP8,
      base64: """
        0A8AnQEqAAEAAQBHCIWFiIWEiAICAAYWBh17c2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2\
        TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TnD2TZAP5oAA==
        """),
    CodecSample(
      codec: AV_CODEC_ID_MPEG2VIDEO,
      base64: """
        AAABswgAgBP//+AYAAABtRSKAAEAAAAAAbgACABAAAABAAAP//gAAAG1j//zQYAAAAEB+1pSkRcpSkRcpSkRcpSkRcpSkRcpSkRcpSkRcpSkRAAAAQL7Wl\
        KRFylKRFylKRFylKRFylKRFylKRFylKRFylKREAAABA/taUpEXKUpEXKUpEXKUpEXKUpEXKUpEXKUpEXKUpEQAAAEE+1pSkRcpSkRcpSkRcpSkRcpSkRcp\
        SkRcpSkRcpSkRAAAAQX7WlKRFylKRFylKRFylKRFylKRFylKRFylKRFylKREAAABBvtaUpEXKUpEXKUpEXKUpEXKUpEXKUpEXKUpEXKUpEQAAAEH+1pSkR\
        cpSkRcpSkRcpSkRcpSkRcpSkRcpSkRcpSkRAAAAQj7WlKRFylKRFylKRFylKRFylKRFylKRFylKRFylKRE
        """),
    CodecSample(
      codec: AV_CODEC_ID_MPEG4,
      base64: """
        AAABsAEAAAG1iRMAAAEAAAABIADEjYgAzQQEEBRDAAABswAQBwAAAbYQY/G238bbfxtt/G238bbfxtt/G238bbfxtt/G238bbfxtt/G238bbfxtt/G238b\
        bfxtt/G238bbfxtt/G238bbfxtt+8AALH0bbfxtt/G238bbfxtt/G238bbfxtt/G238bbfxtt/G238bbfxtt/G238bbfsAANH0bbfxtt/G238bbfxtt/G2\
        38bbfxtt/G238bbfxtt/G238bbfxtt/G238bbfxtt/G238bbfxtt/G238bbfxtt/G237
        """),
    CodecSample(
      codec: AV_CODEC_ID_MJPEG,
      base64: """
        /9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAg+Pkk+SVVVVVVVVWRdZGhoaGRkZGRoaGhwcHCDg4NwcHBoaHBwfHyDg4+Tj4eHg4eTk5ubm7q6srLZ2eD///\
        //xABKAAEAAAAAAAAAAAAAAAAAAAAAAQEAAAAAAAAAAAAAAAAAAAAAEAEAAAAAAAAAAAAAAAAAAAAAEQEAAAAAAAAAAAAAAAAAAAAA/8AAEQgAgACAAwEi\
        AAIRAAMRAP/aAAwDAQACEQMRAD8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/9k=
        """),
  ]

  /// Whether a decoder gives the frame, from the device if there is one.
  func isDecoded(
    by decoder: UnsafePointer<AVCodec>, _ device: UnsafeMutablePointer<AVBufferRef>?
  ) -> Bool {
    var isThere = false
    _ = loggedErrors {
      guard let frame = try? decoded(decoder, device),
        (frame.pointer.pointee.hw_frames_ctx != nil) == (device != nil)
      else { return }
      if case .some = HardwareDevice.fetched(frame) { isThere = true }
    }
    return isThere
  }

  private func decoded(
    _ decoder: UnsafePointer<AVCodec>, _ device: UnsafeMutablePointer<AVBufferRef>?
  ) throws(FFmpegError) -> AVFrameHandle {
    let name = String(cString: decoder.pointee.name)
    let packet = try packet()
    let context = try AVCodecContextHandle(codec: decoder)
    if let device { context.pointer.pointee.hw_device_ctx = av_buffer_ref(device) }
    try check(avcodec_open2(context.pointer, decoder, nil), "avcodec_open2", name)
    try check(avcodec_send_packet(context.pointer, packet.pointer), "avcodec_send_packet", name)
    try check(avcodec_send_packet(context.pointer, nil), "avcodec_send_packet", name)
    let frame = try AVFrameHandle()
    try check(
      avcodec_receive_frame(context.pointer, frame.pointer), "avcodec_receive_frame", name)
    return frame
  }

  private func packet() throws(FFmpegError) -> AVPacketHandle {
    let packet = try AVPacketHandle()
    try check(av_new_packet(packet.pointer, Int32(base64.utf8.count)), "av_new_packet", "sample")
    let count = try check(
      av_base64_decode(packet.pointer.pointee.data, base64, packet.pointer.pointee.size),
      "av_base64_decode", "sample")
    av_shrink_packet(packet.pointer, count)
    packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
    return packet
  }
}
