#ifndef KF_CPOSIX_SHIM_H
#define KF_CPOSIX_SHIM_H

// GNU extensions, which Glibc's Swift module does not show, are declared here. Not by _GNU_SOURCE:
// structs would then have other members than in that module, which is an error where both are
// imported.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

int pthread_setname_np(pthread_t thread, const char *name);
int pipe2(int descriptors[2], int flags);
int posix_spawn_file_actions_addchdir_np(
    posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// Where the name in a folder's entry begins, which Swift sees as a tuple of 256 bytes.
static inline const char *kf_entry_name(const struct dirent *entry) { return entry->d_name; }

static inline void kf_name_this_thread(const char *name) {
  pthread_setname_np(pthread_self(), name);
}

// Takes from this thread, or gives back to it, the right to raise its threads above all others (CAP_SYS_NICE, which root
// has); returns whether that has changed anything. The system's own structs, of <linux/capability.h>.
static inline int kf_set_raising(int is_allowed) {
  extern long syscall(long, ...);
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  if (syscall(SYS_capget, &head, sets) != 0) return 0;
  const __u32 before = sets[0].effective;
  if (is_allowed) sets[0].effective |= 1u << CAP_SYS_NICE;
  else sets[0].effective &= ~(1u << CAP_SYS_NICE);
  return sets[0].effective != before && syscall(SYS_capset, &head, sets) == 0;
}

// fallocate, renameat2, mremap and O_TMPFILE are GNU extensions too; declared inside the functions, so that
// they meet no other declaration. Each returns 0 or the error's number.

// Keeps room on the disk for a file's bytes from `start` to `end` without changing its size
// (FALLOC_FL_KEEP_SIZE).
static inline int kf_keep_room(int file, long long start, long long end) {
  extern int fallocate(int, int, off_t, off_t);
  return fallocate(file, 1, (off_t)start, (off_t)(end - start)) == 0 ? 0 : errno;
}

// Renames unless the new name is taken (RENAME_NOREPLACE).
static inline int kf_rename_exclusively(const char *old_path, const char *new_path) {
  extern int renameat2(int, const char *, int, const char *, unsigned int);
  return renameat2(AT_FDCWD, old_path, AT_FDCWD, new_path, 1) == 0 ? 0 : errno;
}

// Limits the arenas of malloc (M_ARENA_MAX); must run before the process has many threads.
static inline void kf_limit_arenas(int count) {
  extern int mallopt(int, int);
  mallopt(-8, count);
}

// Processors that this process may use, which a scheduler may have limited; 0 if that is not known.
static inline int kf_processor_count(void) {
  extern int sched_getaffinity(int, size_t, void *);
  unsigned long set[128] = {0};
  if (sched_getaffinity(0, sizeof set, set) != 0) return 0;
  int count = 0;
  for (int i = 0; i < 128; i++) count += __builtin_popcountl(set[i]);
  return count;
}

// Makes a file without a name in a folder (O_TMPFILE), which shows that one can be made there and
// leaves nothing; the file's number, or the negative error.
static inline int kf_open_nameless(const char *folder) {
  int file = open(folder, 020000000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0600);
  return file >= 0 ? file : -errno;
}

// Moves a mapping's pages to another address, where what was mapped is replaced at one blow
// (MREMAP_MAYMOVE | MREMAP_FIXED).
static inline int kf_move_pages(void *from, size_t byte_count, void *to) {
  extern void *mremap(void *, size_t, size_t, int, ...);
  return mremap(from, byte_count, byte_count, 3, to) == to ? 0 : errno;
}

// A file without a name in memory (memfd_create, MFD_CLOEXEC), or -1.
static inline int kf_memory_file(void) {
  extern int memfd_create(const char *, unsigned int);
  return memfd_create("kfrec", 1);
}

// This process's variables, for a child; Swift takes `environ` for unsafe.
static inline char **kf_environment(void) {
  extern char **environ;
  return environ;
}

// A descriptor that becomes readable, for good, when `kf_raise_flag` is called; or -1.
static inline int kf_open_flag(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// Makes a raised flag one that can be raised again.
static inline void kf_lower_flag(int descriptor) {
  unsigned long long count;
  if (read(descriptor, &count, sizeof count) < 0) return;
}

static inline void kf_raise_flag(int descriptor) {
  unsigned long long one = 1;
  // Fails only where it has been raised as often as 64 bits can count.
  if (write(descriptor, &one, sizeof one) < 0) return;
}

// Writes all bytes, in as many calls as needed; 0 or the error's number.
static inline int kf_write_all(int file, const void *bytes, size_t count) {
  while (count > 0) {
    const ssize_t done = write(file, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = EIO;
    if (done <= 0) return errno;
    bytes = (const char *)bytes + done;
    count -= (size_t)done;
  }
  return 0;
}

// Reads so many bytes; whether there were as many.
static inline int kf_read_all(int file, void *bytes, size_t count) {
  while (count > 0) {
    const ssize_t done = read(file, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return 0;
    bytes = (char *)bytes + done;
    count -= (size_t)done;
  }
  return 1;
}

// The kind of file system that a folder is on, as linux/magic.h numbers it, or 0.
static inline long kf_file_system(const char *folder) {
  struct statfs status;
  return statfs(folder, &status) == 0 ? (long)status.f_type : 0;
}

// ioctl is variadic, which Swift does not import. The columns and the rows of a terminal, or 0.
static inline int kf_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static inline int kf_terminal_rows(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

// The width and the height of a terminal in pixels, or 0: many terminals do not tell.
static inline int kf_terminal_width(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_xpixel : 0;
}

static inline int kf_terminal_height(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_ypixel : 0;
}

// A terminal for tests: the end of the one who looks and types, or -1. These are of X/Open, not of GNU.
static inline int kf_open_pseudoterminal(void) {
  extern int posix_openpt(int);
  extern int grantpt(int);
  extern int unlockpt(int);
  int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (terminal < 0 || (grantpt(terminal) == 0 && unlockpt(terminal) == 0)) return terminal;
  close(terminal);
  return -1;
}

// The name of the end that a program has; `size` bytes at most.
static inline int kf_pseudoterminal_name(int terminal, char *name, size_t size) {
  extern int ptsname_r(int, char *, size_t);
  return ptsname_r(terminal, name, size);
}

static inline int kf_resize_terminal(int descriptor, int columns, int rows, int width, int height) {
  struct winsize size = {
      .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns,
      .ws_xpixel = (unsigned short)width, .ws_ypixel = (unsigned short)height};
  return ioctl(descriptor, TIOCSWINSZ, &size);
}

// Starts a session, so that the first terminal that the child opens is its own (POSIX_SPAWN_SETSID).
static inline short kf_spawn_session_flag(void) { return 0x80; }

// Opens a pipe whose reader does not block; returns 0, or -1.
static inline int kf_open_pipe(int *reader, int *writer) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  *reader = ends[0];
  *writer = ends[1];
  return 0;
}

// Another descriptor of the same file, above the standard ones; -1 if there is none.
static inline int kf_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

#endif
