/*{
  "DESCRIPTION": "Large square pixels, each of the mean colour of what it covers.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Retro"],
  "INPUTS": [
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.025, "MIN": 0, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "Side of a square in picture heights, rounded to whole pixels"}
  ],
  "CONSTANTS": [
    {"NAME": "side", "TYPE": "int", "VALUE": "max(1, round(size * HEIGHT))"},
    {"NAME": "startX", "TYPE": "int", "VALUE": "floor(WIDTH / 2) % side"},
    {"NAME": "startY", "TYPE": "int", "VALUE": "floor(HEIGHT / 2) % side"},
    {"NAME": "count", "TYPE": "int", "VALUE": "min(side, 5)"}
  ]
}*/

#include "light.glsl"

// Four squares meet in the middle of the picture. 5 x 5 pixels stand for all of a large one.
vec4 effect(vec2 uv) {
  ivec2 start = ivec2(startX, startY);
  ivec2 corner = (PIXEL - start + side) / side * side + start - side;
  vec3 light = vec3(0.0);
  float alpha = 0.0;
  for (int y = 0; y < count; y++) {
    for (int x = 0; x < count; x++) {
      vec4 color = framePixel(corner + (ivec2(x, y) * 2 + 1) * side / (2 * count));
      light += toLight(color.rgb);
      alpha += color.a;
    }
  }
  float share = 1.0 / float(count * count);
  return vec4(toCode(light * share), alpha * share);
}
