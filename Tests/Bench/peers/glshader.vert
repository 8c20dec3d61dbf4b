// separateRGB for GStreamer's glshader, first half: how far red and green drift, worked out once a
// corner of the frame instead of once a pixel.
attribute vec4 a_position;
attribute vec2 a_texcoord;
uniform float time;
uniform float width;
uniform float height;
varying vec2 v_texcoord;
varying vec2 v_red;
varying vec2 v_green;

float hash(float n) { return fract(sin(n) * 43758.5453); }

// Value noise on the line z = 0, y a whole number: all that separateRGB reads of it.
float noise(float x, float y) {
  float cell = floor(x), f = x - cell;
  float n = cell + 57.0 * y;
  return mix(hash(n), hash(n + 1.0), f * f * (3.0 - 2.0 * f));
}

void main() {
  vec2 size = vec2(width, height);
  vec2 drift = (vec2(noise(time * 10.0, 0.0), noise(time * 10.0, 1.0)) * 2.0 - 1.0)
    * vec2(0.025, 0.010) * size;
  gl_Position = a_position;
  v_texcoord = a_texcoord;
  v_red = a_texcoord + floor(drift) / size;
  v_green = a_texcoord + floor(-drift) / size;
}
