/*{
  "DESCRIPTION": "Large square pixels, each with the mean colour of the area that it covers.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Retro"],
  "INPUTS": [
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.025, "MIN": 0, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "Side of a square, as a part of the frame's shorter side"}
  ],
  "PASSES": [
    {"TARGET": "squares", "FLOAT": true, "DESCRIPTION": "One pixel for each square of two pixels or more",
      "WIDTH": "ceil(WIDTH/2) + 2", "HEIGHT": "ceil(HEIGHT/2) + 2"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "side", "VALUE": "max(size * SIDE, 1)"},
    {"NAME": "countX", "TYPE": "int", "VALUE": "ceil(WIDTH / 2 / side)"},
    {"NAME": "countY", "TYPE": "int", "VALUE": "ceil(HEIGHT / 2 / side)"},
    {"NAME": "reads", "TYPE": "int", "VALUE": "min(ceil(side), 24)"}
  ]
}*/
#include "gather.glsl"

// Four squares meet in the middle of the frame. 24 x 24 pixels stand for all of a very large one.
vec4 effect(vec2 uv) {
  ivec2 count = ivec2(countX, countY);
  vec2 middle = 0.5 * vec2(frameSize());
#if PASSINDEX == 0
  // A loop of no rounds costs nothing where there is no square.
  int rounds = side >= 2.0 && all(lessThan(PIXEL, 2 * count)) ? reads : 0;
  vec2 corner = middle + vec2(PIXEL - count) * side;
  vec4 sum = vec4(0.0);
  float pace = side / float(reads);
  for (int y = 0; y < rounds; y++) {
    int row = int(floor(corner.y + (float(y) + 0.5) * pace));
    // Three at a time: a round of a loop costs more than a pixel.
    for (int x = 0; x < rounds; x += 3) {
      ivec3 columns = ivec3(floor(corner.x + (float(x) + vec3(0.5, 1.5, 2.5)) * pace));
      vec2 more = vec2(lessThan(x + ivec2(1, 2), ivec2(reads)));
      sum += gathered(ivec2(columns.x, row)) + gathered(ivec2(columns.y, row)) * more.x
        + gathered(ivec2(columns.z, row)) * more.y;
    }
  }
  return sum / float(reads * reads);
#else
  // A pixel on the border of two squares has a part of each, so that squares have the same size at any place.
  vec2 place = (vec2(PIXEL) + 0.5 - middle) / side;
  vec2 square = floor(place + 0.5 / side);
  vec2 part = min((place + 0.5 / side - square) * side, 1.0);
  ivec2 p = ivec2(square) + count;
  vec4 mean = mix(mix(squaresPixel(p - 1), squaresPixel(p - ivec2(0, 1)), part.x),
    mix(squaresPixel(p - ivec2(1, 0)), squaresPixel(p), part.x), part.y);
  vec4 single = framePixel(side > 1.0 ? ivec2(floor(middle + (floor(place) + 0.5) * side)) : PIXEL);
  return side < 2.0 ? single : colorOf(mean);
#endif
}
