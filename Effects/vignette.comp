/*{
  "DESCRIPTION": "Darkens or tints the image towards its corners.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How strong the corners are tinted"},
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.45, "MIN": 0, "MAX": 2,
      "DESCRIPTION": "Where it begins, in frame heights from the centre"},
    {"NAME": "softness", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0.001, "MAX": 2,
      "DESCRIPTION": "Over what distance it grows, in frame heights"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The bright centre; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "tint", "TYPE": "color", "DEFAULT": [0, 0, 0, 1],
      "DESCRIPTION": "The colour of the corners"}
  ]
}*/

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  vec2 fromCenter = (uv - center) * vec2(RENDERSIZE.x / RENDERSIZE.y, 1.0);
  float weight = amount * tint.a * smoothstep(radius, radius + softness, length(fromCenter));
  return vec4(mix(color.rgb, tint.rgb, weight), color.a);
}
