// Counts the heap blocks of 4 KiB or more that kfrec's own code asks for, as a preloaded library.
//
// Whose a block is, is told by the caller of malloc: the program, Swift's run-time library on its
// behalf, or something else (FFmpeg, the Vulkan driver, the C library), which is not counted. The
// count is written to the file named in ALLOCATION_TRACE when the program ends.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long large_blocks;
static _Thread_local int is_looking;

static void note(size_t size, void *caller) {
  if (size < 4096 || is_looking) return;
  is_looking = 1;  // dladdr may allocate
  Dl_info info;
  if (dladdr(caller, &info) && info.dli_fname &&
      (strstr(info.dli_fname, "kfrec") || strstr(info.dli_fname, "libswift"))) {
    atomic_fetch_add(&large_blocks, 1);
  }
  is_looking = 0;
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  note(size, __builtin_return_address(0));
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note(count * size, __builtin_return_address(0));
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  note(size, __builtin_return_address(0));
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  note(size, __builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note(size, __builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  note(size, __builtin_return_address(0));
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : 12;
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("ALLOCATION_TRACE");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&large_blocks));
  fclose(file);
}
