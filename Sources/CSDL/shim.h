#ifndef KF_CSDL_SHIM_H
#define KF_CSDL_SHIM_H

#define SDL_MAIN_HANDLED
#include <SDL2/SDL.h>
#include <SDL2/SDL_syswm.h>
#include <SDL2/SDL_ttf.h>
#include <SDL2/SDL_vulkan.h>

// Macros that Swift does not import.
static inline int kf_sdl_undefined_position(void) { return (int)SDL_WINDOWPOS_UNDEFINED; }

static inline int kf_sdl_float_samples(void) { return AUDIO_F32SYS; }

// Xlib ends the whole program when its display goes away, unless the program has a handler for that which
// returns, and the display has one too (XSetIOErrorExitHandler, libX11 1.7). Sets `*lost` instead.
static int kf_note_nothing(Display *display) {
  (void)display;
  return 0;
}

static void kf_display_is_lost(Display *display, void *lost) {
  (void)display;
  __atomic_store_n((int *)lost, 1, __ATOMIC_RELAXED);
}

static inline void kf_sdl_outlive_display(SDL_Window *window, int *lost) {
  SDL_SysWMinfo info;
  SDL_VERSION(&info.version);
  if (SDL_GetWindowWMInfo(window, &info) == SDL_TRUE && info.subsystem == SDL_SYSWM_X11) {
    XSetIOErrorHandler(kf_note_nothing);
    XSetIOErrorExitHandler(info.info.x11.display, kf_display_is_lost, lost);
  }
}

static inline int kf_is_set(int *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }

#endif
