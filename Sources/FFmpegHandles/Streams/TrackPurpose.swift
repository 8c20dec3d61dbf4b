import CFFmpeg

/// What an audio track is for, as FFmpeg's dispositions say it.
public enum TrackPurpose {
  /// The dispositions that are purposes.
  public static let all =
    AV_DISPOSITION_DUB | AV_DISPOSITION_ORIGINAL | AV_DISPOSITION_COMMENT | AV_DISPOSITION_LYRICS
    | AV_DISPOSITION_KARAOKE | AV_DISPOSITION_FORCED | AV_DISPOSITION_HEARING_IMPAIRED
    | AV_DISPOSITION_VISUAL_IMPAIRED | AV_DISPOSITION_CLEAN_EFFECTS | AV_DISPOSITION_DESCRIPTIONS
    | AV_DISPOSITION_NON_DIEGETIC

  /// Returns the names ("hearing impaired") of the purposes among dispositions.
  public static func names(of dispositions: Int32) -> [String] {
    (0..<31).map { Int32(1) << $0 }.filter { dispositions & all & $0 != 0 }.compactMap {
      av_disposition_to_string($0).map {
        String(cString: $0).replacing("_", with: " ")
      }
    }
  }
}
