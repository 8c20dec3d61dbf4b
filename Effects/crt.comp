/*{
  "DESCRIPTION": "A tube television: curved glass, scan lines and a mask of red, green and blue stripes.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Retro"],
  "INPUTS": [
    {"NAME": "curvature", "TYPE": "float", "DEFAULT": 0.12, "MIN": 0, "MAX": 0.5,
      "DESCRIPTION": "How round the glass is; 0 is flat"},
    {"NAME": "scanlines", "TYPE": "float", "DEFAULT": 0.55, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How dark it is between the lines"},
    {"NAME": "lines", "TYPE": "long", "DEFAULT": 240, "MIN": 16, "MAX": 1080,
      "DESCRIPTION": "Lines from top to bottom, at most one for three pixels"},
    {"NAME": "mask", "TYPE": "float", "DEFAULT": 0.35, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How strong the stripes are"},
    {"NAME": "brightness", "TYPE": "float", "DEFAULT": 1.1, "MIN": 0.5, "MAX": 2,
      "DESCRIPTION": "Light of the tube; it already makes up for what lines and mask take away"},
    {"NAME": "shade", "TYPE": "float", "DEFAULT": 0.35, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How dark the corners are"}
  ],
  "CONSTANTS": [
    {"NAME": "lineCount", "VALUE": "max(1, min(lines, floor(HEIGHT / 3)))"},
    {"NAME": "stripePixels", "VALUE": "max(3, round(HEIGHT / 240))"},
    {"NAME": "bend", "VALUE": "curvature * 0.25"},
    {"NAME": "fit", "VALUE": "1 / (1 + bend * 0.17)"},
    {"NAME": "gain", "VALUE": "brightness / ((1 - 0.3 * scanlines) * (1 - 0.42 * mask))"}
  ]
}*/

#include "light.glsl"

vec4 effect(vec2 uv) {
  // From -1 to 1: each axis bulges where the other is far from the middle.
  vec2 screen = uv * 2.0 - 1.0;
  vec2 square = screen * screen;
  vec2 bent = screen * (1.0 + bend * square.yx) * fit;
  vec2 at = bent * 0.5 + 0.5;
  vec4 color = frame(at);
  vec3 light = toLight(color.rgb);

  // A bright beam is wider and leaves less of the gap dark.
  float across = fract(at.y * lineCount) * 2.0 - 1.0;
  float gap = across * across * (2.0 - across * across);
  light *= 1.0 - scanlines * gap * (1.0 - 0.55 * sqrt(luminance(light)));

  float third = (float(PIXEL.x) + 0.5) / stripePixels;
  vec3 fromStripe = abs(fract(third - vec3(1.0, 3.0, 5.0) / 6.0 + 0.5) - 0.5);
  light *= 1.0 - mask * clamp(fromStripe * 6.0 - 1.0, 0.0, 1.0);

  light *= gain * (1.0 - shade * 0.5 * dot(square, square.yx + 0.3));
  // Glass ends softly, within a pixel or two.
  vec2 inside = clamp((1.0 - abs(bent)) * RENDERSIZE * 0.25 + 0.5, 0.0, 1.0);
  light *= inside.x * inside.y;
  return vec4(min(toCode(light), vec3(1.0)), color.a);
}
