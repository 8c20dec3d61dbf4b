#ifndef KF_CALSA_SHIM_H
#define KF_CALSA_SHIM_H

#include <alsa/asoundlib.h>

// libasound prints what goes wrong to standard error unless it is given a function that does
// something else; that is variadic, which Swift cannot write. What goes wrong is told by the calls'
// results.
static void kf_say_nothing(
    const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

static inline void kf_silence_alsa(void) { snd_lib_error_set_handler(kf_say_nothing); }

// Macros with casts, which Swift does not import.
static inline int kf_seq_input(void) { return SND_SEQ_OPEN_INPUT; }
static inline int kf_seq_nonblocking(void) { return SND_SEQ_NONBLOCK; }
static inline unsigned kf_seq_readable(void) {
  return SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ;
}
static inline unsigned kf_seq_writable(void) {
  return SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE;
}
static inline unsigned kf_seq_port_type(void) {
  return SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION;
}

#endif
