// Counts the heap blocks that kfrec's own code asks for, as a preloaded library: those of 4 KiB or more, and the smaller ones.
//
// Whose a block is, is told by the caller of malloc: the program, Swift's run-time library on its
// behalf, or something else (FFmpeg, the Vulkan driver, the C library), which is not counted. The
// two numbers are written to the file named in ALLOCATION_TRACE when the program ends.

#define _GNU_SOURCE
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long large_blocks, small_blocks;

// The code of the program, which is the object without a name, and of Swift's libraries.
static struct { const char *start, *end; } own[64];
static int own_count;

static int note_object(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size, (void)context;
  if (object->dlpi_name[0] && !strstr(object->dlpi_name, "libswift")) return 0;
  for (int part = 0; part < object->dlpi_phnum && own_count < 64; part++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[part];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    own[own_count].start = (const char *)(object->dlpi_addr + header->p_vaddr);
    own[own_count].end = own[own_count].start + header->p_memsz;
    own_count++;
  }
  return 0;
}

__attribute__((constructor)) static void begin(void) { dl_iterate_phdr(note_object, NULL); }

static void note(size_t size, void *caller) {
  for (int part = 0; part < own_count; part++) {
    if ((const char *)caller < own[part].start || (const char *)caller >= own[part].end) continue;
    atomic_fetch_add_explicit(size < 4096 ? &small_blocks : &large_blocks, 1, memory_order_relaxed);
    return;
  }
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
  fprintf(file, "%ld %ld\n", atomic_load(&large_blocks), atomic_load(&small_blocks));
  fclose(file);
}
