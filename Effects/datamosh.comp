/*{
  "DESCRIPTION": "The picture of before is pushed along by what moves now, as in a video that has lost its key frames.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Glitch", "Motion"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.95, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much of the picture of before stays: 1 shows nothing new"},
    {"NAME": "bloom", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How long a motion goes on by itself after it has ended"},
    {"NAME": "refresh", "TYPE": "float", "DEFAULT": 4, "MIN": 0, "MAX": 60,
      "DESCRIPTION": "Seconds from one fresh picture to the next; 0 for none"},
    {"NAME": "blocks", "TYPE": "bool", "DEFAULT": true,
      "DESCRIPTION": "Whole squares move, as in a codec; otherwise the picture flows"},
    {"NAME": "fresh", "TYPE": "event", "DESCRIPTION": "Shows a fresh picture"}
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
    {"TARGET": "pushes", "FLOAT": true, "PERSISTENT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 4)",
      "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 4)",
      "DESCRIPTION": "Motion that goes on"},
    {"TARGET": "kept", "HALF": true, "PERSISTENT": true, "DESCRIPTION": "The picture, for the next frame too"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "shrink", "TYPE": "int", "VALUE": "max(1, round(SIDE/180))"},
    {"NAME": "stays", "VALUE": "amount > 0 ? exp(-20 * TIMEDELTA * (1 - amount) / amount) : 0"},
    {"NAME": "goesOn", "VALUE": "bloom > 0 ? exp(-TIMEDELTA * (1 - bloom) / (bloom * bloom)) : 0"},
    {"NAME": "turn", "TYPE": "int",
      "VALUE": "refresh > 0 ? floor(TIME / max(refresh, 1e-3)) > floor((TIME - TIMEDELTA) / max(refresh, 1e-3)) : 0"}
  ]
}*/
#include "motion.glsl"

vec4 effect(vec2 uv) {
#if PASSINDEX < 7
  return motionPass();
#elif PASSINDEX == 7
  vec2 motion = motionsPixel(PIXEL).xy;
  vec2 before = goesOn * pushesPixel(PIXEL).xy;
  if (fresh || turn != 0) before = vec2(0.0);
  return vec4(dot(motion, motion) > dot(before, before) ? motion : before, 0.0, 1.0);
#elif PASSINDEX == 8
  // There is no picture of before in the first frame.
  vec4 color = framePixel();
  if (fresh || turn != 0 || amount == 0.0 || lumasPixel(ivec2(0)).b == 0.0) return color;
  vec2 place = (vec2(PIXEL) + 0.5) / float(4 * shrink);
  vec2 push = blocks ? pushesPixel(ivec2(place)).xy : pushes(place / vec2(pushesSize())).xy;
  vec2 from = uv - push * float(shrink) / RENDERSIZE;
  return mix(color, kept(from), stays);
#else
  return keptPixel(PIXEL);
#endif
}
