import Frames
import Glibc

enum WrittenSamples {
  /// Returns the counts by stream, from 0; `format` is the frames', which uncompressed files store unchanged.
  static func count(
    in file: Int32, size: Int64, container: Container, format: FrameFormat
  ) -> [Int] {
    switch container.structure {
    case .movie: return movie(file, size)
    case .plain(header: true): return [frames(file, size, format)]
    case .plain(header: false): return [Int(size) / bytes(ofFrame: format)]
    case .animation(let animation): return [animation.count(in: file, size: size)]
    case .packets: return []
    case .matroska: break
    }
    let blocks = MatroskaElement.blocks(of: file, size: size)
    // libavformat numbers tracks from 1 in the order of the streams.
    return (0..<(blocks.keys.max() ?? 0)).map { blocks[$0 + 1] ?? 0 }
  }

  /// Returns the bytes that the planes of an uncompressed frame take.
  static func bytes(ofFrame format: FrameFormat) -> Int {
    format.pixelFormat.layout.planes.reduce(0) { bytes, plane in
      bytes + plane.width(format.width) * plane.bytesPerTexel * plane.height(format.height)
    }
  }

  /// Counts the frames of a y4m: a line of text, and then for each frame the line FRAME and its
  /// planes.
  private static func frames(_ file: Int32, _ size: Int64, _ format: FrameFormat) -> Int {
    var start = [UInt8](repeating: 0, count: 512)
    let count = max(pread(file, &start, start.count, 0), 0)
    guard let line = start[..<count].firstIndex(of: UInt8(ascii: "\n")) else { return 0 }
    let picture = bytes(ofFrame: format)
    let word = Array("FRAME\n".utf8)
    let step = Int64(picture + word.count)
    // Each line is looked for: a file may have the right length, but holes.
    return stride(from: Int64(line) + 1, through: size - step, by: Int(step)).count {
      MovieBox.bytes(of: file, at: $0, count: word.count) == word
    }
  }

  /// Counts the samples of a MOV or MP4, in its tables, and in its fragments if it has any.
  static func movie(_ file: Int32, _ size: Int64) -> [Int] {
    var counts: [Int] = []
    func add(_ count: Int, to stream: Int) {
      guard (0..<1024).contains(stream) else { return }
      counts += Array(repeating: 0, count: max(stream + 1 - counts.count, 0))
      counts[stream] += count
    }
    for box in MovieBox.boxes(of: file, from: 0, to: size) {
      if box.type == MovieBox.movie {
        let track = MovieBox.fourCharacters("trak")
        for (stream, box) in box.children(of: file).filter({ $0.type == track }).enumerated() {
          // Version and flags, the size that all samples have, and the number of samples (ISO/IEC
          // 14496-12, 8.7.3.2).
          guard let sizes = box.child(["mdia", "minf", "stbl", "stsz"], of: file),
            let fields = MovieBox.bytes(of: file, at: sizes.position + 8, count: 12)
          else { continue }
          add(Int(fields.bigEndian32(8)), to: stream)
        }
      } else if box.type == MovieBox.fragment, let contents = box.contents(of: file) {
        for run in FragmentRun.runs(ofFragment: contents, at: box.position) ?? [] {
          add(run.sizes.count, to: run.stream)
        }
      }
    }
    return counts
  }
}
