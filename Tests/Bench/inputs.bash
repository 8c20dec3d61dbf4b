# The clips that are read, and how many frames came out.

width_of() { echo $(($1 * 16 / 9)); }
# Bits in proportion to the pixels, from 6 Mbit/s at 1280x720.
kilobits_of() { echo $(($1 * $1 * 6000 / 518400)); }

# make_input HEIGHT: the sample in that size, played as often as $frames need, without its sound, at
# $work/HEIGHT.mp4; and its first second, for a try, at $work/HEIGHT-try.mp4.
make_input() {
  local clip=$sample
  if [ "$1" != 720 ]; then
    say "making a clip of $(width_of "$1")x$1"
    clip=$work/clip-$1.mp4
    # The sample has no B-frames, profile Main and 1.2 Mbit/s.
    ffmpeg -v error -nostdin -i "$sample" -an -vf "scale=$(width_of "$1"):$1" -c:v libx264 -preset veryfast \
      -profile:v main -bf 0 -b:v "$(($(kilobits_of "$1") / 5))k" "$clip"
  fi
  ffmpeg -v error -nostdin -stream_loop -1 -i "$clip" -an -c copy -frames:v "$frames" "$work/$1.mp4"
  ffmpeg -v error -nostdin -i "$clip" -an -c copy -frames:v "$try_frames" "$work/$1-try.mp4"
  local made; made=$(packets_of "$work/$1.mp4")
  [ "$made" = "$frames" ] || { say "the input has $made frames instead of $frames"; exit 1; }
}
try_frames=25

# packets_of MOVIE: how many frames it holds; 0 where it is none.
packets_of() {
  local count
  count=$(ffprobe -v quiet -select_streams v:0 -count_packets -show_entries stream=nb_read_packets \
    -of csv=p=0 "$1") || true
  count=${count%%[!0-9]*}
  echo "${count:-0}"
}
