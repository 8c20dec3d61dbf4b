# What is not a row of the table: the machine, kfrec's own share of the start, its stages, a live recording.

describe_machine() {
  local device driver
  record machine processor "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
  record machine cores "$(nproc)"
  record machine load "$(cut -d ' ' -f 1 /proc/loadavg)"
  record machine kernel "$(uname -r)"
  record machine kfrec "$("$kfrec" --version | sed -n '1s/^kfrec //p')"
  record machine commit "$(git -C "$bench" describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)"
  record machine ffmpeg "$(ffmpeg -version | sed -n '1s/^ffmpeg version \([^ ]*\).*/\1/p')"
  record machine gstreamer "$(gst-launch-1.0 --version 2>/dev/null | sed -n 's/^GStreamer //p' || true)"
  # The device that kfrec takes unless told: the peers get the same one, by the part of its name that
  # has no commas, which ffmpeg would read as the end.
  device=$("$kfrec" -i testsrc --frames 1 -e separateRGB -o null --progress json | flattened |
    sed -n 's/^gpu\t//p') || { say "kfrec does not run here"; exit 1; }
  IFS=$'\t' read -r gpu_type driver gpu_word < <("$kfrec" devices --json | flattened |
    awk -F '\t' -v device="$device" '
      $1 ~ /\.name$/ { name = $2 }
      $1 ~ /\.type$/ { type = $2 }
      $1 ~ /\.driver$/ && index(device, name) { print type "\t" $2 "\t" name; exit }')
  gpu_word=${gpu_word%%[(,]*}; gpu_word=${gpu_word% }
  record machine gpu "$device"
  record machine gpuType "$gpu_type"
  record machine driver "$driver"
  record machine rounds "$rounds"
  record machine frames "$frames"
  record machine sizes "$sizes"
}

# One line of JSON on standard input, one `path<tab>value` a line out.
flattened() { awk -f "$bench/json.awk"; }

# The `end` object of the last run, where it went well.
end_object() { grep -a '"type": *"end"' "$work/standard-output" || true; }

# Whether kfrec knows an option, with the reason in the log where it does not.
knows() { command=("$kfrec" "$@" --progress json); run_command; }

# What of the time to the first frame is kfrec's own, by its own clock.
own_start_up() {
  local size=${sizes%% *} own
  [ -z "$wanted" ] || [[ " $wanted " == *" separateRGB "* ]] || return 0
  command_of separateRGB "$work/$size.mp4" "$work/out.mov" "$(kilobits_of "$size")" 1
  command+=(--stats --progress json)
  run_command || return 0
  own=$(end_object | flattened | awk -f "$bench/start-up.awk")
  [ -z "$own" ] || record fact start.own "$own"
}

# Where a frame waits: what --stats says of one run.
stages() {
  local size=${sizes%% *}
  [ -z "$wanted" ] || [[ " $wanted " == *" separateRGB "* ]] || return 0
  command_of separateRGB "$work/$size.mp4" "$work/out.mov" "$(kilobits_of "$size")" 0
  command+=(--stats --progress json)
  if run_command; then
    record object stages "$(end_object)"
    end_object | flattened | sed -n 's/^stats\./stage\t/p' >> "$work/records"
  else
    record note "stages: skipped: $(reason_in_log)"
  fi
}

# A paced recording that must not drop a frame.
live_recording() {
  local words=(-i testsrc --realtime -e separateRGB) written
  [ "$live" -gt 0 ] || return 0
  if ! knows "${words[@]}" -t 0.5 -o null; then
    record note "live: skipped: $(reason_in_log)"; return 0
  fi
  say "live: $live s"
  command=("$kfrec" --quiet -y "${words[@]}" -t "$live" --progress json -o "$work/out.mov")
  run_command || record note "live: $(reason_in_log)"
  record object live "$(end_object)"
  record fact live.seconds "$live"
  record fact live.wanted $((live * 30))
  written=$(packets_of "$work/out.mov")
  record fact live.frames "$written"
  record fact live.missing $((live * 30 - written))
  record fact live.cores "$(awk -v t="$seconds" '{ print ($1 + $2) / t }' <<<"${usage[*]}")"
  record fact live.peakMB "$(awk '{ print $3 / 1024 }' <<<"${usage[*]}")"
  end_object | flattened | awk -F '\t' '
    $1 == "dropped" { print "fact\tlive.dropped\t" $2 }
    $1 ~ /^latency/ && $2 + 0 == $2 { print "fact\tlive." $1 "\t" $2 }' >> "$work/records"
}
