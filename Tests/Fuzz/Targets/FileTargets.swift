import Glibc

@testable import Batch
@testable import Capture
@testable import Encode
@testable import Frames

/// Files that kfrec reads itself: of its own making, or of devices, but perhaps cut or changed since.
let fileTargets: [FuzzTarget] = [
  FuzzTarget(name: "journal") { bytes in
    _ = try? Journal.read(bytes, "fuzz.journal") { entry in
      _ = (entry.result, ChunkStore.Chunk(entry))
    }
  },
  FuzzTarget(name: "farm-plan") { bytes in
    var plan = FarmPlan(path: "fuzz.plan")
    try? plan.take(bytes)
    _ = try? plan.task(0)
    _ = plan.task(of: "a.mov")
  },
  FuzzTarget(name: "movie-fragment") { bytes in
    _ = FragmentRun.runs(ofFragment: bytes, at: 1 << 40)
  },
  .file("matroska", "fuzz.mkv") { path in
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    let size = Int64(lseek(file, 0, SEEK_END))
    _ = MatroskaElement.holdsCluster(file, size: size)
    _ = MatroskaElement.blocks(of: file, size: size)
  },
  .file("picture-items", "fuzz.avif") { path in
    guard let items = PictureItems(path) else { return }
    _ = (items.profile, items.orientation, items.photo.corrected(width: 64, height: 48))
  },
  FuzzTarget(name: "exif") { bytes in
    var photo = PhotoData()
    (photo.exif, photo.xmp) = (bytes, bytes)
    _ = (photo.orientation, photo.corrected(width: 64, height: 48))
  },
  .file("transport-stream", "fuzz.ts") { path in
    guard let scan = TransportScan(path, streams: [0x100, 0x101]) else { return }
    _ = scan.losses(before: 1000)
    scan.go(to: 376)
    _ = scan.losses(before: nil)
  },
  FuzzTarget(name: "camera-jpeg") { bytes in
    var end = JPEGEnd()
    bytes.withUnsafeBytes { _ = end.isWhole($0) }
  },
]
