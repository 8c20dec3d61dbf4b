#ifndef KF_CPOSIX_SHIM_H
#define KF_CPOSIX_SHIM_H

// GNU extensions, which Glibc's Swift module does not show, are declared here. Not by _GNU_SOURCE:
// structs would then have other members than in that module, which is an error where both are
// imported.
#include <pthread.h>
#include <spawn.h>
#include <sys/ioctl.h>

int pthread_setname_np(pthread_t thread, const char *name);
int pipe2(int descriptors[2], int flags);
int posix_spawn_file_actions_addchdir_np(
    posix_spawn_file_actions_t *actions, const char *path);

static inline void kf_name_this_thread(const char *name) {
  pthread_setname_np(pthread_self(), name);
}

// ioctl is variadic, which Swift does not import. The columns of a terminal, or 0.
static inline int kf_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

#endif
