#ifndef KF_CFFMPEG_VERSIONS_H
#define KF_CFFMPEG_VERSIONS_H

// All that differs between the versions of FFmpeg that kfrec is built with: 5.1 and later. Beside each stands the release
// that brought it.

#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavformat/avformat.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// What kfrec is built with, as `avcodec_version()` and its kin tell what is loaded.
static const unsigned kf_built_avformat = LIBAVFORMAT_VERSION_INT;
static const unsigned kf_built_avcodec = LIBAVCODEC_VERSION_INT;
static const unsigned kf_built_avutil = LIBAVUTIL_VERSION_INT;
static const unsigned kf_built_avfilter = LIBAVFILTER_VERSION_INT;
static const unsigned kf_built_swscale = LIBSWSCALE_VERSION_INT;
static const unsigned kf_built_swresample = LIBSWRESAMPLE_VERSION_INT;

// 7.0: a write callback gets constant bytes.
typedef int (*kf_transfer)(void *opaque, uint8_t *bytes, int count);

static inline AVIOContext *kf_avio_context(
    uint8_t *buffer, int size, kf_transfer read, kf_transfer write,
    int64_t (*seek)(void *opaque, int64_t offset, int whence)) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  int (*writeConstant)(void *, const uint8_t *, int) = (int (*)(void *, const uint8_t *, int))write;
#else
  kf_transfer writeConstant = write;
#endif
  return avio_alloc_context(buffer, size, write != NULL, NULL, read, writeConstant, seek);
}

// 6.0: a decoder copies the `opaque` of a packet to its frame. 7.0: `reordered_opaque` is gone.
static inline void kf_copy_packet_numbers(AVCodecContext *decoder) {
#if LIBAVCODEC_VERSION_MAJOR >= 60
  decoder->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
#else
  (void)decoder;
#endif
}

// Sends a packet, whose frame then has the number.
static inline int kf_send_numbered(AVCodecContext *decoder, AVPacket *packet, int64_t number) {
#if LIBAVCODEC_VERSION_MAJOR >= 60
  if (packet != NULL) packet->opaque = (void *)(intptr_t)number;
#else
  decoder->reordered_opaque = number;
#endif
  return avcodec_send_packet(decoder, packet);
}

static inline int64_t kf_packet_number(const AVFrame *frame) {
#if LIBAVCODEC_VERSION_MAJOR >= 60
  return (intptr_t)frame->opaque;
#else
  return frame->reordered_opaque;
#endif
}

// 6.0: `AVFrame.duration`.
static inline int64_t kf_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR >= 58
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}

// 6.1: fields are flags of a frame.
static inline int kf_is_interlaced(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_INTERLACED
  return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
  return frame->interlaced_frame;
#endif
}

static inline int kf_is_top_field_first(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_TOP_FIELD_FIRST
  return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
  return frame->top_field_first;
#endif
}

static inline void kf_set_fields(AVFrame *frame, int isInterlaced, int isTopFirst) {
#ifdef AV_FRAME_FLAG_INTERLACED
  frame->flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
  if (isInterlaced) frame->flags |= AV_FRAME_FLAG_INTERLACED;
  if (isTopFirst) frame->flags |= AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
  frame->interlaced_frame = isInterlaced;
  frame->top_field_first = isTopFirst;
#endif
}

// 6.1: the side data of a stream lies with its parameters.
#define KF_SIDE_DATA_IN_PARAMETERS (LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100))

static inline const uint8_t *kf_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
#if KF_SIDE_DATA_IN_PARAMETERS
  const AVPacketSideData *found = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  if (size != NULL) *size = found != NULL ? found->size : 0;
  return found != NULL ? found->data : NULL;
#else
  return av_stream_get_side_data(stream, type, size);
#endif
}

