#ifndef KF_DISPLAY_LOSS_H
#define KF_DISPLAY_LOSS_H

// SDL's calls that talk to the display, so that the program outlives a display that goes away: each returns, and
// `kf_display_is_lost` is true from then on. Used by the thread that opened the display, which must not call SDL's video
// functions in any other way once it is lost.

#include <SDL2/SDL.h>
#include <stdbool.h>

// Opens SDL's display; false if there is none, as SDL_GetError says, or if it goes away meanwhile.
bool kf_open_display(void);

// Opens a window in a place that the system chooses; NULL if SDL opens none, as SDL_GetError says.
SDL_Window *kf_open_window(const char *title, int width, int height, unsigned flags);

// The place and size of the first display without its panels; false if they are not known.
bool kf_usable_bounds(SDL_Rect *bounds);

// Takes the next event; false if there is none.
bool kf_next_event(SDL_Event *event);

// Makes a window as large as the display, or undoes that; false if SDL cannot, as SDL_GetError says.
bool kf_set_full_screen(SDL_Window *window, unsigned flags);

// Closes a window; false if its display has gone away, and nothing can be closed.
bool kf_close_window(SDL_Window *window);

// Closes the display; false if it has gone away.
bool kf_close_display(void);

// Whether the display has gone away; any thread may ask.
bool kf_display_is_lost(void);

// Makes that true: the display and its windows stay open until the program ends.
void kf_leave_display(void);

#endif
