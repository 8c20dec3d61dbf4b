import CFFmpeg

/// Lets FFmpeg and the encoders write to standard error themselves, or not: what goes wrong is told
/// by our own errors, so it is for a person who looks closer.
package func setFFmpegLogging(verbose: Bool) {
  av_log_set_level(verbose ? AV_LOG_INFO : AV_LOG_QUIET)
}
