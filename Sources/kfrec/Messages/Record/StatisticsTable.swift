import Capture
import Encode
import Frames
import Recorder

/// The statistics that `--stats` prints for people: aligned columns and one sentence.
struct StatisticsTable {
  let statistics: RecordingStatistics
  /// The outputs, with how long frames took from the source to each of them.
  let outputs: [OutputResult]
  var microphone: MicrophoneAudio.Report?

  /// The lines, each with its line end.
  var text: String {
    let blocks = [
      stages, queues, threads, memory, [statistics.bottleneck?.sentence].compactMap(\.self),
    ]
    return blocks.filter { !$0.isEmpty }.flatMap(\.self).map { $0 + "\n" }.joined()
  }

  private var stages: [String] {
    func seconds(_ value: Double?) -> String { value.map { fixed($0, decimals: 3) } ?? "-" }
    let rows = statistics.stages.map { stage in
      [
        stage.name, "\(stage.frames)", stage.busy.map { fixed($0, decimals: 3) } ?? "no GPU time",
        stage.perFrame.map { fixed($0, decimals: 2) } ?? "-",
        statistics.share(of: stage).map { fixed(100 * $0, decimals: 0) + "%" } ?? "-",
        seconds(stage.input), seconds(stage.room), seconds(stage.awaited),
      ]
    }
    let head = [
      "stage", "frames", "busy s", "ms/frame", "share", "wait in s", "wait out s", "awaited s",
    ]
    return aligned([head] + rows) + ["wall time \(fixed(statistics.wall, decimals: 3)) s"]
  }

  private var queues: [String] {
    let rows = statistics.queues.map { queue in
      [
        queue.name, "\(queue.room)", fixed(queue.mean, decimals: 1),
        fixed(queue.largest, decimals: 1),
      ]
    }
    return aligned([["queue", "room", "mean", "most"]] + rows)
  }

  private var threads: [String] {
    let rows = statistics.threads.map { group in
      [
        visible(group.name), group.count > 0 ? "\(group.count)" : "-",
        fixed(group.seconds, decimals: 2),
      ]
    }
    return aligned([["threads", "count", "processor s"]] + rows)
  }

  private var memory: [String] {
    func milliseconds(_ seconds: Double) -> String { fixed(1000 * seconds, decimals: 0) + " ms" }
    var lines: [String] = []
    if let cores = statistics.cores { lines.append("\(fixed(cores, decimals: 2)) cores in use") }
    if let startUp = statistics.startUp {
      let calls = startUp.calls.map { ", \($0.name) \(milliseconds($0.seconds))" }.joined()
      lines.append(
        "start to the first frame at the encoder \(milliseconds(startUp.total)): "
          + "\(milliseconds(startUp.own)) in kfrec itself\(calls)")
    }
    if let seconds = statistics.streamToFirstFrame {
      lines.append(
        "camera's start (STREAMON) to the first frame at the encoder \(milliseconds(seconds))")
    }
    if let inPlace = statistics.inPlace {
      lines.append(
        "\(inPlace.count) of the camera's \(inPlace.total) frames were read where its driver put them"
      )
    }
    for (index, output) in outputs.enumerated() {
      guard let latency = output.report?.latency else { continue }
      let median = latency.median
      guard index == 0 || median != nil else { continue }
      let usual = median.map { milliseconds($0) + " for half of the frames" }
      lines.append(
        "source to \(median == nil ? "file" : output.name) "
          + "\(usual ?? milliseconds(latency.mean) + " on average"), "
          + "\(milliseconds(latency.longest)) at most")
    }
    if let microphone { lines.append(MicrophoneText.statistics(microphone)) }
    lines.append("peak memory \(byteText(Int64(statistics.peakMemory)))")
    return lines
  }

  /// Aligns the first column to the left, the others to the right.
  private func aligned(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      zip(row, widths).enumerated().map { column, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + space : space + cell.0
      }.joined(separator: "  ")
    }
  }
}
