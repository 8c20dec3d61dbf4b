// Plays a click now and then into a sound device, and tells when each was heard:
//
//     clicks DEVICE SECONDS RATE CHANNELS
//
// ends then, or by SIGTERM, and prints for each click its time on the monotonic clock, in seconds. The
// times are those of a straight line through what the device says of itself while it plays, without what
// lies far off the line: the machine is slow, and says some things late. Clicks are half a second to a
// second apart.
#include <alsa/asoundlib.h>
#include <math.h>
#include <signal.h>

enum { most = 16384 };

static double times[most], places[most], errors[most], sorted[most];
static int pairs;
static double slope, level, origin;

static volatile sig_atomic_t isOver;

static void end(int signal) {
  (void)signal;
  isOver = 1;
}

static int compare(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

static double median(const double *values, int number) {
  memcpy(sorted, values, number * sizeof *values);
  qsort(sorted, number, sizeof *sorted, compare);
  return sorted[number / 2];
}

static void measure(void) {
  for (int i = 0; i < pairs; i++) errors[i] = fabs(places[i] - level - slope * times[i]);
}

// A line that is not drawn away by what is far off it: by the medians of the slopes over half of the
// time, and of the levels.
static void begin(void) {
  int half = pairs / 2;
  for (int i = 0; i < half; i++)
    errors[i] = (places[i + half] - places[i]) / (times[i + half] - times[i]);
  slope = median(errors, half);
  for (int i = 0; i < pairs; i++) errors[i] = places[i] - slope * times[i];
  level = median(errors, pairs);
  measure();
}

// The line through the pairs that are no further off the line before than a limit.
static void fit(double limit) {
  double n = 0, st = 0, sp = 0, stt = 0, stp = 0;
  for (int i = 0; i < pairs; i++) {
    if (errors[i] > limit) continue;
    double t = times[i], p = places[i];
    n++, st += t, sp += p, stt += t * t, stp += t * p;
  }
  slope = (n * stp - st * sp) / (n * stt - st * st);
  level = (sp - slope * st) / n;
  measure();
}

static void check(int result, const char *call) {
  if (result >= 0) return;
  fprintf(stderr, "clicks: %s: %s\n", call, snd_strerror(result));
  exit(1);
}

int main(int count, char **words) {
  if (count != 5) return 2;
  int rate = atoi(words[3]), channels = atoi(words[4]), period = rate / 50;
  long total = atol(words[2]) * rate;
  signal(SIGTERM, end);
  snd_pcm_t *pcm;
  // Eight seconds wait to be played: the loop counts modulo that, and loses count where the machine
  // stands still for longer.
  check(snd_pcm_open(&pcm, words[1], SND_PCM_STREAM_PLAYBACK, 0), "open");
  check(
      snd_pcm_set_params(
          pcm, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, channels, rate, 0, 8000000),
      "set_params");
  snd_pcm_sw_params_t *settings;
  snd_pcm_sw_params_alloca(&settings);
  check(snd_pcm_sw_params_current(pcm, settings), "sw_params_current");
  snd_pcm_sw_params_set_tstamp_mode(pcm, settings, SND_PCM_TSTAMP_ENABLE);
  snd_pcm_sw_params_set_tstamp_type(pcm, settings, SND_PCM_TSTAMP_TYPE_MONOTONIC);
  check(snd_pcm_sw_params(pcm, settings), "sw_params");
  snd_pcm_status_t *status;
  snd_pcm_status_alloca(&status);

  static long clicks[most];
  int known = 0;
  long next = rate / 2;
  for (long place = 0; place < total && !isOver; place += period) {
    short block[period * channels];
    for (int i = 0; i < period; i++) {
      long here = place + i;
      if (here > next + 24) {
        if (known < most) clicks[known++] = next;
        next += rate / 2 + rate / 20 * (known % 11);
      }
      double distance = (here - next) / 8.0;
      short value = fabs(distance) < 3 ? (short)(20000 * exp(-distance * distance)) : 0;
      for (int channel = 0; channel < channels; channel++) block[i * channels + channel] = value;
    }
    long written = snd_pcm_writei(pcm, block, period);
    if (written < 0) {
      // What follows would be heard at other times than are told.
      fprintf(stderr, "clicks: %s at %ld\n", snd_strerror((int)written), place);
      break;
    }
    if (snd_pcm_status(pcm, status) < 0 || snd_pcm_status_get_state(status) != SND_PCM_STATE_RUNNING)
      continue;
    struct timespec stamp;
    snd_pcm_status_get_htstamp(status, &stamp);
    double time = stamp.tv_sec + stamp.tv_nsec / 1e9;
    if (pairs == 0) origin = time;
    if (pairs == most) continue;
    times[pairs] = time - origin;
    places[pairs++] = place + period - snd_pcm_status_get_delay(status);
  }
  if (pairs < 100) return 1;
  begin();
  for (int round = 0; round < 8; round++) fit(4 * median(errors, pairs));
  fprintf(stderr, "clicks: %.2f frames a second by %d looks\n", slope, pairs);
  for (int i = 0; i < known; i++) printf("%.6f\n", origin + (clicks[i] - level) / slope);
  fflush(stdout);
  snd_pcm_drop(pcm);
  return 0;
}
