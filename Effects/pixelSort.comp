/*{
  "DESCRIPTION": "Sorts the pixels of each line by brightness where it lies between two limits, which draws streaks.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Glitch", "Stylize"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How many of the runs of pixels are sorted"},
    {"NAME": "low", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How bright a part must be to be sorted"},
    {"NAME": "high", "TYPE": "float", "DEFAULT": 0.8, "MIN": 0, "MAX": 1, "DESCRIPTION": "How bright it may be"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 90, "MIN": -360, "MAX": 360,
      "DESCRIPTION": "Which way the pixels get brighter, in degrees, rounded to a quarter turn: 0 to the right, 90 down"},
    {"NAME": "length", "TYPE": "float", "DEFAULT": 0.7, "MIN": 0.01, "MAX": 2,
      "DESCRIPTION": "The longest run, as a part of the frame's shorter side; most are shorter"},
    {"NAME": "by", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2], "LABELS": ["brightness", "hue", "saturation"],
      "DESCRIPTION": "What is compared"},
    {"NAME": "grain", "TYPE": "float", "DEFAULT": 0.0028, "MIN": 0.0005, "MAX": 0.1,
      "DESCRIPTION": "Side of the squares that are sorted as one pixel, as a part of the frame's shorter side; at least a pixel"},
    {"NAME": "rate", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 60,
      "DESCRIPTION": "How often a second the runs are cut at other places"}
  ],
  "PASSES": [
    {"TARGET": "coarse", "WIDTH": "ceil(WIDTH * min(1, 180 / SIDE))", "HEIGHT": "ceil(HEIGHT * min(1, 180 / SIDE))",
      "DESCRIPTION": "Brightness without fine detail, which would cut all runs short, the more the larger the frame is"},
    {"TARGET": "sorted", "FLOAT": true, "WIDTH": "ceil(WIDTH / max(1, floor(grain * SIDE + 0.5)))",
      "HEIGHT": "ceil((HEIGHT / max(1, floor(grain * SIDE + 0.5)) + 4) * (WIDTH / max(1, floor(grain * SIDE + 0.5)) + 4) / 4 * max(1, floor(grain * SIDE + 0.5)) / WIDTH)",
      "DESCRIPTION": "Which square each place takes, four in each pixel, line by line"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "side", "VALUE": "SIDE"},
    {"NAME": "square", "TYPE": "int", "VALUE": "max(1, floor(grain * SIDE + 0.5))"},
    {"NAME": "longest", "VALUE": "length * SIDE / square"},
    {"NAME": "quarter", "TYPE": "int", "VALUE": "mod(floor(angle / 90 + 0.5), 4)"},
    {"NAME": "tick", "TYPE": "int", "VALUE": "floor(TIME * rate)"}
  ]
}*/
#include "luma.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

#if PASSINDEX == 0
void main() {
  vec2 span = vec2(frameSize()) / RENDERSIZE;
  ivec2 count = ivec2(clamp(ceil(span), vec2(1.0), vec2(8.0)));
  float sum = 0.0;
  for (int y = 0; y < count.y; y++) {
    for (int x = 0; x < count.x; x++) {
      vec2 place = (vec2(PIXEL) + (vec2(x, y) + 0.5) / vec2(count)) * span;
      sum += luma(framePixel(ivec2(place)).rgb);
    }
  }
  store(PIXEL, vec4(sum / float(count.x * count.y)));
}
#else

// The lines of squares: how many, and how long.
ivec2 lines() {
  ivec2 size = (frameSize() + square - 1) / square;
  return (quarter & 1) == 1 ? size : size.yx;
}

// Where four squares of a line are kept.
ivec2 keptAt(int line, int four) {
  int place = line * ((lines().y + 3) / 4) + four;
  return ivec2(place % sortedSize().x, place / sortedSize().x);
}

#if PASSINDEX == 2
void main() {
  ivec2 p = PIXEL / square;
  bool isUpright = (quarter & 1) == 1;
  int line = isUpright ? p.x : p.y, at = isUpright ? p.y : p.x;
  int from = int(sortedPixel(keptAt(line, at / 4))[at % 4]);
  ivec2 way = isUpright ? ivec2(0, square) : ivec2(square, 0);
  store(PIXEL, framePixel(PIXEL + (from - at) * way));
}
#else

