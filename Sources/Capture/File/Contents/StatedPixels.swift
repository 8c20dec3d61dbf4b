import CFFmpeg
import FFmpegHandles
import Frames

/// Returns how many pixels all frames of a file's video have by what its header says, at most 10^14; nil if it does not.
///
/// It is an estimate of the time that the file takes. No frame is read, and no other file is opened.
public func statedPixels(ofFile path: String) -> Int64? {
  let file = FileInput(name: path, url: "file:" + path, isOneFile: true, options: [])
  guard let input = try? Demuxer.open(file, interruption: Interruption()) else { return nil }
  let context = input.pointer
  let number = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
  guard number >= 0, let stream = context.pointee.streams?[Int(number)] else { return nil }
  // A fragmented file counts the frames of its index alone, and Matroska none.
  let rate = av_q2d(stream.pointee.avg_frame_rate)
  let reckoned =
    Double(max(context.pointee.duration, 0)) / 1_000_000 * (rate > 0 && rate < 1000 ? rate : 25)
  let frames = max(Double(stream.pointee.nb_frames), reckoned)
  let size = stream.pointee.codecpar.pointee
  guard frames > 0, size.width > 0, size.height > 0 else { return nil }
  return Int64(min(frames * Double(size.width) * Double(size.height), 1e14))
}
