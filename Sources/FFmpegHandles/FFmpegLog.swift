import CFFmpeg
import Glibc

/// Sets whether FFmpeg and the encoders write to standard error themselves.
///
/// kfrec reports errors itself, so this output is for users who want details. Call it before any
/// other thread starts: it sets an environment variable, unless the user has set it.
public func setFFmpegLogging(verbose: Bool) {
  av_log_set_level(verbose ? AV_LOG_INFO : AV_LOG_QUIET)
  // SVT-AV1 writes its own messages, and only this variable limits them; 0 leaves its last words
  // before it gives up.
  if !verbose { setenv("SVT_LOG", "0", 0) }
}
