import CFFmpeg
import Glibc

/// Lets FFmpeg and the encoders write to standard error themselves, or not: what goes wrong is told
/// by our own errors, so it is for a person who looks closer.
///
/// To be called before any other thread runs: it sets a variable of the environment, unless the user
/// has.
package func setFFmpegLogging(verbose: Bool) {
  av_log_set_level(verbose ? AV_LOG_INFO : AV_LOG_QUIET)
  // SVT-AV1 writes by itself, and is told only here what; 0 are its last words before it gives up.
  if !verbose { setenv("SVT_LOG", "0", 0) }
}
