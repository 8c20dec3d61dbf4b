/*{
  "DESCRIPTION": "An animated cartoon: flat, strong colours inside dark outlines.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Edges"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.9, "MIN": 0, "MAX": 1, "ALIASES": ["outline"],
      "DESCRIPTION": "How dark the outlines are"},
    {"NAME": "threshold", "TYPE": "float", "DEFAULT": 0.08, "MIN": 0, "MAX": 0.5,
      "DESCRIPTION": "How much two tones must differ for an outline between them"},
    {"NAME": "levels", "TYPE": "long", "DEFAULT": 6, "MIN": 2, "MAX": 24,
      "DESCRIPTION": "How many tones are left"},
    {"NAME": "smoothing", "TYPE": "float", "DEFAULT": 0.008, "MIN": 0, "MAX": 0.05,
      "DESCRIPTION": "How far similar colours blend, as a part of the frame's shorter side"},
    {"NAME": "saturation", "TYPE": "float", "DEFAULT": 1.35, "MIN": 0, "MAX": 2,
      "DESCRIPTION": "Strength of the colours"}
  ],
  "PASSES": [
    {"TARGET": "soft", "WIDTH": "ceil(WIDTH * min(1, 360 / SIDE))", "HEIGHT": "ceil(HEIGHT * min(1, 360 / SIDE))",
      "DESCRIPTION": "At most 360 rows, where similar colours have blended once"},
    {"TARGET": "flattened", "WIDTH": "ceil(WIDTH * min(1, 360 / SIDE))", "HEIGHT": "ceil(HEIGHT * min(1, 360 / SIDE))",
      "DESCRIPTION": "And once more; alpha is how steep the tones are"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "scale", "VALUE": "min(1, 360 / SIDE)"},
    {"NAME": "reach", "VALUE": "max(0.3, smoothing * SIDE * 0.5)"},
    {"NAME": "ring", "TYPE": "int", "VALUE": "reach > 4 ? 2 : 1"},
    {"NAME": "side", "TYPE": "int", "VALUE": "2 * ring + 1"},
    {"NAME": "apart", "TYPE": "int", "VALUE": "max(1, round(reach / ring))"},
    {"NAME": "farness", "VALUE": "1 / (reach * reach)"},
    {"NAME": "nextFarness", "VALUE": "1 / pow(clamp(reach * scale, 0.3, 1.5), 2)"},
    {"NAME": "cover", "VALUE": "min(1, SIDE / 360)"},
    {"NAME": "top", "VALUE": "levels - 1"}
  ]
}*/

#include "luma.glsl"

// How much a pixel counts: the less, the more it differs from the middle one and the farther away it is.
float alike(vec3 difference, float far) {
  return 1.0 / ((1.0 + 120.0 * dot(difference, difference)) * (1.0 + far * far));
}

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  ivec2 middle = ivec2(uv * vec2(frameSize()));
  vec3 center = framePixel(middle).rgb;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < side * side; i++) {
    ivec2 offset = (ivec2(i % side, i / side) - ring) * apart;
    vec4 color = framePixel(middle + offset);
    float far = float(offset.x * offset.x + offset.y * offset.y) * farness;
    sum += vec4(color.rgb, 1.0) * (alike(color.rgb - center, far) * (color.a + 1e-4));
  }
  return vec4(sum.rgb / sum.a, 1.0);
#elif PASSINDEX == 1
  vec3 center = softPixel(PIXEL).rgb;
  vec4 sum = vec4(0.0);
  vec2 rise = vec2(0.0);
  for (int i = 0; i < 9; i++) {
    ivec2 offset = ivec2(i % 3, i / 3) - 1;
    vec3 rgb = softPixel(PIXEL + offset).rgb;
    ivec2 far = abs(offset);
    sum += vec4(rgb, 1.0) * alike(rgb - center, float(far.x + far.y) * nextFarness);
    // Sobel's weights, in the smoothed image, where noise and fine texture draw no lines.
    rise += luma(rgb) * vec2(offset * (2 - far.yx));
  }
  return vec4(sum.rgb / sum.a, length(rise) * 0.25);
#else
  vec4 color = framePixel();
  vec2 place = uv * vec2(flattenedSize()) - 0.5;
  ivec2 corner = ivec2(floor(place));
  vec2 part = place - vec2(corner);
  vec4 sum = vec4(0.0);
  float slope = 0.0;
  // Between pixels, those that resemble this one count more, so that edges stay sharp at any size.
  for (int i = 0; i < 4; i++) {
    ivec2 offset = ivec2(i & 1, i >> 1);
    vec4 flat4 = flattenedPixel(corner + offset);
    vec2 near = mix(1.0 - part, part, vec2(offset));
    vec3 difference = flat4.rgb - color.rgb;
    slope += near.x * near.y * flat4.a;
    sum += vec4(flat4.rgb, 1.0) * ((near.x * near.y + 0.02) / (1.0 + 60.0 * dot(difference, difference)));
  }
  vec3 rgb = sum.rgb / sum.a;
  float tone = luma(rgb);
  float scaled = tone * top;
  float whole = floor(scaled);
  // Soft steps do not flicker.
  float level = (whole + smoothstep(0.25, 0.75, scaled - whole)) / top;
  rgb = max(mix(vec3(tone), rgb, saturation), vec3(0.0)) * (level / max(tone, 1.0 / 255.0));
  float line = clamp((slope - threshold) * 14.0, 0.0, 1.0) * cover;
  return vec4(min(rgb * (1.0 - amount * line), vec3(1.0)), color.a);
#endif
}
