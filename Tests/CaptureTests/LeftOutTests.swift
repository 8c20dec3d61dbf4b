import CFFmpeg
import FFmpegHandles
import Glibc
import Testing

@testable import Capture

@Suite("What kfrec leaves out of a file")
struct LeftOutTests {
  /// Adds a stream to a context.
  private func add(
    _ kind: AVMediaType, to context: UnsafeMutablePointer<AVFormatContext>
  ) throws -> UnsafeMutablePointer<AVStream> {
    let stream = try check(avformat_new_stream(context, nil), "avformat_new_stream", "test")
    stream.pointee.codecpar.pointee.codec_type = kind
    return stream
  }

  @Test("everything left out is listed: streams, side data, flags and side data of the first frame")
  func reported() throws {
    let context = try check(avformat_alloc_context(), "avformat_alloc_context", "test")
    defer { avformat_free_context(context) }
    let video = try add(AVMEDIA_TYPE_VIDEO, to: context)
    for type in [AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_STEREO3D, AV_PKT_DATA_DOVI_CONF] {
      let data = try #require(kf_new_stream_side_data(video, type, 64))
      // FFmpeg leaves the bytes as they were in memory; zeros in stereo 3D data are one picture for both eyes.
      memset(data, 1, 64)
    }
    let first = try add(AVMEDIA_TYPE_AUDIO, to: context)
    let second = try add(AVMEDIA_TYPE_AUDIO, to: context)
    second.pointee.disposition = AV_DISPOSITION_DEFAULT | AV_DISPOSITION_VISUAL_IMPAIRED
    for stream in [video, first, second] {
      av_dict_set(&stream.pointee.metadata, "title", "A name", 0)
    }
    let cover = try add(AVMEDIA_TYPE_VIDEO, to: context)
    cover.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
    let chapterPicture = try add(AVMEDIA_TYPE_VIDEO, to: context)
    chapterPicture.pointee.disposition =
      AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS
    _ = try add(AVMEDIA_TYPE_ATTACHMENT, to: context)
    for tag in ["tmcd", "text", "gpmd"] {
      let data = try add(AVMEDIA_TYPE_DATA, to: context)
      data.pointee.codecpar.pointee.codec_tag = tag.utf8.reversed().reduce(UInt32(0)) {
        $0 << 8 | UInt32($1)
      }
    }
    var leftOut = LeftOut(of: context, video: 0, audio: [1, 2])
    let frame = try AVFrameHandle()
    #expect(av_frame_new_side_data(frame.pointer, AV_FRAME_DATA_A53_CC, 8) != nil)
    #expect(av_frame_new_side_data(frame.pointer, AV_FRAME_DATA_DYNAMIC_HDR_PLUS, 8) != nil)
    leftOut.note(frame.pointer)
    #expect(
      leftOut.words(except: nil, hasSubtitles: false) == [
        "closed captions", "a cover image", "an attached file", "the timecode", "a data track",
        "3 titles of tracks", "spherical video data", "stereo 3D data", "HDR10+ data",
        "Dolby Vision data", "flags of audio tracks (default, visual impaired)",
      ])
  }

  @Test("nothing is listed where nothing is left out")
  func nothing() throws {
    let context = try check(avformat_alloc_context(), "avformat_alloc_context", "test")
    defer { avformat_free_context(context) }
    let video = try add(AVMEDIA_TYPE_VIDEO, to: context)
    // Many a VP9 file says of itself that it has one picture for both eyes.
    let flat = try #require(kf_new_stream_side_data(video, AV_PKT_DATA_STEREO3D, 64))
    memset(flat, 0, 64)
    try add(AVMEDIA_TYPE_AUDIO, to: context).pointee.disposition = AV_DISPOSITION_DEFAULT
    var leftOut = LeftOut(of: context, video: 0, audio: [1])
    let frame = try AVFrameHandle()
    let ofFrame = try #require(
      av_frame_new_side_data(frame.pointer, AV_FRAME_DATA_STEREO3D, 64))
    memset(ofFrame.pointee.data, 0, 64)
    leftOut.note(frame.pointer)
    #expect(leftOut.words(except: nil, hasSubtitles: false).isEmpty)
  }
}
