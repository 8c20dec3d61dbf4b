// Gives a program so many threads and no more, as a preloaded library.
//
// THREAD_LIMIT is how many may be started in all, whoever asks for one: the program or a library. What
// comes after fails as it does where the user may have no more processes, for whose real limit
// (RLIMIT_NPROC) the user's other programs count, and root none. With THREAD_LIMIT_OF only those count
// that a thread of that name starts.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_long started;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
  const char *limit = getenv("THREAD_LIMIT");
  const char *only = getenv("THREAD_LIMIT_OF");
  char name[16] = "";
  if (only) pthread_getname_np(pthread_self(), name, sizeof name);
  if (only && strcmp(only, name) != 0) limit = NULL;
  if (limit && atomic_fetch_add(&started, 1) >= atol(limit)) return EAGAIN;
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
      dlsym(RTLD_NEXT, "pthread_create");
  return create(thread, attributes, body, context);
}
