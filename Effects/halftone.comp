/*{
  "DESCRIPTION": "Printed dots, in four inks or in black alone.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Print", "Stylize"],
  "INPUTS": [
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.011, "MIN": 0.004, "MAX": 0.1,
      "DESCRIPTION": "Distance of the dots, as a part of the frame's shorter side; below two pixels they are a tone"},
    {"NAME": "inks", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1], "LABELS": ["color", "black"],
      "DESCRIPTION": "color prints cyan, magenta, yellow and black; black only black"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 45, "MIN": 0, "MAX": 90,
      "DESCRIPTION": "How far the black screen is turned clockwise, in degrees; the others follow"},
    {"NAME": "paper", "TYPE": "color", "DEFAULT": [0.98, 0.97, 0.94, 1],
      "DESCRIPTION": "The colour of the paper; its alpha is not used"}
  ],
  "PASSES": [
    {"TARGET": "shares", "WIDTH": "ceil(WIDTH * min(1, 2 / (size * SIDE)))",
      "HEIGHT": "ceil(HEIGHT * min(1, 2 / (size * SIDE)))", "DESCRIPTION": "How much cyan, magenta, yellow and black"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "cell", "VALUE": "max(1, size * SIDE)"},
    {"NAME": "clear", "VALUE": "smoothstep(1.2, 2, size * SIDE)"},
    {"NAME": "slope", "VALUE": "cell * 0.55"},
    {"NAME": "soft", "VALUE": "1 / (1 + pow(slope / 4.5, 2))"},
    {"NAME": "fitA", "VALUE": "0.556 + 0.053 * soft"},
    {"NAME": "fitB", "VALUE": "2.1 - 4.6 * soft"},
    {"NAME": "fitC", "VALUE": "16.5 * soft - 1.5"},
    {"NAME": "black", "VALUE": "angle * 0.017453292519943295"},
    {"NAME": "blackX", "VALUE": "cos(black) / cell"},
    {"NAME": "blackY", "VALUE": "sin(black) / cell"},
    {"NAME": "cyanX", "VALUE": "cos(black - 0.5235988) / cell"},
    {"NAME": "cyanY", "VALUE": "sin(black - 0.5235988) / cell"},
    {"NAME": "magentaX", "VALUE": "cos(black + 0.5235988) / cell"},
    {"NAME": "magentaY", "VALUE": "sin(black + 0.5235988) / cell"},
    {"NAME": "yellowX", "VALUE": "cos(black - 0.7853982) / cell"},
    {"NAME": "yellowY", "VALUE": "sin(black - 0.7853982) / cell"}
  ]
}*/

#include "luma.glsl"

// How much of red, green and blue each ink takes away.
const vec3 CYAN = vec3(0.96, 0.25, 0.06);
const vec3 MAGENTA = vec3(0.08, 0.95, 0.4);
const vec3 YELLOW = vec3(0.01, 0.07, 0.96);
const float BLACK = 0.96;

// How much of its cells each ink must cover, so that the mean of dots and paper is this colour: an ink takes what is too
// bright after all the others, which is known after a few rounds.
vec4 inksFor(vec3 code) {
  code = min(code / max(paper.rgb, vec3(0.1)), vec3(1.0));
  if (inks == 1) return vec4(0.0, 0.0, 0.0, min((1.0 - luma(code)) / BLACK, 1.0));
  // Black replaces a part of what all three inks would take, so that colours stay clear.
  float key = 1.0 - max(code.r, max(code.g, code.b));
  key *= key;
  code /= 1.0 - BLACK * key;
  vec3 share = 1.0 - code;
  for (int i = 0; i < 4; i++) {
    vec3 c = 1.0 - CYAN * share.x;
    vec3 m = 1.0 - MAGENTA * share.y;
    vec3 y = 1.0 - YELLOW * share.z;
    vec3 left = code / vec3(m.r * y.r, c.g * y.g, c.b * m.b);
    share = clamp((1.0 - left) / vec3(CYAN.r, MAGENTA.g, YELLOW.b), 0.0, 1.0);
  }
  return vec4(share, key);
}

// The borders of cells lie a little beside the middles of pixels, where rounding would decide.
vec2 onScreen(vec2 p, vec2 turned) {
  return vec2(turned.x * p.x + turned.y * p.y, turned.x * p.y - turned.y * p.x) + 1e-4;
}

#if PASSINDEX == 1
// The inks in the middle of the cell that covers this place.
vec4 wanted(vec2 screen, vec2 turned) {
  vec2 middle = floor(screen) + 0.5;
  // Back from the screen's axes to pixels: the axes have the length 1 / cell.
  vec2 p = vec2(turned.x * middle.x - turned.y * middle.y, turned.y * middle.x + turned.x * middle.y);
  return sharesPixel(ivec2(clamp(p * (cell * cell) / RENDERSIZE, 0.0, 0.99999) * vec2(sharesSize()) + 1e-3));
}

// 1 inside the dot. The hill over a cell runs from 1 in its middle to 0 at its corners; cut at a
// height it is a dot while the tone is light, and leaves a hole at the corners when it is dark.
float spot(vec2 screen, float share) {
  vec2 t = 1.0 - abs(fract(screen) * 2.0 - 1.0);
  vec2 hill = t * t * (3.0 - 2.0 * t);
  // The height at which a cut has just this share of the cell's area, within 0.015, also with the soft edges of dots
  // of a few pixels.
  float x = share - 0.5;
  share = 0.5 + x * (fitA + x * x * (fitB + x * x * fitC));
  float edge = share * (1.0 + 1.0 / slope) - 0.5 / slope;
  return clamp((edge - 1.0 + 0.5 * (hill.x + hill.y)) * slope + 0.5, 0.0, 1.0);
}
#endif

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  vec3 sum = vec3(0.0);
  for (int i = 0; i < 9; i++) {
    vec2 at = uv + vec2(i % 3 - 1, i / 3 - 1) / (3.0 * RENDERSIZE);
    sum += framePixel(ivec2(at * vec2(frameSize()) + 1e-3)).rgb;
  }
  return inksFor(sum / 9.0);
#else
  vec2 p = vec2(PIXEL) + 0.5;
  vec4 here = framePixel();
  vec2 turned = vec2(blackX, blackY);
  vec2 screen = onScreen(p, turned);
  vec3 code = paper.rgb * (1.0 - BLACK * spot(screen, wanted(screen, turned).a));
  vec3 tone = here.rgb;
  if (inks == 1) {
    tone = paper.rgb * min(luma(here.rgb / max(paper.rgb, vec3(0.1))), 1.0);
  } else {
    turned = vec2(cyanX, cyanY);
    screen = onScreen(p, turned);
    code *= 1.0 - CYAN * spot(screen, wanted(screen, turned).x);
    turned = vec2(magentaX, magentaY);
    screen = onScreen(p, turned);
    code *= 1.0 - MAGENTA * spot(screen, wanted(screen, turned).y);
    turned = vec2(yellowX, yellowY);
    screen = onScreen(p, turned);
    code *= 1.0 - YELLOW * spot(screen, wanted(screen, turned).z);
  }
  return vec4(mix(min(tone, paper.rgb), code, clear), here.a);
#endif
}
