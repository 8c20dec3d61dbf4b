import Capture
import Encode
import Frames

extension SourceReport {
  /// Returns messages for the user about a source, after everything was read.
  func notices(of description: SourceDescription) -> [Notice] {
    var notices: [Notice] = []
    func add(_ id: NoticeID, _ message: String) {
      notices.append(Notice(id, description.name, message))
    }
    let report = self
    if report.lateness > 0.5 {
      add(
        .sourceLate,
        """
        \(description.name) fell up to \((report.lateness * 10).rounded() / 10) seconds behind real \
        time, and frames that arrive late together may be dropped: leave out --realtime to keep every frame
        """)
    }
    if report.lostByDriver > 0, description.isPolled {
      add(
        .sourceLate,
        """
        the machine was too busy to read \(description.name) at every time: \(report.lostByDriver) \
        \(report.lostByDriver == 1 ? "frame is" : "frames are") missing; a smaller --fps or --crop helps
        """)
    } else if report.lostByDriver > 0 {
      add(
        .sourceDriverLoss,
        """
        \(description.name) lost \(report.lostByDriver) \(report.lostByDriver == 1 ? "frame" : "frames") \
        by the count of its driver, before kfrec received \(report.lostByDriver == 1 ? "it" : "them")
        """)
    }
    let jumps = [(report.jumpsBack, "back"), (report.jumpsAhead, "ahead")].filter { $0.0 > 0 }
      .map { count, way in "\(way) \(count == 1 ? "once" : "\(count) times")" }
    if !jumps.isEmpty {
      add(
        .sourceTimeJumps,
        """
        the timestamps of \(description.name) jump \(jumps.joined(separator: " and ")), as in a file that joins \
        several recordings; what follows a jump was moved to the end of what comes before the jump
        """)
    }
    if report.audioBeforeFrames > .zero {
      add(
        .sourceEarlyAudio,
        """
        the audio of \(description.name) begins before its first frame; \
        \(report.audioBeforeFrames.inThousandths) seconds of audio are left out, but for up to 0.2 that a .mkv with copied \
        audio keeps
        """)
    }
    if report.usesArrivalTimes {
      add(
        .sourceArrivalTimes,
        "the timestamps of \(description.name) became unusable; from then on frames have the times of "
          + "their arrival")
    }
    if report.restarts > 0 {
      add(
        .sourceRestarted,
        "\(description.name) failed and was started again, "
          + "\(report.restarts == 1 ? "once" : "\(report.restarts) times"); frames are missing there"
      )
    }
    if description.leavesOutDamage, report.damaged > 0 {
      add(
        .sourceDamaged,
        "\(description.name) gave \(report.damaged) damaged "
          + "\(report.damaged == 1 ? "frame, which was" : "frames, which were") left out")
    }
    return notices
  }
}

extension SourceReport {
  /// Says that frames or the audio of a file are damaged; nil if none are, or if they are left out.
  func damage(of description: SourceDescription) -> Notice? {
    guard damaged > 0, !description.leavesOutDamage else {
      return damagedAudio.map {
        Notice(
          .sourceDamaged, $0.name,
          "the audio of \($0.name) is damaged: "
            + ($0.packets == 1 ? "1 packet" : "\($0.packets) packets")
            + " did not decode, and \($0.packets == 1 ? "is" : "are") silence in the output")
      }
    }
    return Notice(
      .sourceDamaged, description.name,
      """
      \(description.name) is damaged: \(damaged) of its packets or frames did not decode correctly, \
      and are missing in the output or repaired from the frames beside them
      """)
  }
}

extension RecordingResult {
  /// Returns messages for the user about the outputs and the microphone, at the end.
  func notices(input: String) -> [Notice] {
    var notices = outputs.compactMap { output in
      output.report?.warning.map { Notice(.outputReport, output.name, $0) }
    }
    // Damage is reported as the reason why the outputs are incomplete.
    notices.removeAll { $0.message == incomplete?.message }
    if let cut = outputs.map(\.cutGaps).first(where: { $0.count > 0 }) {
      let gaps = cut.count == 1 ? "a gap" : "\(cut.count) gaps"
      let seconds = "\(cut.seconds.ticks(timeBase: .one)) seconds"
      notices.append(
        Notice(
          .sourceGaps, input,
          """
          \(input) has \(gaps) of more than ten minutes without video or audio, which a constant frame \
          rate does not fill: \(seconds)\(cut.count == 1 ? " were" : " in all were") cut
          """))
    }
    if let microphone, let notice = microphone.notice { notices.append(notice) }
    return notices
  }
}

extension MicrophoneAudio.Report {
  /// Message for the user about missing audio; nil if none is missing.
  fileprivate var notice: Notice? {
    guard gaps > 0 else { return nil }
    return Notice(
      .microphoneGaps, name,
      "the microphone \(name) lost audio \(gaps == 1 ? "once" : "\(gaps) times"), and there is "
        + "silence of \((missing * 1000).rounded() / 1000) seconds in all instead")
  }
}
