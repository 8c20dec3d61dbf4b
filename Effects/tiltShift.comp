/*{
  "DESCRIPTION": "Leaves a band in focus and blurs the rest, so that a view looks like a model.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Blur", "Stylize"],
  "INPUTS": [
    {"NAME": "focus", "TYPE": "point2D", "DEFAULT": [0.5, 0.55], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The middle of the band; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 0, "MIN": -180, "MAX": 180,
      "DESCRIPTION": "Its direction in degrees: 0 is level, 90 upright"},
    {"NAME": "band", "TYPE": "float", "DEFAULT": 0.2, "MIN": 0, "MAX": 2,
      "DESCRIPTION": "Its width, in frame heights"},
    {"NAME": "falloff", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0.01, "MAX": 2,
      "DESCRIPTION": "Over what distance the blur grows, in frame heights"},
    {"NAME": "blur", "TYPE": "float", "DEFAULT": 0.013, "MIN": 0, "MAX": 0.05, "IDENTITY": 0,
      "DESCRIPTION": "Radius of the blur at its largest, in frame heights"},
    {"NAME": "vivid", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much more colourful the image is, like painted models"}
  ],
  "CONSTANTS": [
    {"NAME": "normalX", "VALUE": "-sin(angle * 3.141592653589793 / 180) * WIDTH / HEIGHT"},
    {"NAME": "normalY", "VALUE": "cos(angle * 3.141592653589793 / 180)"}
  ]
}*/
#include "gather.glsl"

const float MOST = 44.0;
// A turn by the golden angle, 137.5 degrees: points on a spiral that fill a disc evenly.
const mat2 GOLDEN = mat2(-0.7373688781, 0.6754902943, -0.6754902943, -0.7373688781);

vec4 blurred(float radius) {
  // Small discs have few pixels.
  float taps = floor(min(MOST, 3.0 + 3.0 * radius * radius));
  vec2 direction = vec2(radius, 0.0);
  vec4 sum = vec4(0.0);
  for (float i = 0.5; i < taps; i += 1.0) {
    direction = GOLDEN * direction;
    sum += gathered(PIXEL + ivec2(floor(direction * sqrt(i / taps) + 0.5)));
  }
  return colorOf(sum / taps);
}

vec4 effect(vec2 uv) {
  float away = abs(dot(uv - focus, vec2(normalX, normalY))) - 0.5 * band;
  float radius = blur * RENDERSIZE.y * smoothstep(0.0, falloff, away);
  vec4 color = radius < 0.5 ? framePixel(PIXEL) : blurred(radius);
  float luma = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
  return vec4(color.rgb + vivid * (color.rgb - luma), color.a);
}
