/*{
  "DESCRIPTION": "Separates red and blue towards the corners, like a simple lens.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Lens", "Glitch"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.015, "MIN": -0.05, "MAX": 0.05, "IDENTITY": 0,
      "DESCRIPTION": "How far red and blue are moved at the corners, as a part of the frame's shorter side; below 0 the other way round"},
    {"NAME": "falloff", "TYPE": "float", "DEFAULT": 0.7, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "0 grows evenly from the centre, 1 keeps the middle sharp and grows towards the corners"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "Where nothing moves; 0/0 is the top left, 1/1 the bottom right"}
  ],
  "CONSTANTS": [
    {"NAME": "farX", "VALUE": "max(center.x, 1 - center.x) * WIDTH / SIDE"},
    {"NAME": "farY", "VALUE": "max(center.y, 1 - center.y) * HEIGHT / SIDE"},
    {"NAME": "cornerSquared", "VALUE": "farX * farX + farY * farY"},
    {"NAME": "shift", "VALUE": "amount / sqrt(cornerSquared)"}
  ]
}*/

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  vec2 sides = RENDERSIZE / min(RENDERSIZE.x, RENDERSIZE.y);
  vec2 fromCenter = uv - center;
  vec2 away = fromCenter * sides;
  // At the corner farthest from the centre this is 1.
  float rise = mix(1.0, dot(away, away) / cornerSquared, falloff);
  vec2 offset = fromCenter * (shift * rise);
  return vec4(frame(uv - offset).r, color.g, frame(uv + offset).b, color.a);
}
