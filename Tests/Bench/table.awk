# The report for people.
END {
  printf "kfrec %s beside its peers: whole processes, %s frames a run, H.264 to H.264 by libx264 veryfast\n", machine["kfrec"], machine["frames"]
  printf "%s cores of %s, Vulkan on %s; ffmpeg %s%s\n", machine["cores"], machine["processor"], machine["gpu"], machine["ffmpeg"], (machine["gstreamer"] == "" ? "" : ", GStreamer " machine["gstreamer"])
  printf "medians of %s rounds, least and most in brackets\n", machine["rounds"]
  if (machine["load"] > 0.5) printf "the machine was busy when it began (load %s): trust the ratios more than the seconds\n", machine["load"]

  for (i = 1; i <= rowCount; i++) {
    if (setOf[rows[i]] == "start") continue
    if (setOf[rows[i]] != lastSet) heading(lastSet = setOf[rows[i]])
    line(rows[i])
  }
  print "* of the processor, all cores together"
  startUp()
  goals()
  live()
  stageTable()
  for (i = 1; i <= rowCount; i++) {
    if (state[rows[i]] == "skipped") remark(label[rows[i]] suffix(rows[i]) " was skipped: " reason[rows[i]])
    if (state[rows[i]] == "invalid") remark(label[rows[i]] suffix(rows[i]) " does not count: " reason[rows[i]])
    else if ((text = encoderDifference(rows[i])) != "") remark(label[rows[i]] suffix(rows[i]) " has the encoder set otherwise: " text)
  }
  for (i = 1; i <= noteCount; i++) remark(notes[i])
}

function suffix(row) { return setOf[row] == 720 ? "" : setOf[row] == "start" ? " (start-up)" : " (" setOf[row] "p)" }

function remark(text) { if (!remarks++) print ""; print "note: " text }

function heading(set) {
  printf "\n%-31s %18s %10s %8s %12s\n", set * 16 / 9 "x" set, "frames a second", "cores", "peak MB", "ms a frame*"
}

function line(row,   s) {
  if (state[row] == "skipped") { printf "%-31s %18s\n", label[row], "skipped"; return }
  if (!runs[row]) return
  s = series[row, "fps"]
  printf "%-31s %6.1f %11s %10.2f %8.0f %12.1f%s\n", label[row], quantile(s, 0.5), spread(s, "%.0f"), \
    quantile(series[row, "cores"], 0.5), quantile(series[row, "peakMB"], 0.5), quantile(series[row, "work"], 0.5), \
    (state[row] == "invalid" ? "  INVALID" : "")
}

# Nothing where there is one figure only.
function spread(list, format) {
  if (list !~ / /) return ""
  return sprintf("(" format "..." format ")", quantile(list, 0), quantile(list, 1))
}

function startUp(   i, s, any) {
  for (i = 1; i <= rowCount; i++) {
    if (setOf[rows[i]] != "start" || !runs[rows[i]]) continue
    if (!any++) printf "\n%-31s %18s %21s\n", "start to end, one frame", "milliseconds", "peak MB"
    s = series[rows[i], "seconds"]
    printf "%-31s %6.0f %11s %21.0f%s\n", label[rows[i]], 1000 * quantile(s, 0.5), \
      sprintf("(%.0f...%.0f)", 1000 * quantile(s, 0), 1000 * quantile(s, 1)), quantile(series[rows[i], "peakMB"], 0.5), \
      (state[rows[i]] == "invalid" ? "  INVALID" : "")
  }
}

function goals(   g) {
  printf "\n%-62s %20s %14s\n", "goal", "median", "wanted"
  for (g = 1; g <= goalCount; g++) {
    if (!judge(g)) continue
    printf "%-62s %20s %14s  %s\n", goalName, \
      (goalList == "" ? "-" : sprintf("%.2f %s", quantile(goalList, 0.5), spread(goalList, "%.2f"))), \
      (goalSense[g] == "at-least" ? ">= " : "<= ") goalWanted[g], \
      goalState (goalStrength[g] == "aim" ? " (an aim)" : "")
  }
}

function live() {
  if (!("live.frames" in told)) return
  printf "\nlive: testsrc 1280x720 at 30 frames a second with separateRGB for %s s: %s of %s frames, %s dropped, %.2f cores, %.0f MB\n", \
    facts["live.seconds"], facts["live.frames"], facts["live.wanted"], ("live.dropped" in told ? facts["live.dropped"] : "?"), \
    facts["live.cores"], facts["live.peakMB"]
  if ("live.latency.mean" in told)
    printf "      from source to file %.0f ms, %.0f at most\n", 1000 * facts["live.latency.mean"], 1000 * facts["live.latency.longest"]
}

# Objects inside the statistics are rows and their plain values columns; whatever else is a line.
function stageTable(   i, path, place, base, leaf, rowNames, columns, rowTotal, columnTotal, seenRow, seenColumn, j) {
  if (!stageCount) return
  print "\nwhere a frame waits (kfrec separateRGB --stats)"
  for (i = 1; i <= stageCount; i++) {
    path = stagePaths[i]
    if (!match(path, /^stages[.\[].*\./)) { printf "  %-32s %s\n", path, stage[path]; continue }
    base = substr(path, 1, RLENGTH - 1); leaf = substr(path, RLENGTH + 1)
    if (!(base in seenRow)) { seenRow[base] = 1; rowNames[++rowTotal] = base }
    if (leaf != "name" && !(leaf in seenColumn)) { seenColumn[leaf] = 1; columns[++columnTotal] = leaf }
  }
  if (!rowTotal) return
  printf "  %-16s", "stage"
  for (j = 1; j <= columnTotal; j++) printf " %s", right(columns[j], wide(columns[j]))
  print ""
  for (i = 1; i <= rowTotal; i++) {
    base = rowNames[i]
    place = base; sub(/^stages[.\[]?/, "", place)
    printf "  %-16s", ((base ".name") in stage ? stage[base ".name"] : place)
    for (j = 1; j <= columnTotal; j++) printf " %s", right(stage[base "." columns[j]], wide(columns[j]))
    print ""
  }
}

function right(text, width) { while (length(text) < width) text = " " text; return text }
function wide(text) { return length(text) < 8 ? 8 : length(text) }
