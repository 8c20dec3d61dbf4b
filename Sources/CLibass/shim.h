#ifndef KF_CLIBASS_SHIM_H
#define KF_CLIBASS_SHIM_H

#include <ass/ass.h>
#include <fontconfig/fontconfig.h>

// libass prints what it does on standard error unless it has a function for that, whose type Swift cannot write.
static void kf_ass_drop(int level, const char *format, va_list arguments, void *data) {
  (void)level;
  (void)format;
  (void)arguments;
  (void)data;
}

static inline void kf_ass_silence(ASS_Library *library) {
  ass_set_message_cb(library, kf_ass_drop, NULL);
}

// The enum of this member has no name.
static inline int kf_ass_is_letter(const ASS_Image *image) {
  return image->type == IMAGE_TYPE_CHARACTER;
}

#endif
