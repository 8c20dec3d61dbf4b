import CALSA
import Glibc

/// The address of a port of ALSA's sequencer.
package struct SequencerAddress: Hashable, Sendable {
  package let client: Int
  package let port: Int
}

/// A port of another program or of a device, from which messages can come.
package struct SequencerSource: Sendable {
  package let address: SequencerAddress
  /// The names of the client and of the port.
  package let name: String
  /// Whether it belongs to a device and not to a program.
  package let isDevice: Bool
}

/// What comes to a port.
package enum SequencerEvent: Sendable, Equatable {
  case message(MIDIMessage)
  case appeared(SequencerAddress)
  case vanished(SequencerAddress)
  /// Messages were lost because they came faster than they were read.
  case overflow
  /// What means nothing here.
  case other
}

extension SequencerEvent {
  /// Reads an event of libasound.
  init(_ event: snd_seq_event_t) {
    let address = SequencerAddress(
      client: Int(event.data.addr.client), port: Int(event.data.addr.port))
    // Any program may send the events of the kernel, which is client 0.
    let isOfSystem = event.source.client == 0
    switch UInt32(event.type) {
    case SND_SEQ_EVENT_PORT_START.rawValue: self = isOfSystem ? .appeared(address) : .other
    case SND_SEQ_EVENT_PORT_EXIT.rawValue: self = isOfSystem ? .vanished(address) : .other
    default: self = MIDIMessage(event).map { .message($0) } ?? .other
    }
  }
}

/// A port of ALSA's sequencer that receives messages, also those that announce other ports.
///
/// Used by one thread at a time.
package struct SequencerPort: ~Copyable {
  private let sequencer: OpaquePointer
  private let port: Int32
  private let client: Int32

  /// Messages that may wait to be read.
  private static let capacity = 2000

  /// Opens the port, which other programs see by this name; fails if the user may not use the sequencer.
  package init(name: String) throws(ALSAError) {
    kf_silence_alsa()
    var opened: OpaquePointer?
    try check(
      snd_seq_open(&opened, "default", kf_seq_input(), kf_seq_nonblocking()), "snd_seq_open")
    let sequencer = try check(opened, "snd_seq_open")
    var (port, client) = (Int32(0), Int32(0))
    do throws(ALSAError) {
      client = try check(snd_seq_client_id(sequencer), "snd_seq_client_id")
      try check(snd_seq_set_client_name(sequencer, name), "snd_seq_set_client_name")
      // More is better, but not needed.
      snd_seq_set_client_pool_input(sequencer, Self.capacity)
      port = try check(
        snd_seq_create_simple_port(sequencer, name, kf_seq_writable(), kf_seq_port_type()),
        "snd_seq_create_simple_port")
      // Port 1 of client 0 announces ports that appear and vanish.
      try check(snd_seq_connect_from(sequencer, port, 0, 1), "snd_seq_connect_from")
    } catch {
      snd_seq_close(sequencer)
      throw error
    }
    (self.sequencer, self.port, self.client) = (sequencer, port, client)
  }

  deinit { snd_seq_close(sequencer) }

  /// For `poll`.
  package var descriptors: [Int32] {
    let count = max(snd_seq_poll_descriptors_count(sequencer, Int16(POLLIN)), 0)
    var polled = [pollfd](repeating: pollfd(), count: Int(count))
    snd_seq_poll_descriptors(sequencer, &polled, UInt32(count), Int16(POLLIN))
    return polled.map(\.fd)
  }

  /// Lists what messages can come from, without this program itself.
  package var sources: [SequencerSource] {
    var found: [SequencerSource] = []
    var clientInfo: OpaquePointer?
    var portInfo: OpaquePointer?
    guard snd_seq_client_info_malloc(&clientInfo) >= 0, let clientInfo else { return [] }
    defer { snd_seq_client_info_free(clientInfo) }
    guard snd_seq_port_info_malloc(&portInfo) >= 0, let portInfo else { return [] }
    defer { snd_seq_port_info_free(portInfo) }
    snd_seq_client_info_set_client(clientInfo, -1)
    while snd_seq_query_next_client(sequencer, clientInfo) >= 0 {
      let number = snd_seq_client_info_get_client(clientInfo)
      guard number != 0, number != client else { continue }
      let clientName = snd_seq_client_info_get_name(clientInfo).map { String(cString: $0) } ?? ""
      // Midi Through belongs to the kernel, but repeats what programs send.
      let isDevice =
        snd_seq_client_info_get_type(clientInfo) == SND_SEQ_KERNEL_CLIENT
        && clientName != "Midi Through"
      snd_seq_port_info_set_client(portInfo, number)
      snd_seq_port_info_set_port(portInfo, -1)
      while snd_seq_query_next_port(sequencer, portInfo) >= 0 {
        let abilities = snd_seq_port_info_get_capability(portInfo)
        guard abilities & kf_seq_readable() == kf_seq_readable() else { continue }
        let portName = snd_seq_port_info_get_name(portInfo).map { String(cString: $0) } ?? ""
        found.append(
          SequencerSource(
            address: SequencerAddress(
              client: Int(number), port: Int(snd_seq_port_info_get_port(portInfo))),
            name: portName.hasPrefix(clientName) ? portName : clientName + " " + portName,
            isDevice: isDevice))
      }
    }
    return found
  }

  /// Lets messages come from a port; it may be connected already.
  package func connect(from address: SequencerAddress) throws(ALSAError) {
    let result = snd_seq_connect_from(
      sequencer, port, Int32(address.client), Int32(address.port))
    guard result != -EBUSY else { return }
    try check(result, "snd_seq_connect_from")
  }

  /// Takes the next event that has come; nil if there is none.
  package func next() throws(ALSAError) -> SequencerEvent? {
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    let result = snd_seq_event_input(sequencer, &event)
    if result == -EAGAIN || result == -EINTR { return nil }
    if result == -ENOSPC { return .overflow }
    try check(result, "snd_seq_event_input")
    return event.map { SequencerEvent($0.pointee) }
  }
}
