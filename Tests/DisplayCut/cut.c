// Takes the display away from a program while it closes a window, as a preloaded library: the program's connection to the
// X server is shut down just before.

#define _GNU_SOURCE
#include <SDL2/SDL_syswm.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/socket.h>

// A sanitizer starts a program that names its functions, and which must not have this library.
__attribute__((constructor)) static void keep_from_children(void) { unsetenv("LD_PRELOAD"); }

void SDL_DestroyWindow(SDL_Window *window) {
  SDL_SysWMinfo info;
  SDL_VERSION(&info.version);
  if (SDL_GetWindowWMInfo(window, &info) == SDL_TRUE) shutdown(ConnectionNumber(info.info.x11.display), SHUT_RDWR);
  void (*destroy)(SDL_Window *) = dlsym(RTLD_NEXT, "SDL_DestroyWindow");
  destroy(window);
}
