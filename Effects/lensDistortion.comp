/*{
  "DESCRIPTION": "Bends straight lines as a lens does, or straightens those that a lens has bent.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Distortion", "Lens"],
  "INPUTS": [
    {"NAME": "amount", "LABEL": "Curvature", "TYPE": "float", "DEFAULT": 0.6, "MIN": -0.5, "MAX": 1,
      "IDENTITY": 0, "ALIASES": ["k1"],
      "DESCRIPTION": "Above 0 bulges like a wide lens; below 0 undoes it: action cameras, -0.2"},
    {"NAME": "corners", "LABEL": "Curvature of the corners", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5,
      "MAX": 1, "IDENTITY": 0, "ALIASES": ["k2"],
      "DESCRIPTION": "The same, most of it in the corners"},
    {"NAME": "fill", "TYPE": "bool", "DEFAULT": true,
      "DESCRIPTION": "Enlarges just enough that no edge of the image shows"},
    {"NAME": "zoom", "TYPE": "float", "DEFAULT": 1, "MIN": 0.25, "MAX": 4, "IDENTITY": 1,
      "DESCRIPTION": "Enlarges further; below 1 the edge of the image shows, and black beyond it"}
  ],
  "CONSTANTS": [
    {"NAME": "diagonal", "VALUE": "WIDTH*WIDTH + HEIGHT*HEIGHT"},
    {"NAME": "across", "VALUE": "WIDTH / sqrt(diagonal)"},
    {"NAME": "down", "VALUE": "HEIGHT / sqrt(diagonal)"},
    {"NAME": "near", "VALUE": "pow(SIDE, 2) / diagonal"},
    {"NAME": "far", "VALUE": "pow(max(WIDTH, HEIGHT), 2) / diagonal"},
    {"NAME": "nearScale", "VALUE": "1 + near * (amount + near * corners)"},
    {"NAME": "farScale", "VALUE": "1 + far * (amount + far * corners)"},
    {"NAME": "whole", "VALUE": "max(1 + amount + corners, max(nearScale, farScale))"},
    {"NAME": "shrink", "VALUE": "1 / (zoom * (fill != 0 ? max(whole, 0.1) : 1))"}
  ]
}*/

// The model that lens profiles have: the pixel at distance r from the middle shows what was at
// r (1 + k1 r^2 + k2 r^4), with r = 1 in the
// corners; amount is k1 and corners k2.
vec4 effect(vec2 uv) {
  vec2 offset = uv * 2.0 - 1.0;
  vec2 distances = offset * vec2(across, down);
  float square = dot(distances, distances);
  vec2 p = offset * ((1.0 + square * (amount + square * corners)) * shrink) * 0.5 + 0.5;
  vec4 color = frame(p);
  // Beyond the edge there is nothing; the edge itself is as soft as a pixel.
  vec2 inside = clamp((0.5 - abs(p - 0.5)) * RENDERSIZE + 0.5, 0.0, 1.0);
  return vec4(color.rgb * (fill && zoom >= 1.0 ? 1.0 : inside.x * inside.y), color.a);
}
