// Tells ThreadSanitizer of the order that Swift's Mutex makes where threads wait for one another, as a
// preloaded library.
//
// A Mutex that is free is taken and let go by code within the program, which is built for the sanitizer.
// Otherwise Swift's own library does both, by a futex and by atomics, and that was not built for it: without a
// word from here, whatever two threads do while they hold the same Mutex is told of as a race.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Of the sanitizer; missing in a program without it, such as ffmpeg.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

// Methods of Swift's Synchronization._MutexHandle: what they are of comes where Swift passes `self`.
#define METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
METHOD void lock(uint32_t thread, SELF) __asm__(LOCK);
METHOD void lock(uint32_t thread, SELF) {
  METHOD void (*swifts)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  swifts(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
METHOD bool try_lock(SELF) __asm__(TRY_LOCK);
METHOD bool try_lock(SELF) {
  METHOD bool (*swifts)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
  bool is_taken = swifts(mutex);
  if (is_taken && __tsan_acquire) __tsan_acquire(mutex);
  return is_taken;
}

#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
METHOD void unlock(SELF) __asm__(UNLOCK);
METHOD void unlock(SELF) {
  METHOD void (*swifts)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(mutex);
  swifts(mutex);
}
