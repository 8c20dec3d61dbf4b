import ALSAHandles
import CPosix
import Frames
import Glibc

/// A raw MIDI device, a FIFO or a file with the bytes of a cable.
final class MIDIFile: MIDIInput {
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
    guard Self.kind(of: file) != S_IFDIR else {
      throw MIDIError("\(path) is a folder; name a MIDI device, a FIFO or a file in it")
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
    guard reader >= 0, kind(of: reader) == S_IFIFO else { return reader }
    let both = Glibc.open(path, O_RDWR | mode)
    guard both >= 0 else { return reader }
    close(reader)
    return both
  }

  /// What an open file is, as one of the S_IF constants; 0 if that is not known.
  private static func kind(of file: Int32) -> mode_t {
    var status = stat()
    return fstat(file, &status) == 0 ? status.st_mode & S_IFMT : 0
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
    let reason = count < 0 ? String(cString: strerror(errno)) : nil
    let (old, kind) = (file, Self.kind(of: file))
    // A FIFO that may not be opened for both has an end; opened anew it waits for its next writer.
    file = count == 0 && kind == S_IFIFO ? Self.open(path) : -1
    close(old)
    guard file < 0 else { return true }
    if kind == S_IFCHR {
      notify(Notice(.midiLost, path, "the MIDI device \(path) has gone away; kfrec waits for it"))
      return true
    }
    if let reason {
      notify(Notice(.midiLost, path, "\(path) cannot be read any more: \(reason)"))
    }
    return false
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
