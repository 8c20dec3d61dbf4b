#ifndef KF_CSHADERC_SHIM_H
#define KF_CSHADERC_SHIM_H

#include <shaderc/shaderc.h>

#endif
