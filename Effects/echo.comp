/*{
  "DESCRIPTION": "Moving things leave a trail that fades away.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Time", "Stylize"],
  "INPUTS": [
    {"NAME": "fade", "TYPE": "float", "DEFAULT": 0.8, "MIN": 0, "MAX": 10, "IDENTITY": 0,
      "DESCRIPTION": "Seconds in which a trail fades to a tenth"},
    {"NAME": "trails", "TYPE": "long", "VALUES": [0, 1, 2], "LABELS": ["Bright", "Dark", "All"],
      "DEFAULT": 0, "DESCRIPTION": "What leaves a trail: things brighter than the rest, darker things, or all"}
  ],
  "PASSES": [
    {"TARGET": "trail", "PERSISTENT": true, "FLOAT": true, "DESCRIPTION": "In linear light"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "keep", "VALUE": "exp(-2.302585 * TIMEDELTA / max(fade, 1e-6))"}
  ]
}*/
#include "light.glsl"

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  vec4 color = framePixel();
  vec4 now = vec4(toLight(color.rgb), color.a);
  vec4 before = trailPixel(PIXEL);
  // Nothing was there before the first frame.
  if (fade == 0.0 || before == vec4(0.0)) return now;
  vec4 left = keep * (before - now);
  if (trails == 0) left = max(left, vec4(0.0));
  if (trails == 1) left.rgb = min(left.rgb, vec3(0.0));
  return now + left;
#else
  vec4 light = trailPixel(PIXEL);
  return vec4(toCode(light.rgb), light.a);
#endif
}
