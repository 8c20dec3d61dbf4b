#ifndef KF_CCHAFA_SHIM_H
#define KF_CCHAFA_SHIM_H

#include <chafa.h>

#endif
