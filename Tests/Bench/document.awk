# The report for programs: one JSON object, every figure of every round in it.
END {
  printf "{\n  \"machine\": {"
  for (i = 1; i <= machineCount; i++) printf "%s\"%s\": %s", (i > 1 ? ", " : ""), machineKeys[i], plain(machine[machineKeys[i]])
  printf "},\n  \"programs\": ["
  for (i = 1; i <= rowCount; i++) program(rows[i], i > 1)
  printf "\n  ],\n  \"goals\": ["
  for (g = 1; g <= goalCount; g++) if (judge(g)) goal(g, judged++)
  printf "\n  ],\n  \"facts\": {"
  for (name in facts) printf "%s\"%s\": [%s]", (members++ ? ", " : ""), name, commas(facts[name])
  printf "},\n  \"notes\": ["
  for (i = 1; i <= noteCount; i++) printf "%s%s", (i > 1 ? ", " : ""), text(notes[i])
  printf "],\n  \"stages\": %s,\n  \"live\": %s\n}\n", object("stages"), object("live")
}

function program(row, follows,   i, r) {
  printf "%s\n    {\"program\": %s, \"set\": %s, \"label\": %s, \"state\": %s", (follows ? "," : ""), text(nameOf[row]), text(setOf[row]), text(label[row]), text(state[row])
  if (reason[row] != "") printf ", \"reason\": %s", text(reason[row])
  printf ", \"frames\": %d, \"command\": %s, \"encoder\": %s", frames[row], text(command[row]), text(encoder[row])
  if (runs[row]) {
    printf ", \"median\": {\"seconds\": %s, \"fps\": %s, \"cores\": %s, \"peakMB\": %s, \"processorMsPerFrame\": %s}", median(row, "seconds"), median(row, "fps"), median(row, "cores"), median(row, "peakMB"), median(row, "work")
    printf ", \"rounds\": ["
    for (i = 1; i <= runs[row]; i++) {
      r = row SUBSEP i
      printf "%s\n      {\"round\": %d, \"seconds\": %s, \"user\": %s, \"system\": %s, \"peakMB\": %s, \"frames\": %d}", (i > 1 ? "," : ""), round[r], seconds[r], user[r], system_[r], number(peak[r]), packets[r]
    }
    printf "]"
  }
  printf "}"
}

function goal(g, follows) {
  printf "%s\n    {\"goal\": %s, \"program\": %s, \"peer\": %s, \"sense\": %s, \"wanted\": %s, \"strength\": %s, \"state\": %s", (follows ? "," : ""), text(goalName), text(goalOf[g]), (goalAgainst[g] == "-" ? "null" : text(goalAgainst[g])), text(goalSense[g]), goalWanted[g], text(goalStrength[g]), text(goalState)
  if (goalList != "") printf ", \"median\": %s, \"least\": %s, \"most\": %s, \"rounds\": [%s]", number(quantile(goalList, 0.5)), number(quantile(goalList, 0)), number(quantile(goalList, 1)), commas(goalList)
  printf "}"
}

function median(row, what) { return number(quantile(series[row, what], 0.5)) }
function number(value) { return sprintf("%.6g", value) }
function commas(list) { gsub(/ /, ", ", list); return list }
function object(name) { return objects[name] == "" ? "null" : objects[name] }
function plain(value) { return value ~ /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/ ? value : text(value) }

function text(value) {
  gsub(/\\/, "\\\\", value)
  gsub(/"/, "\\\"", value)
  gsub(/[\001-\037]/, " ", value)
  return "\"" value "\""
}
