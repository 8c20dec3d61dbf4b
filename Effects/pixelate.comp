/*{
  "DESCRIPTION": "Large square pixels, each with the mean colour of the area that it covers.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Retro"],
  "INPUTS": [
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.025, "MIN": 0, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "Side of a square in frame heights, rounded to whole pixels"}
  ],
  "CONSTANTS": [
    {"NAME": "side", "TYPE": "int", "VALUE": "max(1, round(size * HEIGHT))"},
    {"NAME": "startX", "TYPE": "int", "VALUE": "floor(WIDTH / 2) % side"},
    {"NAME": "startY", "TYPE": "int", "VALUE": "floor(HEIGHT / 2) % side"}
  ]
}*/

#include "light.glsl"

// Four squares meet in the middle of the frame. 4 x 4 pixels stand for all
// of a large one.
vec4 effect(vec2 uv) {
  ivec2 start = ivec2(startX, startY);
  ivec2 corner = (PIXEL - start + side) / side * side + start - side;
  vec3 light = vec3(0.0);
  float alpha = 0.0;
  for (int y = 0; y < 4; y++) {
    for (int x = 0; x < 4; x++) {
      vec4 color = framePixel(corner + (ivec2(x, y) * 2 + 1) * side / 8);
      light += toLight(color.rgb);
      alpha += color.a;
    }
  }
  return vec4(toCode(light * (1.0 / 16.0)), alpha * (1.0 / 16.0));
}