// One invocation sorts one line of squares, as cards are sorted: it counts how many there are of each kind, and lays
// each where those before it end. Then it deals them out to their runs in this order. Very long lines are cut.
const int MOST = 1024, KINDS = 128;
int kinds[KINDS];
// Some drivers give an invocation no more than two arrays of this length, so each word holds two numbers: where the run
// of a square begins, with its kind in seven more, and the square in order; the next free place of the run that begins
// here, and the square that each place takes at last.
int squares[MOST];
int places[MOST];

float keyOf(vec3 c) {
  if (by == 0) return luma(c);
  float most = max(c.r, max(c.g, c.b)), range = most - min(c.r, min(c.g, c.b));
  if (by == 2) return range / max(most, 1e-3);
  if (range <= 0.0) return 0.0;
  float hue = most == c.r ? (c.g - c.b) / range : most == c.g ? 2.0 + (c.b - c.r) / range : 4.0 + (c.r - c.g) / range;
  return fract(hue / 6.0 + 1.0);
}

void main() {
  bool isUpright = (quarter & 1) == 1;
  int along = lines().y;
  int parts = along > MOST ? (along * 5 / 4 + MOST - 1) / MOST : 1;
  int groups = (sortedSize().x + 7) / 8;
  int task = (int(gl_WorkGroupID.y) * groups + int(gl_WorkGroupID.x)) * 64 + int(gl_LocalInvocationIndex);
  if (task >= lines().x * parts) return;
  int line = task / parts, part = task % parts;
  // Cuts lie elsewhere in each line, so that they are not seen.
  float cut = float(along) / float(parts), shift = (hash(line) - 0.5) * 0.2;
  int start = part == 0 ? 0 : int(cut * (float(part) + shift)) / 4 * 4;
  int count = (part == parts - 1 ? along : int(cut * (float(part + 1) + shift)) / 4 * 4) - start;
  // Backwards, the last square of the part is the first.
  bool isBackwards = quarter >= 2;
  int first = isBackwards ? start + count - 1 : start, step_ = isBackwards ? -1 : 1;
  ivec2 origin = (isUpright ? ivec2(line, first) : ivec2(first, line)) * square;
  ivec2 way = (isUpright ? ivec2(0, 1) : ivec2(1, 0)) * square * step_;

  for (int k = 0; k < KINDS; k++) kinds[k] = 0;
  float unit = min(1.0, 180.0 / side);
  int row = int((float(line) + 0.5) * float(square) * unit);
  int begin = 0, end = 0;
  bool isRun = false, isSorted = false;
  for (int i = 0; i < count; i++) {
    ivec2 p = origin + way * i;
    float level = coarsePixel(ivec2((vec2(p) + 0.5 * float(square)) * unit)).r;
    bool isInside = level >= low && level <= high;
    if (isInside && (!isRun || i >= end)) {
      // A run begins. Its greatest length is a matter of chance, the same for lines of about the same place.
      int place = int(float(isUpright ? p.y : p.x) * unit);
      begin = i;
      end = i + max(int(longest * (0.25 + 0.75 * hash(ivec3(row, place, tick)))), 1);
      isSorted = hash(ivec3(row, place, tick + 7919)) < amount;
    }
    isRun = isInside;
    int run = isRun && isSorted ? begin : i;
    int kind = int(clamp(keyOf(framePixel(p + square / 2).rgb) * float(KINDS), 0.0, float(KINDS - 1)));
    kinds[kind]++;
    squares[i] = run * KINDS + kind;
    places[i] = i;
  }
  int sum = 0;
  for (int k = 0; k < KINDS; k++) { int n = kinds[k]; kinds[k] = sum; sum += n; }
  for (int i = 0; i < count; i++) squares[kinds[squares[i] & (KINDS - 1)]++] |= i << 17;
  for (int i = 0; i < count; i++) {
    int from = squares[i] >> 17;
    int run = squares[from] >> 7 & (MOST - 1);
    int to = places[run] & (2 * MOST - 1);
    places[run]++;
    places[isBackwards ? count - 1 - to : to] |= from << 11;
  }
  for (int i = 0; i < count; i += 4) {
    ivec4 at = min(ivec4(i, i + 1, i + 2, i + 3), MOST - 1);
    ivec4 four = ivec4(places[at.x], places[at.y], places[at.z], places[at.w]) >> 11;
    store(keptAt(line, (start + i) / 4), vec4(first + step_ * four));
  }
}
#endif
#endif
