#ifndef KF_CSDL_SHIM_H
#define KF_CSDL_SHIM_H

#define SDL_MAIN_HANDLED
#include <SDL2/SDL.h>
#include <SDL2/SDL_ttf.h>
#include <SDL2/SDL_vulkan.h>

// A macro that Swift does not import.
static inline int kf_sdl_float_samples(void) { return AUDIO_F32SYS; }

#endif
