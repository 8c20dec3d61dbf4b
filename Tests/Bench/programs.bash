# What is measured: a row's name, its label, and its words on the command line.

programs_at() {
  local own=(kfrec separateRGB chain)
  case $1 in
    720)
      own=(kfrec kfrec-gpu shift separateRGB chain)
      echo ffmpeg rgbashift frei0r chromaber_vulkan libplacebo libplacebo-plain glshader "${own[@]}" ;;
    *) echo ffmpeg "${own[@]}" ;;
  esac
  [ -z "$earlier" ] || echo "${own[@]/%/.before}"
}

# One frame, start to end. ffmpeg-device opens a Vulkan device and leaves it alone: the driver's own share.
start_programs="chromaber_vulkan separateRGB ffmpeg ffmpeg-device"

label_of() {
  case $1 in
    *.before) echo "$(label_of "${1%.before}"), before" ;;
    ffmpeg) echo "ffmpeg, no filter" ;;
    ffmpeg-device) echo "ffmpeg, no filter, Vulkan device" ;;
    rgbashift) echo "ffmpeg rgbashift" ;;
    frei0r) echo "ffmpeg frei0r rgbsplit0r" ;;
    chromaber_vulkan) echo "ffmpeg chromaber_vulkan" ;;
    libplacebo) echo "ffmpeg libplacebo" ;;
    libplacebo-plain) echo "ffmpeg libplacebo, no scalers" ;;
    glshader) echo "GStreamer glshader" ;;
    kfrec) echo "kfrec, no effect" ;;
    kfrec-gpu) echo "kfrec, no effect, --force-gpu" ;;
    shift) echo "kfrec, the shift of rgbashift" ;;
    separateRGB) echo "kfrec separateRGB" ;;
    chain) echo "kfrec, chain of four" ;;
  esac
}

# command_of PROGRAM INPUT OUTPUT KBITS FRAMES: the words, in the array `command`. FRAMES is how
# many to write, or 0 for all. Everything ends in 4:2:0: without -pix_fmt the filters that work in
# RGB would leave 4:4:4 to the encoder.
command_of() {
  local program=$1 input=$2 output=$3 kbits=$4 count=$5
  local before=() filter=() pixels=yuv420p
  local vulkan=(-init_hw_device "vulkan=v:$gpu_word" -filter_hw_device v)
  case $program in
    *.before)
      local kfrec=$earlier
      command_of "${program%.before}" "${@:2}" ;;
    kfrec) kfrec_command ;;
    kfrec-gpu) kfrec_command --force-gpu ;;
    shift) kfrec_command -e "$bench/peers/shift.comp" ;;
    separateRGB) kfrec_command -e separateRGB ;;
    chain) kfrec_command -e separateRGB -e vignette -e vignette -e vignette ;;
    glshader) glshader_command ;;
    *)
      case $program in
        ffmpeg) ;;
        ffmpeg-device) before=("${vulkan[@]}") ;;
        rgbashift) filter=(-vf rgbashift=rh=16:gh=-16:rv=4:gv=-4) ;;
        frei0r) filter=(-vf 'frei0r=rgbsplit0r:0.55|0.52') ;;
        chromaber_vulkan) on_vulkan chromaber_vulkan=dist_x=10:dist_y=5 ;;
        libplacebo) on_vulkan "libplacebo=custom_shader_path=$bench/peers/libplacebo.glsl" ;;
        libplacebo-plain)
          on_vulkan "libplacebo=upscaler=none:downscaler=none:dithering=none:custom_shader_path=$bench/peers/libplacebo.glsl" ;;
      esac
      command=(ffmpeg -v error -nostdin -y "${before[@]}" -i "$input" "${filter[@]}" -an
        -c:v libx264 -preset veryfast -b:v "${kbits}k" -pix_fmt "$pixels")
      [ "$count" = 0 ] || command+=(-frames:v "$count")
      command+=("$output") ;;
  esac
}

kfrec_command() {
  command=("$kfrec" --quiet -y -i "$input" --no-audio --preset veryfast --bitrate "${kbits}k" "$@")
  [ "$count" = 0 ] || command+=(--frames "$count")
  command+=(-o "$output")
}

on_vulkan() {
  before=("${vulkan[@]}")
  filter=(-vf "format=yuv420p,hwupload,$1,hwdownload,format=yuv420p")
}

# The fastest arrangement found: colours converted on the processor, each part in its own thread.
# vbv-buf-capacity=0 gives the encoder the average bit rate that the others ask for.
glshader_command() {
  command=(env GST_GL_PLATFORM=egl "GST_GL_WINDOW=egl-device")
  [ "$gpu_type" != cpu ] || command+=(LIBGL_ALWAYS_SOFTWARE=1)
  command+=(gst-launch-1.0 -q filesrc "location=$input" ! qtdemux ! h264parse ! avdec_h264 ! queue
    ! videoconvert ! queue ! glupload
    ! glshader "vertex=\"$(< "$bench/peers/glshader.vert")\"" "fragment=\"$(< "$bench/peers/glshader.frag")\""
    ! gldownload ! queue ! videoconvert ! video/x-raw,format=I420 ! queue
    ! x264enc speed-preset=veryfast "bitrate=$kbits" vbv-buf-capacity=0 ! qtmux ! filesink "location=$output")
}
