#ifndef KF_SPIRV_OPTIMIZER_H
#define KF_SPIRV_OPTIMIZER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Runs SPIRV-Tools' passes for speed over a module, as shaderc does; SPIRV-Tools has them for C++ alone.
///
/// Returns the new module, whose length in words is in `count` then and which `free` lets go; NULL
/// where the module is none, or for lack of memory.
uint32_t *kf_optimize_spirv(const uint32_t *words, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
