import CFFmpeg
import FFmpegHandles
import Frames
import Testing

@testable import Encode

/// Tests that kfrec's list of codecs per container matches what can be read back, whatever FFmpeg's
/// tables say.
@Suite("Containers")
struct ContainerTests {
  let folder = TestFolder()

  /// Writes five small frames with the audio.
  private func write(_ audio: EncodedAudio, to file: String) throws {
    var settings = EncodeSettings()
    settings.codec = "mpeg4"
    let output = try Output(file, settings: settings)
    let format = output.frameFormat(width: 32, height: 32, color: .hd)
    let sink = try output.open(
      SinkRequest(
        format: format, frameRate: 25, timeBase: Rational(1, 12800), codedAudio: [audio.stream]))
    let frames = GrayFrames(format)
    for index in 0..<5 {
      try sink.write(try frames.frame(index, at: Rational(Int64(index), 25)))
    }
    for packet in audio.packets { try sink.write(packet) }
    _ = try sink.finish()
  }

  /// The codecs whose packets libavformat splits or packs in its own way for Matroska.
  private static let repacked = ["wavpack", "mlp", "truehd"]

  @Test(
    "all audio that a container accepts is read back from it to the sample",
    arguments: [
      ("mov", ["aac", "ac3", "eac3", "alac", "mp2", "mp3", "vorbis", "pcm_s16le", "pcm_s24be"]),
      ("mp4", ["aac", "ac3", "eac3", "alac", "mp2", "mp3", "opus", "vorbis", "dts"]),
      (
        "mkv",
        [
          "aac", "ac3", "eac3", "alac", "mp2", "mp3", "opus", "vorbis", "flac", "dts", "wavpack",
          "pcm_s16le", "pcm_s24be", "wmav2", "adpcm_ms", "truehd",
        ]
      ),
    ])
  func audio(container name: String, atLeast: [String]) throws {
    let container = try #require(Container(named: name))
    var (held, refused) = (Set<String>(), Set<String>())
    for codec in Encoders.all(AVMEDIA_TYPE_AUDIO) {
      // An experimental decoder is not asked, and without it a reader does not know Sonic's rate.
      let decoder = avcodec_find_decoder(codec.pointee.id)
      if let decoder, decoder.pointee.capabilities & AV_CODEC_CAP_EXPERIMENTAL != 0 { continue }
      guard let audio = try EncodedAudio(codec) else { continue }
      let codecName = audio.stream.codecName
      let file = folder.file("\(String(cString: codec.pointee.name)).\(name)")
      guard AudioFit.holds(audio.stream, container) else {
        refused.insert(codecName)
        let error = #expect(throws: EncodeError.self) { try write(audio, to: file) }
        #expect(error?.description.contains("does not hold \(codecName) audio") == true)
        continue
      }
      held.insert(codecName)
      try write(audio, to: file)
      let found = try TestAudio(file)
      let (before, after) = (
        try DecodedAudio(audio.stream, audio.packets),
        try DecodedAudio(found.stream, found.packets)
      )
      // MP4 has one code for all layers of MPEG audio, and the decoder of layer 3 gives float samples.
      let isSame =
        found.stream.codecName == codecName ? before == after : before?.count == after?.count
      #expect(isSame && after?.failures == 0, "\(codecName) in \(name)")
      if !ContainerTests.repacked.contains(codecName) {
        #expect(try bytes(found.packets) == bytes(audio.packets), "\(codecName) in \(name)")
      }
      #expect(ProbedPictures(file).count == 5, "\(codecName) in \(name)")
    }
    #expect(held.isSuperset(of: atLeast), "only \(held)")
    #expect(!refused.isEmpty)
  }

  private func bytes(_ packets: [CompressedPacket]) throws -> [UInt8] {
    let packet = try AVPacketHandle()
    return try packets.flatMap { compressed in
      packet.clear()
      try compressed.reference(from: packet.pointer)
      return Array(
        UnsafeBufferPointer(
          start: packet.pointer.pointee.data, count: Int(packet.pointer.pointee.size)))
    }
  }

