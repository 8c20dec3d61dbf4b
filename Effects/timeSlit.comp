/*{
  "DESCRIPTION": "Slit scan: each row or column shows another moment, so that moving things bend.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Time", "Distortion"],
  "INPUTS": [
    {"NAME": "frames", "TYPE": "long", "DEFAULT": 24, "MIN": 1, "MAX": 32,
      "DESCRIPTION": "How many frames late the far edge is"},
    {"NAME": "direction", "TYPE": "long", "VALUES": [0, 1, 2, 3],
      "LABELS": ["Down", "Up", "Right", "Left"], "DEFAULT": 0,
      "DESCRIPTION": "Which way it gets later"}
  ],
  "HISTORY": "frames"
}*/

vec4 effect(vec2 uv) {
  float way = direction < 2 ? uv.y : uv.x;
  if (direction == 1 || direction == 3) way = 1.0 - way;
  float ago = way * float(frames);
  int whole = int(ago);
  // Between two frames they are blended, or the image would have steps.
  return mix(earlierPixel(whole, PIXEL), earlierPixel(whole + 1, PIXEL), ago - float(whole));
}
