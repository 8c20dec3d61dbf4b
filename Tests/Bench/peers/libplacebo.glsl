// separateRGB as a user shader of libplacebo (and mpv). Such a shader knows no time: `frame` counts
// from 1, and the sample has 25 frames a second.

//!HOOK MAIN
//!BIND HOOKED
//!DESC separateRGB

float hash(float n) { return fract(sin(n) * 43758.5453); }

// Value noise on the line z = 0, y a whole number: all that separateRGB reads of it.
float noise(float x, float y) {
  float cell = floor(x), f = x - cell;
  float n = cell + 57.0 * y;
  return mix(hash(n), hash(n + 1.0), f * f * (3.0 - 2.0 * f));
}

vec4 hook() {
  float time = (float(frame) - 1.0) / 25.0;
  vec2 drift = (vec2(noise(time * 10.0, 0.0), noise(time * 10.0, 1.0)) * 2.0 - 1.0)
    * vec2(0.025, 0.010) * HOOKED_size;
  return vec4(
    HOOKED_texOff(floor(drift)).r, HOOKED_texOff(floor(-drift)).g, HOOKED_texOff(vec2(0.0)).b, 1.0);
}
