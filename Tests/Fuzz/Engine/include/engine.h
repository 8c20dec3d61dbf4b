#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own driver (compiler-rt, "Using libFuzzer as a library"): reads the command line, and calls
/// `one` with one input after the other.
int LLVMFuzzerRunDriver(int *count, char ***words, int (*one)(const uint8_t *bytes, size_t size));
