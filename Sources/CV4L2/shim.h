#ifndef KF_CV4L2_SHIM_H
#define KF_CV4L2_SHIM_H

#include <errno.h>
#include <libv4lconvert.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

// ioctl is variadic and its request numbers are made by macros of casts, neither of which Swift
// imports. Each function makes one request, again where a signal came between; 0 or the negative
// error number.
static inline int kf_request(int device, unsigned long request, void *argument) {
  int result;
  do result = ioctl(device, request, argument);
  while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : 0;
}

#define KF_REQUEST(name, request, type) \
  static inline int kf_##name(int device, type *argument) { \
    return kf_request(device, request, argument); \
  }

KF_REQUEST(querycap, VIDIOC_QUERYCAP, struct v4l2_capability)
KF_REQUEST(enum_fmt, VIDIOC_ENUM_FMT, struct v4l2_fmtdesc)
KF_REQUEST(enum_framesizes, VIDIOC_ENUM_FRAMESIZES, struct v4l2_frmsizeenum)
KF_REQUEST(enum_frameintervals, VIDIOC_ENUM_FRAMEINTERVALS, struct v4l2_frmivalenum)
KF_REQUEST(g_fmt, VIDIOC_G_FMT, struct v4l2_format)
KF_REQUEST(s_fmt, VIDIOC_S_FMT, struct v4l2_format)
KF_REQUEST(try_fmt, VIDIOC_TRY_FMT, struct v4l2_format)
KF_REQUEST(g_parm, VIDIOC_G_PARM, struct v4l2_streamparm)
KF_REQUEST(s_parm, VIDIOC_S_PARM, struct v4l2_streamparm)
KF_REQUEST(reqbufs, VIDIOC_REQBUFS, struct v4l2_requestbuffers)
KF_REQUEST(querybuf, VIDIOC_QUERYBUF, struct v4l2_buffer)
KF_REQUEST(qbuf, VIDIOC_QBUF, struct v4l2_buffer)
KF_REQUEST(dqbuf, VIDIOC_DQBUF, struct v4l2_buffer)
KF_REQUEST(streamon, VIDIOC_STREAMON, int)
KF_REQUEST(streamoff, VIDIOC_STREAMOFF, int)
KF_REQUEST(enuminput, VIDIOC_ENUMINPUT, struct v4l2_input)
KF_REQUEST(g_input, VIDIOC_G_INPUT, int)
KF_REQUEST(query_dv_timings, VIDIOC_QUERY_DV_TIMINGS, struct v4l2_dv_timings)
KF_REQUEST(g_dv_timings, VIDIOC_G_DV_TIMINGS, struct v4l2_dv_timings)
KF_REQUEST(s_dv_timings, VIDIOC_S_DV_TIMINGS, struct v4l2_dv_timings)
KF_REQUEST(subscribe_event, VIDIOC_SUBSCRIBE_EVENT, struct v4l2_event_subscription)
KF_REQUEST(dqevent, VIDIOC_DQEVENT, struct v4l2_event)
KF_REQUEST(queryctrl, VIDIOC_QUERYCTRL, struct v4l2_queryctrl)
KF_REQUEST(querymenu, VIDIOC_QUERYMENU, struct v4l2_querymenu)
KF_REQUEST(g_ctrl, VIDIOC_G_CTRL, struct v4l2_control)
KF_REQUEST(s_ctrl, VIDIOC_S_CTRL, struct v4l2_control)

#undef KF_REQUEST

#endif
