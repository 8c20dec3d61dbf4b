import CFFmpeg

/// Lets FFmpeg's own log through to standard error, or silences it (as kfrec starts): what it says
/// that a user needs is said in kfrec's words.
package func setFFmpegLog(isVerbose: Bool) {
  av_log_set_level(isVerbose ? AV_LOG_INFO : AV_LOG_QUIET)
}
