/*{
  "DESCRIPTION": "Leads from one input to the next: a fast zoom into the old picture becomes one into the new one.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image", "DESCRIPTION": "The second input, or an image"},
    {"NAME": "progress", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the transition is; with two inputs it advances by itself"},
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 4, "MIN": 1, "MAX": 10,
      "DESCRIPTION": "How many times larger a picture gets on the whole way"},
    {"NAME": "outwards", "TYPE": "bool", "DEFAULT": false, "DESCRIPTION": "Zooms out instead of in"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The point that it zooms to; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "spin", "TYPE": "float", "DEFAULT": 0, "MIN": -360, "MAX": 360,
      "DESCRIPTION": "How far the pictures turn on the way, in degrees, clockwise"},
    {"NAME": "blur", "TYPE": "float", "DEFAULT": 0.2, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Length of the motion blur at mean speed, as a part of the whole way"},
    {"NAME": "ease", "TYPE": "long", "DEFAULT": 4, "VALUES": [0, 1, 2, 3, 4, 5],
      "LABELS": ["linear", "in", "out", "smooth", "snap", "overshoot"],
      "DESCRIPTION": "How it moves: evenly, slow at the start, at the end, at both, very fast between, or too far and back"}
  ],
  "PASSES": [
    {"TARGET": "moved", "DESCRIPTION": "Both pictures at their sizes, mixed"},
    {"TARGET": "streaked", "DESCRIPTION": "A seventh part of the blur"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "growth", "VALUE": "log(amount) * (outwards ? -1 : 1)"},
    {"NAME": "turn", "VALUE": "spin * 0.017453292519943295"},
    {"NAME": "rest", "VALUE": "1 - progress"},
    {"NAME": "least", "VALUE": "min(progress, rest)"},
    {"NAME": "outer",
      "VALUE": "ease == 3 ? least*least*(3 - 2*least) : ease == 4 ? 4*least*least*least : 2*least*least*(7*least - 2.5)"},
    {"NAME": "gone",
      "VALUE": "ease == 0 ? progress : ease == 1 ? progress*progress : ease == 2 ? 1 - rest*rest : progress < 0.5 ? outer : 1 - outer"},
    {"NAME": "slope",
      "VALUE": "ease == 0 ? 1 : ease == 1 ? 2*progress : ease == 2 ? 2*rest : ease == 3 ? 6*progress*rest : ease == 4 ? 12*least*least : 42*least*least - 10*least"},
    {"NAME": "speed", "VALUE": "min(abs(slope), 3) * clamp(10 * least, 0, 1)"},
    {"NAME": "reach", "VALUE": "blur * speed * (growth > 0 ? -1 : 1)"},
    {"NAME": "old_x", "VALUE": "exp(growth * -gone) * cos(turn * -gone)"},
    {"NAME": "old_y", "VALUE": "exp(growth * -gone) * sin(turn * -gone)"},
    {"NAME": "new_x", "VALUE": "exp(growth * (1-gone)) * cos(turn * (1-gone))"},
    {"NAME": "new_y", "VALUE": "exp(growth * (1-gone)) * sin(turn * (1-gone))"},
    {"NAME": "fine_x", "VALUE": "exp(growth * reach/49) * cos(turn * reach/49)"},
    {"NAME": "fine_y", "VALUE": "exp(growth * reach/49) * sin(turn * reach/49)"},
    {"NAME": "coarse_x", "VALUE": "exp(growth * reach/7) * cos(turn * reach/7)"},
    {"NAME": "coarse_y", "VALUE": "exp(growth * reach/7) * sin(turn * reach/7)"}
  ]
}*/
#include "transition.glsl"
#include "reflect.glsl"

// Growth and turn are complex numbers: those of both pictures (`old`, `new`), and of a step of the blur.
vec2 times(vec2 a, vec2 b) { return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

// The images between the passes hold codes of light that alpha is multiplied into.
#if PASSINDEX == 0
vec4 effect(vec2 uv) {
  vec2 here = (vec2(PIXEL) + 0.5) - center * RENDERSIZE;
  // The old picture gives way in the middle, where the movement is fastest.
  float share = smoothstep(0.35, 0.65, clamp(gone, 0.0, 1.0));
  vec4 sum = vec4(0.0);
  if (share < 1.0) {
    vec2 place = reflected(center + times(here, vec2(old_x, old_y)) / RENDERSIZE);
    vec4 start = gone == 0.0 ? framePixel() : frame(place);
    sum += (1.0 - share) * lightOf(start);
  }
  if (share > 0.0) {
    vec2 place = reflected(center + times(here, vec2(new_x, new_y)) / RENDERSIZE);
    vec4 end = gone == 1.0 ? endPixel(PIXEL) : endImage(place);
    sum += share * lightOf(end);
  }
  return vec4(toCode(sum.rgb), sum.a);
}
#else
vec4 read(vec2 p) {
#if PASSINDEX == 1
  vec4 color = movedPixel(ivec2(p));
#else
  vec4 color = streakedPixel(ivec2(p));
#endif
  return vec4(toLight(color.rgb), color.a);
}

// Seven pixels on the way to the point, and then seven groups of such pixels. The way leads inwards, so that none of
// them lies outside of the frame.
vec4 effect(vec2 uv) {
  if (reach == 0.0) {
    vec4 color = read(vec2(PIXEL));
    return PASSINDEX == 1 ? vec4(toCode(color.rgb), color.a) : codeOf(color);
  }
  vec2 pace = PASSINDEX == 1 ? vec2(fine_x, fine_y) : vec2(coarse_x, coarse_y);
  vec2 middle = center * RENDERSIZE;
  vec2 here = vec2(PIXEL) + 0.5 - middle;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 7; i++) {
    sum += read(middle + here);
    here = times(here, pace);
  }
  sum /= 7.0;
  return PASSINDEX == 1 ? vec4(toCode(sum.rgb), sum.a) : codeOf(sum);
}
#endif
