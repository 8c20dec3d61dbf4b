import CALSA
import Glibc

/// A recording device of a sound card.
package struct SoundCardDevice: Sendable, Equatable {
  /// ALSA's name, such as "hw:CARD=PCH,DEV=0".
  package let name: String
  /// The card's name, such as "HDA Intel PCH".
  package let card: String
  /// The device's name, such as "ALC257 Analog".
  package let device: String
  /// The card's driver ("HDA-Intel", "USB-Audio").
  package let driver: String
  /// The device node that is opened, such as "/dev/snd/pcmC0D0c".
  package let path: String
}

/// Returns the recording devices of all sound cards, by card and device number; it leaves out cards
/// that the user may not query.
package func soundCardDevices() -> [SoundCardDevice] {
  kf_silence_alsa()
  var devices: [SoundCardDevice] = []
  var card: Int32 = -1
  while snd_card_next(&card) >= 0, card >= 0 {
    devices += (try? SoundCard(number: card))?.devices ?? []
  }
  return devices
}

/// A sound card that the user may query; it has one owner.
private struct SoundCard: ~Copyable {
  private let number: Int32
  private let control: OpaquePointer

  init(number: Int32) throws(ALSAError) {
    var opened: OpaquePointer?
    try check(snd_ctl_open(&opened, "hw:\(number)", 0), "snd_ctl_open")
    control = try check(opened, "snd_ctl_open")
    self.number = number
  }

  deinit { snd_ctl_close(control) }

  var devices: [SoundCardDevice] {
    var (madeCard, madeDevice): (OpaquePointer?, OpaquePointer?)
    snd_ctl_card_info_malloc(&madeCard)
    snd_pcm_info_malloc(&madeDevice)
    defer {
      if let madeCard { snd_ctl_card_info_free(madeCard) }
      if let madeDevice { snd_pcm_info_free(madeDevice) }
    }
    guard let card = madeCard, let device = madeDevice, snd_ctl_card_info(control, card) >= 0
    else { return [] }
    let id = text(snd_ctl_card_info_get_id(card))
    var found: [SoundCardDevice] = []
    var index: Int32 = -1
    while snd_ctl_pcm_next_device(control, &index) >= 0, index >= 0 {
      snd_pcm_info_set_device(device, UInt32(index))
      snd_pcm_info_set_subdevice(device, 0)
      snd_pcm_info_set_stream(device, SND_PCM_STREAM_CAPTURE)
      // A device that only plays has no information about recording.
      guard snd_ctl_pcm_info(control, device) >= 0 else { continue }
      found.append(
        SoundCardDevice(
          name: "hw:CARD=\(id),DEV=\(index)", card: text(snd_ctl_card_info_get_name(card)),
          device: text(snd_pcm_info_get_name(device)),
          driver: text(snd_ctl_card_info_get_driver(card)),
          path: "/dev/snd/pcmC\(number)D\(index)c"))
    }
    return found
  }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String {
  pointer.map { String(cString: $0) } ?? ""
}
