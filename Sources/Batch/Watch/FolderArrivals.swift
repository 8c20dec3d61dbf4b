import CPosix
import Encode
import Frames
import Glibc

/// Reports the files of some folders that are complete, as they arrive.
///
/// inotify says when a program closes a file that it wrote, or renames it into place. A file that was there
/// before, a link, and every file of a network drive is complete if it does not change for a while.
/// Used by one thread.
struct FolderArrivals {
  private struct Folder {
    let path: String
    /// The folder below the watched one, as in `BatchInput`.
    let below: String
    /// Which folder it is under any name; nil if it is not there.
    var identity: FileIdentity?

    /// Whether it is at its path, and was not moved or removed.
    var isThere: Bool { identity != nil && FileIdentity.folder(path) == identity }
  }

  private let entersSubfolders: Bool
  private let outputFolder: String
  /// Seconds for which a complete file did not change.
  private let quiet: Double
  /// Seconds between two readings of folders without inotify.
  private let interval: Double
  private let usesNotifier: Bool
  private let notifier: Int32
  private let arrived: (BatchInput) -> Void
  private let notice: (String) -> Void

  private var folders: [Int32: Folder] = [:]
  private var polled: [Folder] = []
  private var lastReading = MonotonicTime.now
  private var seen: [ExactPath: FileStamp] = [:]
  /// Files that may still grow, and since when they did not change.
  private var settling: [ExactPath: (folder: String, stamp: FileStamp, since: MonotonicTime)] =
    [:]
  /// Sentences about what is left out, each of which is told once.
  private var reported: Set<String> = []

  /// - Parameters:
  ///   - request: The folders to watch.
  ///   - quiet: Seconds for which a complete file did not change.
  ///   - usesNotifier: Whether inotify is used where it works.
  ///   - arrived: Called with each complete file, and again if it changed.
  ///   - notice: Called with a warning.
  init(
    _ request: BatchRequest, quiet: Double = 10, usesNotifier: Bool = true,
    arrived: @escaping (BatchInput) -> Void, notice: @escaping (String) -> Void
  ) {
    entersSubfolders = request.entersSubfolders
    outputFolder = request.outputFolder
    (self.quiet, interval, self.usesNotifier) = (quiet, quiet / 5, usesNotifier)
    (self.arrived, self.notice) = (arrived, notice)
    notifier = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
  }

  mutating func run(_ folders: [String], until interruption: Interruption) {
    defer { if notifier >= 0 { close(notifier) } }
    for folder in folders {
      watch(Folder(path: folder, below: "", identity: .folder(folder)))
    }
    while !interruption.isInterrupted {
      let pause = settling.isEmpty && polled.isEmpty ? 60 : min(interval, 1)
      var waited = [
        pollfd(fd: notifier, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&waited, 2, Int32(pause * 1000)) > 0, waited[0].revents != 0 { readEvents() }
      for (number, folder) in self.folders where folder.below.isEmpty { leave(number, folder) }
      if MonotonicTime.now.seconds(since: lastReading) >= interval, !polled.isEmpty {
        lastReading = .now
        for place in polled.indices { polled[place].identity = .folder(polled[place].path) }
        for folder in polled { read(folder) }
      }
      settle()
    }
  }

  /// Watches a folder, and reports what is in it.
  private mutating func watch(_ folder: Folder) {
    let mask =
      UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_CREATE) | UInt32(IN_MOVE_SELF)
      | UInt32(IN_ONLYDIR)
    // One that cannot be read may be allowed later.
    let isUnseen =
      !usesNotifier || isChangedUnseen(folder.path) || access(folder.path, R_OK | X_OK) != 0
    let number = isUnseen ? -1 : inotify_add_watch(notifier, folder.path, mask)
    if number >= 0 {
      folders[number] = folder
    } else {
      if !isUnseen, errno == ENOSPC {
        notice(
          "the system gives no more inotify watches (fs.inotify.max_user_watches); \(folder.path) is read every "
            + "few seconds instead")
      }
      polled.append(folder)
    }
    read(folder)
  }

  /// Reads a folder: what did not change for a while is complete, the rest is looked at again.
  private mutating func read(_ folder: Folder) {
    guard let names = access(folder.path, R_OK | X_OK) == 0 ? contents(of: folder.path) : nil
    else {
      let code = errno
      // One that is gone may come back.
      guard code != ENOENT, code != ENOTDIR else { return }
      return tell(
        "the folder \(folder.path) cannot be read (\(String(cString: strerror(code)))), and its files are left out; "
          + "allow it")
    }
    var links: [(path: String, name: String)] = []
    for name in names where isTaken(name, in: folder) {
      let path = folder.path + "/" + name
      guard let identity = FileIdentity.folder(path) else {
        wait(for: path, in: folder)
        continue
      }
      if FileIdentity(at: path) == identity {
        enter(path, name, in: folder)
      } else {
        links.append((path, name))
      }
    }
    // Last, so that a folder is found under its own name if it has one here.
    for link in links { enter(link.path, link.name, in: folder) }
  }