  @Test(
    "audio that the container would not give back is refused, with the container that would",
    arguments: [
      ("wmav2", "in.asf", "mov", "write .mkv"), ("wmav1", "in.avi", "mov", "write .mkv"),
      ("adpcm_ms", "in.avi", "mov", "write .mkv"), ("adpcm_swf", "in.flv", "mkv", "--no-audio"),
      ("tta", "in.mkv", "mkv", "--no-audio"),
    ])
  func unheard(codec: String, input: String, container: String, remedy: String) throws {
    let file = folder.file(input)
    shell("ffmpeg -v error -f lavfi -i sine=r=22050:d=0.2 -ac 1 -c:a \(codec) \(file)")
    let audio = try TestAudio(file)
    let output = folder.file("out.\(container)")
    let error = #expect(throws: EncodeError.self) { try carry(audio, into: output) }
    let text = error?.description ?? ""
    #expect(
      text.contains("\(container.uppercased()) does not hold") && text.contains(remedy), "\(text)")
    #expect(folder.names == [input])
  }

  @Test("audio that FFmpeg does not know is refused with its tag")
  func unknown() throws {
    let file = folder.file("in.wav")
    shell("ffmpeg -v error -f lavfi -i sine=d=0.1 -c:a pcm_s16le \(file)")
    let audio = try TestAudio(file)
    audio.stream.parameters.pointee.codec_id = AV_CODEC_ID_NONE
    audio.stream.parameters.pointee.codec_tag = 0x3433_3231
    for container in ["mov", "mkv"] {
      let error = #expect(throws: EncodeError.self) {
        try carry(audio, into: folder.file("out.\(container)"))
      }
      let text = error?.description ?? ""
      #expect(
        text.contains("this FFmpeg does not know (1234): leave out the audio with --no-audio"),
        "\(text)")
    }
  }

  @Test("Vorbis in MOV gives a warning about other players", arguments: ["mov", "mp4", "mkv"])
  func privateName(container: String) throws {
    let codec = try #require(avcodec_find_encoder_by_name("libvorbis"))
    let audio = try #require(try EncodedAudio(codec))
    let output = try Output(folder.file("out.\(container)"))
    let sink = try output.open(
      SinkRequest(
        format: output.frameFormat(width: 32, height: 32, color: .hd), frameRate: 25,
        timeBase: Rational(1, 12800), codedAudio: [audio.stream]))
    defer { sink.abandon() }
    if container == "mov" {
      #expect(sink.notices.count == 1)
      #expect(sink.notices.first?.message.contains("vorbis") == true)
      #expect(sink.notices.first?.message.contains("write .mkv") == true)
    } else {
      #expect(sink.notices.isEmpty)
    }
  }
}

/// The frames that FFmpeg decodes from a file, in this process.
struct ProbedPictures {
  var count = 0
  var tag = ""
  /// The number of packets that did not decode.
  var failures = 0
  var pixelFormat = ""

  init(_ file: String) {
    var opened: UnsafeMutablePointer<AVFormatContext>?
    guard avformat_open_input(&opened, file, nil, nil) >= 0, let opened else { return }
    let input = AVInputHandle(owning: opened)
    guard avformat_find_stream_info(input.pointer, nil) >= 0,
      let stream = input.pointer.pointee.streams[0], let parameters = stream.pointee.codecpar,
      let codec = avcodec_find_decoder(parameters.pointee.codec_id),
      let context = try? AVCodecContextHandle(codec: codec), let packet = try? AVPacketHandle(),
      let frame = try? AVFrameHandle()
    else { return }
    withUnsafeBytes(of: parameters.pointee.codec_tag.littleEndian) {
      tag = String(decoding: $0, as: UTF8.self)
    }
    avcodec_parameters_to_context(context.pointer, parameters)
    context.pointer.pointee.thread_count = 1
    guard avcodec_open2(context.pointer, codec, nil) >= 0 else { return }
    var isOver = false
    while !isOver {
      packet.clear()
      isOver = av_read_frame(input.pointer, packet.pointer) < 0
      if !isOver, packet.pointer.pointee.stream_index != 0 { continue }
      if avcodec_send_packet(context.pointer, isOver ? nil : packet.pointer) < 0 { failures += 1 }
      while avcodec_receive_frame(context.pointer, frame.pointer) >= 0 {
        count += 1
        pixelFormat =
          av_get_pix_fmt_name(AVPixelFormat(frame.pointer.pointee.format))
          .map { String(cString: $0) } ?? ""
        if frame.pointer.pointee.decode_error_flags != 0 { failures += 1 }
      }
    }
  }
}

