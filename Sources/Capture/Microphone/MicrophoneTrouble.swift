import V4L2Handles
import ALSAHandles
import Frames
import Glibc

extension CaptureError {
  /// Explains a failed call to the user, and says what to do about it.
  init(_ error: ALSAError, microphone name: String, node: String?) {
    if name == CapturePCM.monitor, error.call == "snd_pcm_open" {
      self.init(
        """
        the sound of the speakers cannot be recorded (\(error.reason)): it comes from PulseAudio, or from PipeWire with \
        pipewire-pulse, by ALSA's plugin for them (the package libasound2-plugins)
        """)
      return
    }
    // If a device may not be opened, ALSA says that it does not exist.
    let nodes = node.map { [$0] } ?? captureNodes()
    if let forbidden = nodes.first(where: { access($0, R_OK | W_OK) != 0 && errno == EACCES }),
      error.call == "snd_pcm_open", error.code != EBUSY
    {
      let group = groupName(of: forbidden)
      self.init(
        """
        the microphone \(name) may not be opened by this user: \(forbidden) belongs to the group \
        \(group); join it with sudo usermod -aG \(group) $USER and log in again
        """)
      return
    }
    switch (error.call, error.code) {
    case ("snd_pcm_open", EBUSY):
      let holders = nodes.flatMap { DeviceHolder.all(of: $0) }
      let by =
        holders.isEmpty
        ? "another program"
        : holders.map { "\($0.name) (process \($0.process))" }.joined(separator: ", ")
      self.init(
        """
        the microphone \(name) is in use by \(by); close it there, or choose another microphone from \
        kfrec devices
        """)
    case ("snd_pcm_open", _) where name == "default" && nodes.isEmpty:
      self.init("there is no microphone to record from; plug one in, or leave out --audio")
    case ("snd_pcm_open", _):
      self.init("there is no microphone \(name); kfrec devices lists the microphones")
    case ("snd_pcm_hw_params_set_format", _):
      self.init(
        "the microphone \(name) gives no samples that kfrec reads (16 or 32 bits); try plug:\(name)"
      )
    default:
      self.init(
        """
        the microphone \(name) does not start: \(error.reason) (\(error.call)); plug it in again, or \
        choose another one from kfrec devices
        """)
    }
  }
}

/// Returns the nodes of all devices of the system that record.
func captureNodes() -> [String] {
  names(in: "/dev/snd").filter { $0.hasPrefix("pcm") && $0.hasSuffix("c") }.map { "/dev/snd/" + $0 }
}
