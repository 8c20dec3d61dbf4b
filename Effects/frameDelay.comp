/*{
  "DESCRIPTION": "Shows an earlier frame: each colour from another time, or all of it.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Time"],
  "INPUTS": [
    {"NAME": "frames", "TYPE": "long", "DEFAULT": 8, "MIN": 1, "MAX": 32,
      "DESCRIPTION": "How many frames ago"},
    {"NAME": "apart", "TYPE": "bool", "DEFAULT": true,
      "DESCRIPTION": "Red comes late, green half as late, blue in time, so that moving things have coloured edges"}
  ],
  "HISTORY": "frames"
}*/

vec4 effect(vec2 uv) {
  vec4 late = earlierPixel(frames, PIXEL);
  if (!apart) return late;
  vec4 now = framePixel();
  return vec4(late.r, earlierPixel(frames / 2, PIXEL).g, now.b, now.a);
}
