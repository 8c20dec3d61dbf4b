/*{
  "DESCRIPTION": "Blurs what moves along its way, as a film camera with an open shutter does.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Motion", "Blur"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 4, "IDENTITY": 0,
      "DESCRIPTION": "How long the shutter is open, as a part of the time between frames: 0.5 is 180 degrees"}
  ],
  "PASSES": [
    {"TARGET": "lumas", "FLOAT": true, "PERSISTENT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)))", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)))"},
    {"TARGET": "pyramid", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) * 0.75) + 2", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 2) + 2"},
    {"TARGET": "coarse", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 8)", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 8)"},
    {"TARGET": "medium", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 4)", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 4)"},
    {"TARGET": "fine", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 4)", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 4)"},
    {"TARGET": "vectors", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 4)", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 4)"},
    {"TARGET": "motions", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 4)", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 4)"},
    {"TARGET": "widest", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 4)",
      "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 4)",
      "DESCRIPTION": "The longest vector around"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "shrink", "TYPE": "int", "VALUE": "max(1, round(SIDE/180))"}
  ]
}*/
#include "gather.glsl"
#include "motion.glsl"

vec4 effect(vec2 uv) {
#if PASSINDEX < 7
  return motionPass();
#elif PASSINDEX == 7
  vec2 longest = vec2(0.0);
  for (int i = 0; i < 25; i++) {
    vec2 motion = motionsPixel(PIXEL + ivec2(i % 5, i / 5) - 2).xy;
    if (dot(motion, motion) > dot(longest, longest)) longest = motion;
  }
  return vec4(longest, 0.0, 1.0);
#else
  int square = 4 * shrink;
  float open = amount * float(shrink);
  // The way of what moves most nearby, in pixels: it may cover this pixel while the shutter is open.
  vec2 way = open * widest((vec2(PIXEL) + 0.5) / float(square) / vec2(widestSize())).xy;
  float extent = length(way);
  if (extent < 0.5) return framePixel();
  // Each pixel looks for vectors a bit aside, by chance, so that their squares do not show.
  vec2 chance = vec2(hash(PIXEL), hash(PIXEL + 7919)) - 0.5;
  vec2 place = floor(chance * float(square)) + 0.5;
  float part = 1.0 / float(square);
  float own = open * length(motions((vec2(PIXEL) + 0.5) / float(square) / vec2(motionsSize())).xy);
  vec4 sum = gathered(PIXEL);
  float total = 1.0;
  int taps = clamp(int(0.5 * extent) + 1, 1, 6);
  for (int i = -taps; i <= taps; i++) {
    if (i == 0) continue;
    float along = (float(i) + 0.5 * chance.x) / float(2 * taps + 1);
    ivec2 p = PIXEL + ivec2(floor(along * way + 0.5));
    // A pixel counts if it gets here on its way, or if this one leaves it uncovered.
    float reach = 0.5 * max(own, open * length(motionsPixel(ivec2((vec2(p) + place) * part)).xy));
    float weight = clamp((reach - abs(along) * extent) / (0.25 * reach + 1.0) + 1.0, 0.0, 1.0);
    sum += weight * gathered(clamp(p, ivec2(0), frameSize() - 1));
    total += weight;
  }
  return colorOf(sum / total);
#endif
}
