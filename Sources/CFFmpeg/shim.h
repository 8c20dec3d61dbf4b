#ifndef KF_CFFMPEG_SHIM_H
#define KF_CFFMPEG_SHIM_H

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/base64.h>
#include <libavutil/cpu.h>
#include <libavutil/crc.h>
#include <libavutil/display.h>
#include <libavutil/ffversion.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/csp.h>
#include <libavutil/hash.h>
#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_drm.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/parseutils.h>
#include <libavutil/pixdesc.h>
#include <libavutil/stereo3d.h>
#include <libavutil/tx.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

#include "versions.h"

// Macros that Swift does not import: casts and character constants.
static inline int kf_averror(int errno_value) { return AVERROR(errno_value); }
static inline int kf_averror_eof(void) { return AVERROR_EOF; }
static inline int kf_averror_invaliddata(void) { return AVERROR_INVALIDDATA; }
static inline int kf_averror_patchwelcome(void) { return AVERROR_PATCHWELCOME; }
static inline int kf_averror_filter_not_found(void) { return AVERROR_FILTER_NOT_FOUND; }
static inline int kf_averror_external(void) { return AVERROR_EXTERNAL; }
static inline int kf_averror_exit(void) { return AVERROR_EXIT; }
static inline int64_t kf_av_nopts_value(void) { return AV_NOPTS_VALUE; }

// AVFormatContext.interrupt_callback takes a C function pointer beside an opaque one; set here
// because the anonymous struct member is awkward to assign from Swift.
static inline void kf_set_interrupt(
    AVFormatContext *context, int (*callback)(void *), void *opaque) {
  context->interrupt_callback.callback = callback;
  context->interrupt_callback.opaque = opaque;
}

// Swift does not import functions that take a va_list as callbacks. The receiver gets each line, and
// returns 0 to have it written as always.
typedef int (*kf_log_receiver)(int level, const char *line);

static inline kf_log_receiver *kf_log_place(void) {
  static kf_log_receiver place;
  return &place;
}

static inline int kf_load_relaxed(const int *number) {
  return __atomic_load_n(number, __ATOMIC_RELAXED);
}

static inline void kf_add_relaxed(int *number) { __atomic_fetch_add(number, 1, __ATOMIC_RELAXED); }

// Where an input or a decoder counts the errors that it logs: an int behind its `opaque`. A decoder's copies for its
// threads have the same `opaque`. What stands behind the `opaque` of an output is something else.
static inline int *kf_logged_errors(void *object) {
  if (object == NULL) return NULL;
  const AVClass *kind = *(const AVClass **)object;
  if (kind == avformat_get_class()) {
    const AVFormatContext *context = (const AVFormatContext *)object;
    return context->iformat != NULL ? (int *)context->opaque : NULL;
  }
  if (kind == avcodec_get_class()) {
    const AVCodecContext *context = (const AVCodecContext *)object;
    return av_codec_is_decoder(context->codec) ? (int *)context->opaque : NULL;
  }
  return NULL;
}

static inline void kf_log_line(void *object, int level, const char *format, va_list arguments) {
  int *errors = (level & 0xff) <= AV_LOG_ERROR ? kf_logged_errors(object) : NULL;
  if (errors != NULL) kf_add_relaxed(errors);
  kf_log_receiver receiver = __atomic_load_n(kf_log_place(), __ATOMIC_ACQUIRE);
  int isTaken = 0;
  if (receiver != NULL) {
    char line[1024] = "";
    int prefix = 0;
    va_list again;
    va_copy(again, arguments);
    // No prefix with the address of the object.
    av_log_format_line2(NULL, level, format, again, line, sizeof line, &prefix);
    va_end(again);
    isTaken = receiver(level, line);
  }
  if (!isTaken) av_log_default_callback(object, level, format, arguments);
}

// Counts logged errors from now on, and sends the log to a receiver; NULL has it written as always.
static inline void kf_set_log_receiver(kf_log_receiver receiver) {
  __atomic_store_n(kf_log_place(), receiver, __ATOMIC_RELEASE);
  av_log_set_callback(kf_log_line);
}

static inline void kf_count_logged_errors(void) { av_log_set_callback(kf_log_line); }

#endif
