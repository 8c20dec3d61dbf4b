import CFFmpeg
import FFmpegHandles
import Frames
import Glibc
import Testing

@testable import Encode

/// Tests that FFmpeg's error codes are replaced by words for users.
@Suite("Refusals in plain words")
struct EncoderRefusalTests {
  let folder = TestFolder()

  /// Records a few frames and returns the error text, or an empty string on success.
  private func refusal(
    _ codec: String, _ name: String = "out.mkv", times: [Rational] = [0, Rational(1, 25)],
    width: Int = 176, height: Int = 144, options: [EncoderOption] = []
  ) -> String {
    var settings = EncodeSettings()
    settings.codec = codec
    settings.options = options
    do {
      try record(
        folder.file(name), times: times, width: width, height: height, timeBase: Rational(1, 25),
        rate: 25, settings: settings)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "an FFmpeg error code becomes a sentence for users",
    arguments: [
      (kf_averror_patchwelcome(), "this FFmpeg cannot do that"),
      (kf_averror(EPERM), "FFmpeg gives no reason"), (-0x636e_6701, "FFmpeg gives no reason"),
      (kf_averror_invaliddata(), "it is damaged, or is not what it seems"),
      (kf_averror_eof(), "it ends too early"), (kf_averror_exit(), "it was interrupted"),
      (kf_averror(EINVAL), "something about it is not valid"),
      (kf_averror(ENOMEM), "out of memory"), (kf_averror(ENOENT), "No such file or directory"),
      // AVERROR_ENCODER_NOT_FOUND, AVERROR_HTTP_NOT_FOUND, AVERROR_EXPERIMENTAL.
      (-0x434e_45f8, "this FFmpeg was built without the part that it needs"),
      (-0x3430_34f8, "the server does not have it (404)"),
      (-0x2bb2_afa8, "it is only experimental in this FFmpeg"),
    ])
  func reasons(code: Int32, words: String) {
    #expect(FFmpegError.reason(code) == words)
  }

  @Test(
    "options of an encoder that it has not, or not with this value, are refused by name",
    arguments: [
      ("tunee", "film", "libx264 has no option \"tunee\""), ("b", "3M", "use --bitrate"),
      ("refs", "many", "libx264 does not take \"many\" for its option refs"),
      ("direct-pred", "aside", "libx264 does not take \"aside\" for its option direct-pred"),
      ("probesize", "9", "libx264 has no option"),
    ])
  func options(key: String, value: String, words: String) {
    let text = refusal("libx264", options: [EncoderOption(key, value)])
    #expect(text.contains(words), "\(text)")
  }

  @Test("options of an encoder act, and parameters of x264 are added to those that kfrec sets")
  func actingOptions() {
    let times = (0..<12).map { Rational($0, 25) }
    let text = refusal(
      "libx264", times: times,
      options: [EncoderOption("x264-params", "keyint=3:scenecut=0"), EncoderOption("bf", "0")])
    #expect(text.isEmpty)
    let frames = shell(
      "ffprobe -v error -show_entries frame=pict_type -of csv=p=0 \(folder.file("out.mkv"))")
    #expect(frames.filter { "IPB".contains($0) } == "IPPIPPIPPIPP")
  }

  @Test("an encoder that fails at a frame is named with the options to change")
  func encoderFails() {
    // FFmpeg's MPEG-4 encoder fails with -1 at a gap of some days.
    let text = refusal("mpeg4", times: [0, Rational(1, 25), Rational(500_000)])
    #expect(
      text.contains("mpeg4 cannot encode the next frame (FFmpeg gives no reason)"), "\(text)")
    #expect(text.contains("choose another --codec") && text.contains("--start"), "\(text)")
    let first = refusal("vc2")
    #expect(first.hasPrefix("vc2 cannot encode the next frame ("), "\(first)")
  }

  @Test("a container that cannot take the next packet is named with what to leave out")
  func containerFails() {
    let text = refusal("libx264", "out.mov", times: [0, Rational(1, 25), Rational(9_000_000)])
    #expect(text.contains("out.mov: MOV cannot take the next packet ("), "\(text)")
    #expect(text.contains("--start"), "\(text)")
    #expect(!text.contains("patches"), "\(text)")
  }

  @Test("missing hardware is named as the reason, and not the frame")
  func hardware() throws {
    // A machine with the driver gives another reason, or none if it can encode.
    let text = refusal("h264_nvenc")
    if dlopen("libcuda.so.1", RTLD_LAZY) == nil {
      #expect(
        text == "h264_nvenc encodes on hardware, and cannot start here, because there is no NVIDIA "
          + "driver (libcuda.so.1): use --codec libx264, which needs no such hardware")
    } else {
      #expect(text.isEmpty || text.contains("use --codec libx264"), "\(text)")
    }
    // FFmpeg 7 has none for OpenMAX.
    if avcodec_find_encoder_by_name("h264_omx") != nil {
      let other = refusal("h264_omx")
      #expect(
        other.hasPrefix("h264_omx encodes on hardware, and cannot start here, because there"))
      #expect(other.hasSuffix("use --codec libx264, which needs no such hardware"), "\(other)")
    }
    #expect(folder.names.isEmpty)
  }

  @Test(
    "parameters that the library behind an encoder does not know are refused",
    arguments: [
      ("libx264", "x264-params", "nosuch=1"), ("libx264", "x264-params", "keyint=many"),
      ("libx264", "x264-params", "keyint=9:nosuch=1"), ("libx265", "x265-params", "nosuch=1"),
      ("libsvtav1", "svtav1-params", "nosuch=1"),
    ])
  func unknownParameters(codec: String, key: String, value: String) {
    let text = refusal(codec, options: [EncoderOption(key, value)])
    #expect(text.hasPrefix("\(codec) does not take a part of \(key)=\(value) ("), "\(text)")
    #expect(folder.names.isEmpty)
  }

  @Test(
    "an option with a value that the encoder does not take is named",
    arguments: [
      ("tune", "nosuch"), ("profile", "nosuch"), ("level", "99"), ("x264opts", "nosuch=1"),
    ])
  func unknownValue(key: String, value: String) {
    let text = refusal("libx264", options: [EncoderOption(key, value)])
    #expect(text.contains(": leave out --encoder-option \(key), or give another value"), "\(text)")
  }

  @Test("an encoder that needs a certain size says so")
  func rates() {
    #expect(refusal("mpeg2video").isEmpty)
    let size = refusal("dvvideo", "out.mov", width: 64, height: 48)
    #expect(size.contains("64x48") && size.contains("--size"), "\(size)")
  }
}
