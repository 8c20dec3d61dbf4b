/*{
  "DESCRIPTION": "Blocks and bands of the image jump aside and lose their colours, as in a broken stream.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Glitch"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much of the image is affected"},
    {"NAME": "shift", "TYPE": "float", "DEFAULT": 0.12, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "The farthest jump aside, as a part of the frame's shorter side"},
    {"NAME": "block", "TYPE": "float", "DEFAULT": 0.06, "MIN": 0.01, "MAX": 0.5,
      "LABEL": "Block height", "DESCRIPTION": "Height of a block, as a part of the frame's shorter side"},
    {"NAME": "split", "TYPE": "float", "DEFAULT": 0.012, "MIN": 0, "MAX": 0.1,
      "LABEL": "Colour split",
      "DESCRIPTION": "How far red moves from the others in affected parts, as a part of the frame's shorter side"},
    {"NAME": "rate", "TYPE": "float", "DEFAULT": 12, "MIN": 0.5, "MAX": 60,
      "DESCRIPTION": "Changes per second"},
    {"NAME": "bursts", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "0 glitches all the time, 1 in short bursts with rests between them"}
  ],
  "CONSTANTS": [
    {"NAME": "tick", "TYPE": "int", "VALUE": "floor(TIME * rate)"},
    {"NAME": "wave", "VALUE": "noise(TIME * 1.3, 5, 0)"},
    {"NAME": "burst", "VALUE": "amount * mix(1, smoothstep(0.3, 0.7, wave), bursts)"},
    {"NAME": "blockRows", "VALUE": "block * SIDE"},
    {"NAME": "bandRows", "VALUE": "block * SIDE * 0.37"},
    {"NAME": "shiftPixels", "VALUE": "shift * SIDE"},
    {"NAME": "splitPixels", "VALUE": "split * SIDE"}
  ]
}*/

// How far aside the part with this number is, in pixels, and how strongly it is affected: 0 for most.
vec2 hit(ivec2 part, int salt, float chance) {
  float dice = hash(ivec3(part, tick * 4 + salt));
  if (dice >= chance) return vec2(0.0);
  float way = hash(ivec3(part, tick * 4 + salt + 1)) * 2.0 - 1.0;
  return vec2(way * shiftPixels, 1.0);
}

vec4 effect(vec2 uv) {
  // Every row of blocks begins somewhere else, so that they are no chessboard.
  vec2 here = vec2(PIXEL) + 0.5;
  int row = int(here.y / blockRows);
  float start = hash(ivec2(row, tick)) * 3.0;
  ivec2 part = ivec2(int(here.x / (blockRows * 3.0) + start), row);
  vec2 block = hit(part, 0, burst * 0.22);
  vec2 band = hit(ivec2(-1, int(here.y / bandRows)), 2, burst * 0.16);
  float hard = max(block.y, band.y);
  int aside = int(floor(block.x + band.x * 0.5 + 0.5));

  vec4 color = framePixel(PIXEL + ivec2(aside, 0));
  if (hard == 0.0) return color;
  int apart = int(floor(splitPixels * (band.y + block.y) + 0.5));
  color.r = framePixel(PIXEL + ivec2(aside + apart, 0)).r;
  // A few blocks lose most of their levels, as where a decoder had too few bits.
  float dice = hash(ivec3(part, tick * 4 + 3));
  if (block.y > 0.0 && dice < 0.3) color.rgb = floor(color.rgb * 4.0 + 0.5) * 0.25;
  return color;
}
