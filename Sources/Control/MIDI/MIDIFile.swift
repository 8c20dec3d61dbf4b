import ALSAHandles
import CPosix
import Frames
import Glibc

/// A raw MIDI device, a FIFO or a file with the bytes of a cable.
final class MIDIFile: MIDIInput, @unchecked Sendable {
  // @unchecked: used by one thread at a time, as MIDIInput requires.
  private let path: String
  private var file: Int32
  private var decoder: MIDIDecoder
  private var latestTry = MonotonicTime.now

  /// - Throws: If it cannot be opened, or is a song.
  init(_ path: String) throws(MIDIError) {
    self.path = path
    do throws(ALSAError) { decoder = try MIDIDecoder() } catch {
      throw MIDIError("MIDI cannot be decoded: \(error.reason) (\(error.call))")
    }
    file = Self.open(path)
    guard file >= 0 else {
      throw MIDIError("\(path) cannot be opened: \(String(cString: strerror(errno)))")
    }
    var head = [UInt8](repeating: 0, count: 4)
    guard pread(file, &head, 4, 0) != 4 || head != Array("MThd".utf8) else {
      throw MIDIError(
        "\(path) is a song (Standard MIDI File); play it into a port, as aplaymidi does")
    }
  }

  deinit { if file >= 0 { close(file) } }

  /// A FIFO is opened for both, so that it has no end when its writer goes.
  private static func open(_ path: String) -> Int32 {
    let mode = O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    let reader = Glibc.open(path, O_RDONLY | mode)
    var status = stat()
    guard reader >= 0, fstat(reader, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
      return reader
    }
    let both = Glibc.open(path, O_RDWR | mode)
    guard both >= 0 else { return reader }
    close(reader)
    return both
  }

  var descriptors: [Int32] { file >= 0 ? [file] : [] }

  func read(_ take: (MIDIMessage) -> Void, notify: (Notice) -> Void) -> Bool {
    if file < 0 { return comeBack(notify) }
    var block = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(file, &block, block.count)
    if count < 0, [EAGAIN, EINTR].contains(errno) { return true }
    if count > 0 {
      for byte in block[..<count] { if let message = decoder.take(byte) { take(message) } }
      return true
    }
    var status = stat()
    let isDevice = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    close(file)
    file = -1
    guard isDevice else { return false }
    notify(Notice(.midiLost, path, "the MIDI device \(path) has gone away; kfrec waits for it"))
    return true
  }

  /// Opens a device again that had gone away, at most once a second.
  private func comeBack(_ notify: (Notice) -> Void) -> Bool {
    guard MonotonicTime.now.seconds(since: latestTry) > 1 else { return true }
    latestTry = .now
    file = Self.open(path)
    if file >= 0 {
      notify(Notice(.midiBack, path, "the MIDI device \(path) is back"))
    }
    return true
  }
}