  /// Whether a file with this name is taken; reports a name that is not UTF-8.
  private mutating func isTaken(_ name: String, in folder: Folder) -> Bool {
    guard !name.isEmpty, !name.hasPrefix(".") else { return false }
    guard name.contains("\u{fffd}") else { return true }
    tell("\(folder.path)/\(name) is left out, because its name is not UTF-8; rename it")
    return false
  }

  private mutating func tell(_ sentence: String) {
    if reported.insert(sentence).inserted { notice(sentence) }
  }

  /// Forgets a folder that is not at its path any more, and those that were in it.
  private mutating func leave(_ number: Int32, _ folder: Folder) {
    guard !folder.isThere else { return }
    let inside = Array((folder.path + "/").utf8)
    for (other, inner) in folders
    where other == number || inner.path.utf8.starts(with: inside) && !inner.isThere {
      inotify_rm_watch(notifier, other)
      folders[other] = nil
      // A watched one may come back.
      if inner.below.isEmpty { polled.append(inner) }
    }
  }

  private mutating func enter(_ path: String, _ name: String, in folder: Folder) {
    // Links may lead in a circle, and to a folder that is watched under another name.
    guard entersSubfolders, let identity = FileIdentity.folder(path),
      identity != FileIdentity.folder(outputFolder),
      // One that was moved is entered again, at its new path.
      !(Array(folders.values) + polled).contains(where: { $0.identity == identity && $0.isThere })
    else { return }
    polled.removeAll { !$0.below.isEmpty && !$0.isThere }
    watch(
      Folder(
        path: path, below: folder.below.isEmpty ? name : folder.below + "/" + name,
        identity: identity))
  }

  private mutating func wait(for path: String, in folder: Folder) {
    guard let stamp = FolderArrivals.stamp(of: path), seen[path] != stamp else { return }
    if settling[path]?.stamp == stamp { return }
    // A file that is older than the wait need not wait; a clock of another machine may be wrong.
    let age = Double(Glibc.time(nil)) - Double(stamp.time / 1_000_000_000)
    if settling[path] == nil, age > quiet, age < 1e9 {
      report(path, stamp, folder.below)
    } else {
      settling[path] = (folder.below, stamp, .now)
    }
  }

  private mutating func settle() {
    for (path, file) in settling.sorted(by: { $0.key.text < $1.key.text }) {
      let stamp = FolderArrivals.stamp(of: path.text)
      if let stamp, stamp != file.stamp {
        settling[path] = (file.folder, stamp, .now)
      } else if stamp == nil {
        settling[path] = nil
      } else if MonotonicTime.now.seconds(since: file.since) >= quiet {
        report(path.text, file.stamp, file.folder)
      }
    }
  }

  private mutating func report(_ path: String, _ stamp: FileStamp, _ folder: String) {
    settling[path] = nil
    guard seen[path] != stamp else { return }
    seen[path] = stamp
    arrived(BatchInput(path: path, folder: folder))
  }

  private mutating func readEvents() {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(notifier, &bytes, bytes.count)
      guard count > 0 else { return }
      var events: [(number: Int32, mask: UInt32, name: String)] = []
      bytes.withUnsafeBytes { bytes in
        var at = 0
        // The event's head: a number, the mask, a cookie, and the bytes of the name.
        while at + 16 <= count {
          let length = Int(bytes.loadUnaligned(fromByteOffset: at + 12, as: UInt32.self))
          let name = bytes[(at + 16)..<min(at + 16 + length, count)].prefix { $0 != 0 }
          events.append(
            (
              bytes.loadUnaligned(fromByteOffset: at, as: Int32.self),
              bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self),
              String(decoding: name, as: UTF8.self)
            ))
          at += 16 + length
        }
      }
      for event in events { handle(event.number, event.mask, event.name) }
    }
  }

  private mutating func handle(_ number: Int32, _ mask: UInt32, _ name: String) {
    if mask & UInt32(IN_Q_OVERFLOW) != 0 {
      // Events were lost.
      for folder in folders.values { read(folder) }
      return
    }
    guard let folder = folders[number] else { return }
    if mask & UInt32(IN_IGNORED) != 0 {
      // The folder was removed; a watched one may come back.
      folders[number] = nil
      if folder.below.isEmpty { polled.append(folder) }
      return
    }
    if mask & UInt32(IN_MOVE_SELF) != 0 { return leave(number, folder) }
    guard isTaken(name, in: folder) else { return }
    let path = folder.path + "/" + name
    if entersSubfolders, FileIdentity.folder(path) != nil {
      // A link may have come in the place of another folder.
      for (other, known) in folders where known.path == path { leave(other, known) }
      enter(path, name, in: folder)
    } else if mask & (UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO)) != 0 {
      if let stamp = FolderArrivals.stamp(of: path) { report(path, stamp, folder.below) }
    } else {
      wait(for: path, in: folder)
    }
  }

  /// The stamp of a file that can be an input; nil for another one, and for one that is empty yet.
  private static func stamp(of path: String) -> FileStamp? {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard BatchInputs.reasonToSkip(name) == nil, let stamp = FileStamp.ofFile(path), stamp.size > 0
    else { return nil }
    return stamp
  }
}
