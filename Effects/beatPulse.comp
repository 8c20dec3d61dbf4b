/*{
  "DESCRIPTION": "Jumps, flashes and splits its colours on the beat of the sound.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Sound", "Motion"],
  "NEUTRAL": true,
  "INPUTS": [
    {"NAME": "sound", "TYPE": "audioFFT", "MAX": 1024},
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much larger the picture gets on a beat"},
    {"NAME": "flash", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0, "MAX": 4,
      "DESCRIPTION": "How much brighter it gets, in parts of its light"},
    {"NAME": "split", "TYPE": "float", "DEFAULT": 0.015, "MIN": 0, "MAX": 0.2,
      "DESCRIPTION": "How much more red grows than blue, as a part of the distance from the middle"},
    {"NAME": "shake", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 0.2,
      "DESCRIPTION": "How far each beat throws the picture aside, as a part of the frame's shorter side"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The point it grows from; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "decay", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0.02, "MAX": 5,
      "DESCRIPTION": "How long a beat lasts, in seconds"},
    {"NAME": "sensitivity", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How weak a beat may be; 0 hears none"},
    {"NAME": "pulse", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "A beat besides those that it hears, 1 at its height: keyframes, or a formula such as audio(high)*5"}
  ],
  "PASSES": [
    {"TARGET": "state", "WIDTH": 1, "HEIGHT": 1, "FLOAT": true, "PERSISTENT": true},
    {}
  ]
}*/
#include "light.glsl"
#include "reflect.glsl"

#if PASSINDEX == 0
// What is kept: how loud low tones are, the beat as it fades, the time since it began, and how many there were.
vec4 effect(vec2 uv) {
  int rows = min(soundSize().y, 8);
  float loud = 0.0;
  for (int row = 0; row < rows; row++) {
    // Up to 250 hertz. Small parts of a spectrum count too, as they do for ears.
    for (int x = 1; x <= 10; x++) loud += log(1.0 + 1000.0 * soundPixel(ivec2(x, row)).r);
  }
  loud /= float(10 * rows);

  vec4 before = statePixel(ivec2(0));
  float fresh = before.z + TIMEDELTA;
  float beat = before.y * exp(-2.5 * TIMEDELTA / decay);
  float rise = (loud - before.x) / max(loud, 0.5);
  bool isBeat = sensitivity > 0.0 && FRAMEINDEX > 0 && fresh > 0.18 && rise > 0.02 + 0.35 * (1.0 - sensitivity);
  // The level that a rise counts from sinks at once and follows upwards within a tenth of a second.
  float level = loud < before.x || FRAMEINDEX == 0 ? loud : before.x + (loud - before.x) * (1.0 - exp(-TIMEDELTA / 0.05));
  return isBeat ? vec4(loud, 1.0, 0.0, before.w + 1.0) : vec4(level, beat, fresh, before.w);
}
#else

vec4 effect(vec2 uv) {
  vec4 state = statePixel(ivec2(0));
  float beat = max(state.y, pulse);
  // An eye sees no movement below this.
  if (beat < 0.004) return framePixel();
  int number = int(state.w);
  vec2 throw_ = (vec2(hash(ivec2(number, 1)), hash(ivec2(number, 2))) * 2.0 - 1.0)
    * shake * beat * min(RENDERSIZE.x, RENDERSIZE.y) / RENDERSIZE;
  vec2 from = uv - center - throw_;
  float grown = 1.0 + amount * beat;
  float apart = 0.5 * split * beat;

  vec4 color = frame(reflected(center + from / grown));
  if (apart > 0.0) {
    color.r = frame(reflected(center + from / (grown + apart))).r;
    color.b = frame(reflected(center + from / max(grown - apart, 0.1))).b;
  }
  return vec4(toCode(min(toLight(color.rgb) * (1.0 + flash * beat), vec3(1.0))), color.a);
}
#endif
