import CFFmpeg
import FFmpegHandles
import Frames
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
}
