import CFFmpeg
import FFmpegHandles
import Frames
import TestSupport
import Testing

@testable import Capture

/// Tests of decoding by hardware, as far as no hardware is needed.
@Suite("Decoders on hardware")
struct HardwareDecodingTests {
  @Test("each codec's sample is a frame that the processor decodes")
  func samples() {
    for sample in CodecSample.all {
      let name = String(cString: avcodec_get_name(sample.codec))
      guard let decoder = avcodec_find_decoder(sample.codec) else {
        Issue.record("no decoder of \(name)")
        continue
      }
      #expect(sample.isDecoded(by: decoder, nil), "\(name)")
    }
  }

  @Test("AV1 has a decoder of its own for hardware")
  func otherDecoder() throws {
    let software = try #require(avcodec_find_decoder(AV_CODEC_ID_AV1))
    #expect(HardwareDevice.kinds(of: software)["cuda"] == nil)
    for name in ["cuda", "vaapi", "vdpau"] {
      let decoder = try #require(HardwareDevice.decoder(instead: software, on: name))
      #expect(String(cString: decoder.pointee.name) == "av1")
    }
    #expect(HardwareDevice.decoder(instead: software, on: "opencl") == nil)
    let hevc = try #require(avcodec_find_decoder(AV_CODEC_ID_HEVC))
    #expect(HardwareDevice.decoder(instead: hevc, on: "cuda") == hevc)
    // It was chosen for the alpha that FFmpeg's own ignores.
    let alpha = try #require(avcodec_find_decoder_by_name("libvpx-vp9"))
    #expect(HardwareDevice.decoder(instead: alpha, on: "cuda") == nil)
  }

  @Test("NVDEC is asked for no more frames than it has, for a stream of up to 20")
  func nvidiaFrames() {
    for threads in [0, 1, 2, 16, 64] {
      let room = HardwareDevice.room(of: .nvidia, threads: threads, keptFrames: 12)
      #expect(room.threads >= 1 && 20 + 5 + room.threads + room.extraFrames <= 32)
      #expect(threads == 0 || room.threads <= threads)
    }
    #expect(HardwareDevice.room(of: .vaapi, threads: 0, keptFrames: 12) == (0, 12))
    #expect(HardwareDevice.room(of: nil, threads: 7, keptFrames: 12) == (7, 0))
  }

  @Test("every decoder works, or gives a reason that helps")
  func reasons() {
    let listings = listHardwareDecoders()
    #expect(Set(listings.map(\.name)).isSuperset(of: ["cuda", "vaapi", "vdpau"]))
    for refusal in listings.compactMap(\.refusal) {
      for word in ["FFmpeg gives no reason", "behind it failed", "Bad address"] {
        #expect(!refusal.contains(word), "\(refusal)")
      }
    }
  }

  @Test("that the processor decodes is said in one sentence, with the reason of what was named")
  func sentences() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/film.mp4"
    try ffmpeg(["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25", "-frames:v", "3", path])
    for (preference, words) in [
      (
        HardwarePreference.automatic,
        "because no hardware for it works here; kfrec devices --verbose"
      ),
      (.family(.vaapi), "(VA-API: "),
    ] {
      let description = try ReadSource(path) { $0.hardware = preference }.description
      let said = description.notices.filter { $0.id == .sourceHardware }
      if description.decoder?.contains(" by ") == true {
        #expect(said.isEmpty)
      } else {
        #expect(said.count == 1)
        #expect(said.first?.message.contains("is decoded by the processor \(words)") == true)
      }
    }
  }
}
