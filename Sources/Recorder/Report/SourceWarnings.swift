import Capture
import Frames

extension SourceReport {
  /// What the user should know of a source once everything was read.
  func warnings(of description: SourceDescription, isComplete: Bool) -> [String] {
    var warnings: [String] = []
    let report = self
    if report.lateness > 0.5 {
      warnings.append(
        """
        \(description.name) fell up to \((report.lateness * 10).rounded() / 10) seconds behind its own \
        pace, and frames that come late together may be dropped: leave --realtime out to keep every one
        """)
    }
    if report.lostByDriver > 0 {
      warnings.append(
        """
        \(description.name) lost \(report.lostByDriver) \(report.lostByDriver == 1 ? "frame" : "frames") \
        by the count of its driver, before kfrec was given \(report.lostByDriver == 1 ? "it" : "them")
        """)
    }
    let jumps = [(report.jumpsBack, "back"), (report.jumpsAhead, "ahead")].filter { $0.0 > 0 }
      .map { count, way in "\(way) \(count == 1 ? "once" : "\(count) times")" }
    if !jumps.isEmpty {
      warnings.append(
        """
        the times of \(description.name) jump \(jumps.joined(separator: " and ")), as where recordings \
        were put one behind the other; what follows was moved to where the one before it had come to
        """)
    }
    if report.soundBeforePictures > .zero {
      warnings.append(
        """
        the sound of \(description.name) begins before its first picture; \
        \(report.soundBeforePictures.inThousandths) seconds of it are left out
        """)
    }
    if report.usesArrivalTimes {
      warnings.append(
        "the time stamps of \(description.name) went wrong; from then on frames have the times of "
          + "their arrival")
    }
    if report.restarts > 0 {
      warnings.append(
        "\(description.name) failed and was started again, "
          + "\(report.restarts == 1 ? "once" : "\(report.restarts) times"); frames are missing there"
      )
    }
    if description.isCamera, report.damaged > 0 {
      warnings.append(
        "\(description.name) gave \(report.damaged) damaged "
          + "\(report.damaged == 1 ? "frame, which was" : "frames, which were") left out")
    } else if report.damaged > 0, isComplete {
      warnings.append(
        """
        \(description.name) is damaged: \(report.damaged) of its packets or frames did not decode well, \
        and are missing in the output or mended from their neighbours
        """)
    }
    return warnings
  }
}
