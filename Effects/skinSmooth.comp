/*{
  "DESCRIPTION": "Smooths skin and keeps its edges: eyes, lips and hair stay sharp.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Repair", "Blur"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.7, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much of the smoothed image is blended over"},
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.012, "MIN": 0.001, "MAX": 0.04,
      "DESCRIPTION": "How far around a pixel the effect looks, as a part of the frame's shorter side"},
    {"NAME": "edges", "TYPE": "float", "DEFAULT": 0.12, "MIN": 0.01, "MAX": 1,
      "DESCRIPTION": "Colours that differ by more are across an edge and not mixed"},
    {"NAME": "skinOnly", "LABEL": "Skin only", "TYPE": "bool", "DEFAULT": true,
      "DESCRIPTION": "Acts on colours like that of skin; otherwise on the whole image"},
    {"NAME": "skin", "TYPE": "color", "DEFAULT": [0.8, 0.6, 0.5, 1],
      "DESCRIPTION": "The colour of skin; how light it is does not matter"},
    {"NAME": "range", "TYPE": "float", "DEFAULT": 0.2, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far colours may be from it"}
  ]
}*/
#include "light.glsl"

const int TAPS = 28;
// A turn by the golden angle, 137.5 degrees: points on a spiral that fill a disc evenly.
const mat2 GOLDEN = mat2(-0.7373688781, 0.6754902943, -0.6754902943, -0.7373688781);

// Colourfulness for its lightness: the same for skin in light and in shade, and of any darkness.
vec2 chroma(vec3 color) {
  float luma = dot(color, vec3(0.2126, 0.7152, 0.0722));
  return (color.br - luma) / (luma + 0.1);
}

vec4 effect(vec2 uv) {
  vec4 color = framePixel(PIXEL);
  float weight = amount;
  if (skinOnly) {
    float off = distance(chroma(color.rgb), chroma(skin.rgb));
    weight *= 1.0 - smoothstep(range, 1.6 * range + 0.01, off);
  }
  if (weight <= 0.0) return color;

  float sharpness = 1.0 / (edges * edges);
  vec4 sum = vec4(toLight(color.rgb), 1.0);
  vec2 direction = vec2(radius * min(RENDERSIZE.x, RENDERSIZE.y), 0.0);
  for (int i = 0; i < TAPS; i++) {
    direction = GOLDEN * direction;
    vec2 offset = direction * sqrt((float(i) + 0.5) / float(TAPS));
    vec4 other = framePixel(PIXEL + ivec2(floor(offset + 0.5)));
    vec3 off = other.rgb - color.rgb;
    float alike = max(1.0 - dot(off, off) * sharpness, 0.0);
    sum += vec4(toLight(other.rgb), 1.0) * (alike * alike * other.a);
  }
  return vec4(mix(color.rgb, toCode(sum.rgb / sum.a), weight), color.a);
}
