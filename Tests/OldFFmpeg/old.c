// An older libavcodec, as a preloaded library.

unsigned avcodec_version(void) { return 59u << 16 | 1 << 8 | 100; }
