# Running programs: once to see whether they can, then in turn.

declare -A found

# find_programs SET FRAMES PROGRAM...: tries each on the first second of the clip. Those that work
# are found[SET]; the others are recorded with the reason. The try also warms every cache.
find_programs() {
  local set=$1 count=$2 program state reason size limit=0 expected=$try_frames; shift 2
  found[$set]=
  size=$set
  if [ "$set" = start ]; then size=${sizes%% *}; limit=1; expected=1; fi
  for program in "$@"; do
    if [ -n "$wanted" ] && [[ " $wanted " != *" $program "* ]]; then continue; fi
    command_of "$program" "$work/$size-try.mp4" "$work/out.mov" "$(kilobits_of "$size")" "$limit"
    state=runs; reason=
    if ! run_command; then
      state=skipped; reason=$(reason_in_log)
    elif [ "$(packets_of "$work/out.mov")" != "$expected" ]; then
      state=skipped; reason="wrote $(packets_of "$work/out.mov") frames of $expected"
    fi
    if [ "$state" = runs ]; then found[$set]+=" $program"; else say "$program: skipped: $reason"; fi
    record program "$set" "$program" "$(label_of "$program")" "$count" "$state" "$reason" "$(described_command)" \
      "$(encoder_settings "$work/out.mov")"
  done
}

# run_round SET ROUND: every program once; forth in odd rounds and back in even ones, so that none
# always follows the same neighbour.
run_round() {
  local set=$1 round=$2 program order=(${found[$1]}) i size=$1 limit=0
  if [ "$set" = start ]; then size=${sizes%% *}; limit=1; fi
  if ((round % 2 == 0)); then
    for ((i = 0; i < ${#order[@]} / 2; i++)); do
      program=${order[i]}; order[i]=${order[-1 - i]}; order[-1 - i]=$program
    done
  fi
  for program in "${order[@]}"; do
    command_of "$program" "$work/$size.mp4" "$work/out.mov" "$(kilobits_of "$size")" "$limit"
    run_command || say "$program: $(reason_in_log)"
    record run "$set" "$program" "$round" "$seconds" "${usage[@]}" "$(packets_of "$work/out.mov")"
    say "round $round, $set: $program $seconds s"
  done
}

# Runs `command`: `seconds` by the clock, `usage` is user and system seconds and peak kilobytes; what it
# says is in $work/log, what it writes to standard output in $work/standard-output.
run_command() {
  local started status=0 time
  rm -f "$work/out.mov"
  started=${EPOCHREALTIME/./}
  /usr/bin/time -q -o "$work/time" -f '%U %S %M' timeout --foreground -k 5 1800 "${command[@]}" \
    >"$work/standard-output" 2>"$work/log" </dev/null || status=$?
  time=$((${EPOCHREALTIME/./} - started))
  seconds=$(printf '%d.%06d' $((time / 1000000)) $((time % 1000000)))
  read -r -a usage < <(tail -n 1 "$work/time")
  return $status
}

# The sentence that says why the last command failed.
reason_in_log() {
  local line
  line=$(grep -aiE -m 1 'error|not an option|no such|could not|failed|missing' "$work/log" || head -n 1 "$work/log")
  echo "${line:-it failed without a word}" | tr '\t' ' '
}

described_command() { tr '\n\t' '  ' <<<"${command[*]}"; }

# What x264 wrote into the movie about how it was set, so that a row whose encoder worked in another way stands out.
encoder_settings() {
  grep -aoE -m 1 'options: cabac=[ -~]*' "$1" 2>/dev/null | head -n 1 | sed 's/^options: //' || true
}
