import Glibc

/// A file system in memory that is soon full, in the folder `disk` of a temporary folder, until the object is released;
/// nil where root may not mount, as in some containers.
package final class SmallDisk {
  package let path: String

  /// - Parameters:
  ///   - folder: The temporary folder.
  ///   - size: Its size as `mount` takes it, such as "512k".
  /// - Throws: If `mount` cannot be started.
  package init?(in folder: TemporaryFolder, size: String) throws {
    path = folder.file("disk")
    mkdir(path, 0o755)
    let mounted = try ChildProcess(
      "mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path]
    ).wait()
    guard mounted.exitCode == 0 else { return nil }
  }

  deinit { _ = try? runTool("umount", [path]) }
}
