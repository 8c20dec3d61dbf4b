/*{
  "DESCRIPTION": "Darkens or tints the image towards its corners.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Lens", "Light"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How strong the corners are tinted"},
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.45, "MIN": 0, "MAX": 2,
      "DESCRIPTION": "Where it begins, from the centre, as a part of the frame's shorter side"},
    {"NAME": "softness", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0.001, "MAX": 2,
      "DESCRIPTION": "Over what distance it grows, as a part of the frame's shorter side"},
    {"NAME": "roundness", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "1 is a circle, 0 has the frame's shape"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The bright centre; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "tint", "TYPE": "color", "DEFAULT": [0, 0, 0, 1],
      "DESCRIPTION": "The colour of the corners"}
  ],
  "CONSTANTS": [
    {"NAME": "across", "VALUE": "WIDTH / SIDE"},
    {"NAME": "down", "VALUE": "HEIGHT / SIDE"}
  ]
}*/

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  vec2 fromCenter = (uv - center) * mix(vec2(1.0), vec2(across, down), roundness);
  float weight = amount * tint.a * smoothstep(radius, radius + softness, length(fromCenter));
  return vec4(mix(color.rgb, tint.rgb, weight), color.a);
}
