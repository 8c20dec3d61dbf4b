#include "DisplayLoss.h"

#include <SDL2/SDL_syswm.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <stdbool.h>

// One thread at a time has a display; others ask whether it is lost.
static int lost;

// Xlib ends the program when a display goes away, unless the program has a handler for that which returns, and the
// display has one too (XSetIOErrorExitHandler, libX11 1.7); and it crashes if it is called again for that display. So the
// first handler jumps out of SDL, whose state is of no use any more.
static _Thread_local jmp_buf *way_out;

// Xlib is loaded, as SDL does it, and not linked with: a machine without it needs none.
static void *of_xlib(const char *name) {
  static void *xlib;
  if (!xlib) xlib = dlopen("libX11.so.6", RTLD_NOW);
  return xlib ? dlsym(xlib, name) : NULL;
}

// Makes a call of SDL; `fallback` is the result if the display goes away, or is lost already.
#define GUARDED(type, fallback, call) \
  do { \
    jmp_buf here; \
    if (kf_display_is_lost()) return fallback; \
    if (setjmp(here) != 0) { \
      way_out = NULL; \
      kf_leave_display(); \
      return fallback; \
    } \
    way_out = &here; \
    type result = call; \
    way_out = NULL; \
    return result; \
  } while (0)

static int leave_sdl(Display *display) {
  (void)display;
  if (way_out) longjmp(*way_out, 1);
  return 0;
}

// For an error outside of SDL: in a call of the Vulkan driver.
static void note_loss(Display *display, void *data) {
  (void)display;
  (void)data;
  kf_leave_display();
}

void kf_leave_display(void) { __atomic_store_n(&lost, 1, __ATOMIC_RELAXED); }

bool kf_display_is_lost(void) { return __atomic_load_n(&lost, __ATOMIC_RELAXED) != 0; }

bool kf_open_display(void) {
  __atomic_store_n(&lost, 0, __ATOMIC_RELAXED);
  __typeof__(&XSetIOErrorHandler) set_handler = of_xlib("XSetIOErrorHandler");
  if (set_handler) set_handler(leave_sdl);
  GUARDED(bool, false, SDL_InitSubSystem(SDL_INIT_VIDEO) == 0);
}

static SDL_Window *open_window(const char *title, int width, int height, unsigned flags) {
  int place = (int)SDL_WINDOWPOS_UNDEFINED;
  SDL_Window *window = SDL_CreateWindow(title, place, place, width, height, flags);
  SDL_SysWMinfo info;
  SDL_VERSION(&info.version);
  __typeof__(&XSetIOErrorExitHandler) set_handler = of_xlib("XSetIOErrorExitHandler");
  if (set_handler && window && SDL_GetWindowWMInfo(window, &info) == SDL_TRUE && info.subsystem == SDL_SYSWM_X11)
    set_handler(info.info.x11.display, note_loss, NULL);
  return window;
}

SDL_Window *kf_open_window(const char *title, int width, int height, unsigned flags) {
  GUARDED(SDL_Window *, NULL, open_window(title, width, height, flags));
}

bool kf_usable_bounds(SDL_Rect *bounds) {
  GUARDED(bool, false, SDL_GetDisplayUsableBounds(0, bounds) == 0);
}

bool kf_next_event(SDL_Event *event) { GUARDED(bool, false, SDL_PollEvent(event) == 1); }

bool kf_set_full_screen(SDL_Window *window, unsigned flags) {
  GUARDED(bool, true, SDL_SetWindowFullscreen(window, flags) == 0);
}

bool kf_close_window(SDL_Window *window) { GUARDED(bool, false, (SDL_DestroyWindow(window), true)); }

bool kf_close_display(void) { GUARDED(bool, false, (SDL_QuitSubSystem(SDL_INIT_VIDEO), true)); }
