#ifndef KF_CRUBBERBAND_SHIM_H
#define KF_CRUBBERBAND_SHIM_H

#include <rubberband/rubberband-c.h>

#endif