extension ContainerTests {
  /// Writes and decodes two frames; nil if kfrec refuses the codec, the container, the format or the
  /// size.
  private func pictures(
    _ codec: String, _ container: String, _ format: PixelFormat, _ width: Int, _ height: Int,
    bitrate: Int? = nil
  ) throws -> ProbedPictures? {
    var settings = EncodeSettings()
    settings.codec = codec
    settings.pixelFormat = format
    settings.bitrate = bitrate
    let file = folder.file("\(codec)-\(format.rawValue)-\(width).\(container)")
    do {
      let output = try Output(file, settings: settings)
      var color = ColorDescription.hd
      if ["mjpeg", "ljpeg", "amv"].contains(codec) { color.range = .full }
      let frameFormat = output.frameFormat(width: width, height: height, color: color)
      var request = SinkRequest(
        format: frameFormat, frameRate: 25, timeBase: Rational(1, 12800))
      request.threads = 1
      let sink: any MediaSink
      do { sink = try output.open(request) } catch is EncodeError {
        #expect(folder.names.isEmpty)
        return nil
      }
      let frames = GrayFrames(frameFormat)
      for index in 0..<2 {
        try sink.write(try frames.frame(index, at: Rational(Int64(index), 25)))
      }
      _ = try sink.finish()
    } catch let error as any ExplainedError {
      // So the refusal came before the first frame, and not from libavformat in the middle.
      #expect("\(error)".contains(": ") && !"\(error)".contains("cannot take the next packet"))
      return nil
    }
    defer { shell("rm -f '\(file)'") }
    return ProbedPictures(file)
  }

  /// Encoders that are not tested: slow ones, and ones that only search for hardware.
  private static let leftOut = [
    "libaom-av1", "librav1e", "h264_v4l2m2m", "hevc_v4l2m2m", "mpeg4_v4l2m2m", "h263_v4l2m2m",
    "vp8_v4l2m2m", "h264_omx", "mpeg4_omx", "h264_nvenc", "hevc_nvenc",
  ]

  @Test(
    "all video that a container accepts is read back from it",
    arguments: [
      ("mov", ["h264", "hevc", "mpeg4", "mjpeg", "prores"]),
      ("mp4", ["h264", "hevc", "mpeg4", "mjpeg", "av1", "vp9"]),
      (
        "mkv",
        ["h264", "hevc", "mpeg4", "mjpeg", "prores", "ffv1", "av1", "vp8", "vp9", "rawvideo"]
      ),
    ])
  func pictures(container: String, atLeast: [String]) throws {
    var held = Set<String>()
    for codec in Encoders.all(AVMEDIA_TYPE_VIDEO) {
      let name = String(cString: codec.pointee.name)
      guard !ContainerTests.leftOut.contains(name) else { continue }
      for format in [PixelFormat.yuv420p, .yuv422p, .yuv444p, .yuv420p10le, .yuv422p10le] {
        // The size that H.261 and H.263 accept.
        guard let found = try pictures(name, container, format, 176, 144) else { continue }
        #expect(
          found.count == 2 && found.failures == 0, "\(name) \(format.rawValue) in \(container)")
        held.insert(String(cString: avcodec_get_name(codec.pointee.id)))
      }
    }
    #expect(held.isSuperset(of: atLeast), "only \(held)")
  }

  @Test(
    "video of a broadcast size keeps its own tag, not the usual one of that size",
    arguments: [
      ("libx264", PixelFormat.yuv422p10le, 1280, 720, "avc1"),
      ("libx264", .yuv422p10le, 1920, 1080, "avc1"),
      ("libx264", .yuv420p10le, 1440, 1080, "avc1"), ("libx264", .yuv420p, 1280, 720, "avc1"),
      ("dvvideo", .yuv420p, 720, 576, "dvcp"), ("dvvideo", .yuv422p, 720, 576, "dv5p"),
      ("dnxhd", .yuv422p, 1280, 720, "AVdn"), ("prores_ks", .yuv422p10le, 1280, 720, "apch"),
    ] as [(String, PixelFormat, Int, Int, String)])
  func broadcast(codec: String, format: PixelFormat, width: Int, height: Int, tag: String) throws {
    let bitrate = codec == "dnxhd" ? 60_000_000 : nil
    let found = try #require(
      try pictures(codec, "mov", format, width, height, bitrate: bitrate))
    #expect(found.count == 2 && found.failures == 0, "\(found)")
    #expect(found.tag == tag)
    #expect(found.pixelFormat == format.rawValue)
  }
}
