# Reads the records of a bench (one a line, tab between the fields, the kind first) and works out what
# both reports print: medians, ratios of each round and their medians, and whether goals are met.
BEGIN {
  FS = "\t"
  whatNames["speed"] = "speed"; whatNames["start"] = "start-up"; whatNames["memory"] = "memory"
  whatNames["excess"] = "MB more, less the driver"
  factNames["start.own"] = "start-up, ms of kfrec\047s own"; factNames["live.dropped"] = "live, frames dropped"
  factNames["live.missing"] = "live, frames missing in the file"
}

$1 == "machine" { machineKeys[++machineCount] = $2; machine[$2] = $3 }
$1 == "note" { notes[++noteCount] = $2 }
$1 == "object" { objects[$2] = $3 }
$1 == "stage" { stagePaths[++stageCount] = $2; stage[$2] = $3 }
$1 == "fact" { facts[$2] = ($2 in told ? facts[$2] " " : "") $3; told[$2] = 1 }

$1 == "program" {
  row = $2 SUBSEP $3
  rows[++rowCount] = row; setOf[row] = $2; nameOf[row] = $3; label[row] = $4; frames[row] = $5
  labelOf[$3] = $4; state[row] = $6; reason[row] = $7; command[row] = $8; encoder[row] = $9
}
$1 == "run" {
  row = $2 SUBSEP $3
  runs[row]++
  run = row SUBSEP runs[row]
  round[run] = $4; seconds[run] = $5; user[run] = $6; system_[run] = $7; peak[run] = $8 / 1024; packets[run] = $9
  # A goal compares what ran in the same round.
  runIn[row, $4] = run
  append(row, "seconds", $5); append(row, "cores", ($6 + $7) / $5); append(row, "peakMB", $8 / 1024)
  append(row, "work", ($6 + $7) * 1000 / frames[row])
  append(row, "fps", frames[row] / $5)
  if ($9 != frames[row]) { state[row] = "invalid"; reason[row] = "wrote " $9 " frames of " frames[row] }
}
$1 == "goal" {
  goalOn[++goalCount] = $2; goalWhat[goalCount] = $3; goalOf[goalCount] = $4; goalAgainst[goalCount] = $5
  goalSet[goalCount] = $6; goalSense[goalCount] = $7; goalWanted[goalCount] = $8; goalStrength[goalCount] = $9
}

function append(row, what, value) {
  series[row, what] = ((row, what) in begun ? series[row, what] " " : "") value
  begun[row, what] = 1
}

# The p-quantile of numbers with blanks between them: 0 the least, 0.5 the median, 1 the most.
function quantile(list, p,   values, count, i, j, t, place, below) {
  count = split(list, values, " ")
  for (i = 2; i <= count; i++) {
    t = values[i] + 0
    for (j = i - 1; j > 0 && values[j] + 0 > t; j--) values[j + 1] = values[j]
    values[j + 1] = t
  }
  place = 1 + (count - 1) * p
  below = int(place)
  if (below >= count) return values[count] + 0
  return values[below] + (place - below) * (values[below + 1] - values[below])
}

# The ratios of two rows of a set, round by round; more is better for kfrec, whose row comes first.
function ratios(set, what, name, peer,   list, i, count, mine, theirs, ratio) {
  count = runs[set, name]
  if (state[set, name] != "runs" || state[set, peer] != "runs") return ""
  for (i = 1; i <= count; i++) {
    mine = set SUBSEP name SUBSEP i
    if (!((set, peer, round[mine]) in runIn)) continue
    theirs = runIn[set, peer, round[mine]]
    if (what == "excess") ratio = peak[mine] - peak[theirs] - driverMemory()
    else if (what == "memory") ratio = peak[theirs] / peak[mine]
    else ratio = seconds[theirs] / seconds[mine]
    list = list (list == "" ? "" : " ") ratio
  }
  return list
}

# What a Vulkan device that does nothing costs, in MB.
function driverMemory() {
  if (!runs["start", "ffmpeg-device"] || !runs["start", "ffmpeg"]) return 0
  return quantile(series["start" SUBSEP "ffmpeg-device", "peakMB"], 0.5) - quantile(series["start" SUBSEP "ffmpeg", "peakMB"], 0.5)
}

# Works out goal number g: `goalList` (figures by round), `goalName`, `goalState` ("met", "missed" or
# "unknown"). False where it is not a goal of this run: another kind of device, a size not asked for.
function judge(g,   value, set) {
  if (goalOn[g] != "any" && (goalOn[g] == "cpu") != (machine["gpuType"] == "cpu")) return 0
  set = goalSet[g]
  if (goalWhat[g] == "fact") {
    goalList = goalOf[g] in told ? facts[goalOf[g]] : ""
    goalName = goalOf[g] in factNames ? factNames[goalOf[g]] : goalOf[g]
  } else {
    if (set != "start" && !index(" " machine["sizes"] " ", " " set " ")) return 0
    goalList = ratios(set, goalWhat[g], goalOf[g], goalAgainst[g])
    goalName = whatNames[goalWhat[g]] ", " labelOr(goalOf[g]) " / " labelOr(goalAgainst[g])
    if (set != "start" && set != 720) goalName = goalName ", " set "p"
  }
  if (goalList == "") { goalState = "unknown"; return 1 }
  value = quantile(goalList, 0.5)
  goalState = (goalSense[g] == "at-least" ? value >= goalWanted[g] : value <= goalWanted[g]) ? "met" : "missed"
  return 1
}

function labelOr(name) { return name in labelOf ? labelOf[name] : name }

# The words in which an encoder was set otherwise than ffmpeg's own in the same set.
function encoderDifference(row,   theirs, mine, count, i, others, known) {
  if (encoder[row] == "" || encoder[setOf[row], "ffmpeg"] == "") return ""
  count = split(encoder[setOf[row], "ffmpeg"], theirs, " ")
  for (i = 1; i <= count; i++) known[theirs[i]] = 1
  count = split(encoder[row], mine, " ")
  for (i = 1; i <= count; i++) if (!(mine[i] in known)) others = others (others == "" ? "" : " ") mine[i]
  return others
}
