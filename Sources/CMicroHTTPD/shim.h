#ifndef KF_CMICROHTTPD_SHIM_H
#define KF_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <netinet/tcp.h>
#include <sys/random.h>

// MHD_start_daemon is variadic, which Swift does not import. The daemon has no thread of its own: its owner
// calls MHD_run. It owns the listening socket from now on.
static inline struct MHD_Daemon *kf_start_http(
    int listener, unsigned int connections, unsigned int idle_seconds,
    MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback changed, void *owner) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_PEDANTIC_CHECKS, 0, NULL, NULL, handler, owner,
      MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(32 << 10),
      MHD_OPTION_NOTIFY_COMPLETED, completed, owner, MHD_OPTION_NOTIFY_CONNECTION, changed, owner, MHD_OPTION_END);
}

// The descriptor of a connection, and the 16 bytes of the address of its other end; -1 if it has none.
static inline int kf_http_peer(struct MHD_Connection *connection, unsigned char *peer) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  // The bytes of an address stand behind the family and the port, and in IPv6 the flow.
  const unsigned char *bytes = info ? (const unsigned char *)info->client_addr : NULL;
  int isOld = bytes && info->client_addr->sa_family == AF_INET;
  int isNew = bytes && info->client_addr->sa_family == AF_INET6;
  // Whoever has one address of IPv6 has all of its network.
  int count = isOld ? 4 : isNew ? 8 : 0;
  for (int at = 0; at < 16; at++) peer[at] = at < count ? bytes[(isOld ? 4 : 8) + at] : 0;
  info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// The descriptor that becomes readable when the daemon has work, or -1.
static inline int kf_http_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

// Milliseconds until the daemon has to run again, at most `longest`.
static inline int kf_http_wait(struct MHD_Daemon *daemon, int longest) {
  MHD_UNSIGNED_LONG_LONG wait;
  if (MHD_get_timeout(daemon, &wait) != MHD_YES) return longest;
  return wait < (MHD_UNSIGNED_LONG_LONG)longest ? (int)wait : longest;
}

// Lets a connection hold no more than `bytes` that its reader has not taken.
static inline void kf_http_limit_sending(struct MHD_Connection *connection, int bytes) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info) setsockopt(info->connect_fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

// What says that a connection has begun; Swift's name for it hangs on its version.
static inline uint32_t kf_http_started(void) { return MHD_CONNECTION_NOTIFY_STARTED; }

// MHD's constants that Swift does not import because of their casts.
static inline ssize_t kf_http_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline uint64_t kf_http_unknown_size(void) { return MHD_SIZE_UNKNOWN; }

#endif
