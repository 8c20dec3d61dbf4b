#ifndef KF_CXCB_SHIM_H
#define KF_CXCB_SHIM_H

#include <xcb/xcb.h>
#include <xcb/xcbext.h>
#include <xcb/composite.h>
#include <xcb/shm.h>
#include <xcb/xfixes.h>

// The extensions' variables, which Swift takes for unsafe.

// Asks the server for the extensions without waiting for the answers.
static inline void kf_ask_for_extensions(xcb_connection_t *connection) {
  xcb_prefetch_extension_data(connection, &xcb_composite_id);
  xcb_prefetch_extension_data(connection, &xcb_shm_id);
  xcb_prefetch_extension_data(connection, &xcb_xfixes_id);
}

static inline int kf_is_present(xcb_connection_t *connection, xcb_extension_t *extension) {
  const xcb_query_extension_reply_t *data = xcb_get_extension_data(connection, extension);
  return data && data->present;
}

static inline int kf_has_composite(xcb_connection_t *connection) {
  return kf_is_present(connection, &xcb_composite_id);
}

static inline int kf_has_shm(xcb_connection_t *connection) {
  return kf_is_present(connection, &xcb_shm_id);
}

static inline int kf_has_xfixes(xcb_connection_t *connection) {
  return kf_is_present(connection, &xcb_xfixes_id);
}

#endif