static inline uint8_t *kf_new_stream_side_data(
    AVStream *stream, enum AVPacketSideDataType type, size_t size) {
#if KF_SIDE_DATA_IN_PARAMETERS
  AVPacketSideData *made = av_packet_side_data_new(
      &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, type, size, 0);
  return made != NULL ? made->data : NULL;
#else
  return av_stream_new_side_data(stream, type, size);
#endif
}

// 6.0: the Matroska muxer adds the CodecDelay that it writes to the times, from which readers subtract it.
static const int kf_matroska_adds_delay = LIBAVFORMAT_VERSION_MAJOR >= 60;

// 7.1: what an encoder takes is asked by a function. Each list ends as it always did; NULL for an encoder without one.
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
static inline const void *kf_supported(const AVCodec *codec, enum AVCodecConfig kind) {
  const void *list = NULL;
  return avcodec_get_supported_config(NULL, codec, kind, 0, &list, NULL) >= 0 ? list : NULL;
}
#define KF_SUPPORTED(codec, kind, field) kf_supported(codec, kind)
#else
#define KF_SUPPORTED(codec, kind, field) (codec)->field
#endif

static inline const enum AVPixelFormat *kf_pixel_formats(const AVCodec *codec) {
  return KF_SUPPORTED(codec, AV_CODEC_CONFIG_PIX_FORMAT, pix_fmts);
}
static inline const AVRational *kf_frame_rates(const AVCodec *codec) {
  return KF_SUPPORTED(codec, AV_CODEC_CONFIG_FRAME_RATE, supported_framerates);
}
static inline const int *kf_sample_rates(const AVCodec *codec) {
  return KF_SUPPORTED(codec, AV_CODEC_CONFIG_SAMPLE_RATE, supported_samplerates);
}
static inline const enum AVSampleFormat *kf_sample_formats(const AVCodec *codec) {
  return KF_SUPPORTED(codec, AV_CODEC_CONFIG_SAMPLE_FORMAT, sample_fmts);
}
static inline const AVChannelLayout *kf_channel_layouts(const AVCodec *codec) {
  return KF_SUPPORTED(codec, AV_CODEC_CONFIG_CHANNEL_LAYOUT, ch_layouts);
}

// 8.0: a scaler is a struct that everybody sees, and its flags are an enumeration.
typedef struct kf_scaler kf_scaler;

static const int kf_sws_point = SWS_POINT;
static const int kf_sws_area = SWS_AREA;
static const int kf_sws_bilinear = SWS_BILINEAR;
static const int kf_sws_exact_bicubic =
    SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;

static inline kf_scaler *kf_scaler_make(
    int width, int height, enum AVPixelFormat format, int targetWidth, int targetHeight,
    enum AVPixelFormat targetFormat, int flags) {
  return (kf_scaler *)sws_getContext(
      width, height, format, targetWidth, targetHeight, targetFormat, flags, NULL, NULL, NULL);
}

static inline void kf_scaler_free(kf_scaler *scaler) { sws_freeContext((struct SwsContext *)scaler); }

// Coefficients of `sws_getCoefficients`, and 1 for the full range.
static inline int kf_scaler_set_colors(
    kf_scaler *scaler, const int *coefficients, int isFull, const int *targetCoefficients,
    int isTargetFull) {
  return sws_setColorspaceDetails(
      (struct SwsContext *)scaler, coefficients, isFull, targetCoefficients, isTargetFull, 0, 1 << 16,
      1 << 16);
}

// Returns the number of rows that it made.
static inline int kf_scaler_scale(
    kf_scaler *scaler, const uint8_t *const planes[], const int strides[], int rows,
    uint8_t *const targets[], const int targetStrides[]) {
  return sws_scale((struct SwsContext *)scaler, planes, strides, 0, rows, targets, targetStrides);
}

static inline int kf_scaler_scale_frame(kf_scaler *scaler, AVFrame *target, const AVFrame *frame) {
  return sws_scale_frame((struct SwsContext *)scaler, target, frame);
}

#endif
