// Preloaded under AddressSanitizer: keeps lavapipe in the test process until it ends.
//
// lavapipe keeps 128 bytes, which count as lost when the loader unloads it. Only there, because other programs that
// tests run are none of this sanitizer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void keep_driver(void) {
  const char *driver = getenv("KFREC_TEST_PRELOAD");
  if (driver && strncmp(program_invocation_short_name, "kfrecPackageTests", 17) == 0)
    dlopen(driver, RTLD_LAZY | RTLD_NODELETE);
}
