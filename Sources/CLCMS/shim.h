#ifndef KF_CLCMS_SHIM_H
#define KF_CLCMS_SHIM_H

#include <lcms2.h>

// Macros that Swift does not import: layouts of pixels.
static inline cmsUInt32Number kf_rgba_8(void) { return TYPE_RGBA_8; }
static inline cmsUInt32Number kf_rgba_16(void) { return TYPE_RGBA_16; }
// The gray is in the first of four channels.
static inline cmsUInt32Number kf_gray_8(void) {
  return COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(1);
}
static inline cmsUInt32Number kf_gray_16(void) {
  return COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(2);
}

#endif
