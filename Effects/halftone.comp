/*{
  "DESCRIPTION": "Printed dots, in four inks or in black alone.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Print"],
  "INPUTS": [
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.009, "MIN": 0.004, "MAX": 0.1,
      "DESCRIPTION": "Distance of the dots in frame heights, never below 3 pixels"},
    {"NAME": "inks", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1], "LABELS": ["color", "black"],
      "DESCRIPTION": "color prints cyan, magenta, yellow and black; black only black"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 45, "MIN": 0, "MAX": 90,
      "DESCRIPTION": "How far the black screen is turned, in degrees; the others follow"},
    {"NAME": "paper", "TYPE": "color", "DEFAULT": [0.98, 0.97, 0.94, 1],
      "DESCRIPTION": "The colour of the paper; its alpha is not used"}
  ],
  "CONSTANTS": [
    {"NAME": "cell", "VALUE": "max(3, size * HEIGHT)"},
    {"NAME": "blackX", "VALUE": "cos(angle * 0.017453292519943295) / cell"},
    {"NAME": "blackY", "VALUE": "sin(angle * 0.017453292519943295) / cell"},
    {"NAME": "cyanX", "VALUE": "cos((angle - 30) * 0.017453292519943295) / cell"},
    {"NAME": "cyanY", "VALUE": "sin((angle - 30) * 0.017453292519943295) / cell"},
    {"NAME": "magentaX", "VALUE": "cos((angle + 30) * 0.017453292519943295) / cell"},
    {"NAME": "magentaY", "VALUE": "sin((angle + 30) * 0.017453292519943295) / cell"},
    {"NAME": "yellowX", "VALUE": "cos((angle - 45) * 0.017453292519943295) / cell"},
    {"NAME": "yellowY", "VALUE": "sin((angle - 45) * 0.017453292519943295) / cell"}
  ]
}*/

#include "light.glsl"

// How much of the light each dot takes away: that of the pixel in the middle of its cell.
vec3 wanted(vec2 middle, vec2 turned) {
  // Back from the screen's axes to pixels: the axes have the length 1 / cell.
  vec2 p = vec2(turned.x * middle.x - turned.y * middle.y, turned.y * middle.x + turned.x * middle.y);
  return 1.0 - toLight(framePixel(ivec2(floor(p * (cell * cell)))).rgb);
}

vec2 onScreen(vec2 p, vec2 turned) {
  return vec2(turned.x * p.x + turned.y * p.y, turned.x * p.y - turned.y * p.x);
}

// 1 inside the dot. The hill over a cell runs from 1 in its middle to 0 at its corners; cut at a
// height it is a dot while the tone is light, and leaves a hole at the corners when it is dark.
float spot(vec2 screen, float share) {
  vec2 t = 1.0 - abs(fract(screen) * 2.0 - 1.0);
  vec2 hill = t * t * (3.0 - 2.0 * t);
  // The height at which a cut has just this share of the cell's area, within 0.01.
  float x = share - 0.5;
  share = 0.5 + x * (0.61 + 1.56 * x * x);
  float slope = cell * 0.55;
  float edge = share * (1.0 + 1.0 / slope) - 0.5 / slope;
  return clamp((edge - 1.0 + 0.5 * (hill.x + hill.y)) * slope + 0.5, 0.0, 1.0);
}

vec4 effect(vec2 uv) {
  vec2 p = vec2(PIXEL) + 0.5;
  vec2 black = vec2(blackX, blackY);
  vec2 onBlack = onScreen(p, black);
  vec3 dark = wanted(floor(onBlack) + 0.5, black);
  vec3 light = toLight(paper.rgb);
  if (inks == 1) {
    light = mix(light, vec3(0.01), spot(onBlack, dot(dark, vec3(0.2126, 0.7152, 0.0722))));
    return vec4(toCode(light), framePixel(PIXEL).a);
  }

  // Black replaces a part of what all three inks would take, so that colours stay clear.
  float key = min(dark.r, min(dark.g, dark.b));
  key = key * key;
  vec2 cyan = vec2(cyanX, cyanY);
  vec2 magenta = vec2(magentaX, magentaY);
  vec2 yellow = vec2(yellowX, yellowY);
  vec2 onCyan = onScreen(p, cyan);
  vec2 onMagenta = onScreen(p, magenta);
  vec2 onYellow = onScreen(p, yellow);
  vec3 c = wanted(floor(onCyan) + 0.5, cyan);
  vec3 m = wanted(floor(onMagenta) + 0.5, magenta);
  vec3 y = wanted(floor(onYellow) + 0.5, yellow);
  vec3 all = vec3(c.r, m.g, y.b);
  vec3 keys = vec3(
    min(c.r, min(c.g, c.b)), min(m.r, min(m.g, m.b)), min(y.r, min(y.g, y.b)));
  keys = keys * keys;
  all = clamp((all - keys) / max(1.0 - keys, vec3(0.001)), 0.0, 1.0);

  light = mix(light, light * vec3(0.02, 0.65, 0.9), spot(onCyan, all.r));
  light = mix(light, light * vec3(0.85, 0.03, 0.45), spot(onMagenta, all.g));
  light = mix(light, light * vec3(0.99, 0.9, 0.03), spot(onYellow, all.b));
  light = mix(light, light * vec3(0.02), spot(onBlack, key));
  return vec4(toCode(light), framePixel(PIXEL).a);
}
