// Where everything was in the frame before: one vector for each square of about a 45th of the frame's shorter side.
//
// The effect's first seven passes are these, in this order, and each of them returns motionPass():
//
//   {"TARGET": "lumas", "FLOAT": true, "PERSISTENT": true,
//     "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)))", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)))"},
//   {"TARGET": "pyramid", "FLOAT": true, "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) * 0.75) + 2",
//     "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 2) + 2"},
//   {"TARGET": "coarse", "FLOAT": true,
//     "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 8)", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 8)"},
//   {"TARGET": "medium", ...}, {"TARGET": "fine", ...}, {"TARGET": "vectors", ...}, {"TARGET": "motions", ...}
//     all "FLOAT": true,
//     "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 4)", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 4)"
//
// and its CONSTANTS have {"NAME": "shrink", "TYPE": "int", "VALUE": "max(1, round(SIDE/180))"}.
// After them motionAt(uv) tells what moved how far. Squares are compared on four levels, from an eighth of the lumas' size
// to the whole; the last one solves for parts of a pixel (Lucas and Kanade) and does not mind light that changes.
#ifndef MOTION_GLSL
#define MOTION_GLSL
#include "luma.glsl"

// How far the picture at uv has moved since the frame before, as parts of the frame's size, and how sure that is, 0 to 1.
vec3 motionAt(vec2 uv) {
  vec2 p = uv * vec2(frameSize()) / float(4 * shrink) - 0.5;
  ivec2 corner = ivec2(floor(p));
  vec2 weight = p - floor(p);
  vec3 motion = mix(
    mix(motionsPixel(corner).rgb, motionsPixel(corner + ivec2(1, 0)).rgb, weight.x),
    mix(motionsPixel(corner + ivec2(0, 1)).rgb, motionsPixel(corner + ivec2(1, 1)).rgb, weight.x), weight.y);
  return motion * vec3(float(shrink) / vec2(frameSize()), 1.0);
}

ivec2 levelSize(int level) { return (lumasSize() + (1 << level) - 1) >> level; }

// A pixel of a level, now and in the frame before. The smaller levels lie beside each other.
vec2 levelPixel(int level, ivec2 p) {
  if (level == 0) return lumasPixel(p).rg;
  p = clamp(p, ivec2(0), levelSize(level) - 1);
  if (level > 1) p.x += levelSize(1).x;
  if (level > 2) p.y += levelSize(2).y;
  return pyramidPixel(p).rg;
}

vec4 shrunkFrame() {
  float sum = 0.0;
  for (int y = 0; y < shrink; y++) {
    for (int x = 0; x < shrink; x++) sum += luma(framePixel(PIXEL * shrink + ivec2(x, y)).rgb);
  }
  vec4 before = lumasPixel(PIXEL);
  return vec4(sum / float(shrink * shrink), before.r, before.a, 1.0);
}

vec4 shrunkLevels() {
  ivec2 p = PIXEL;
  int level = 1;
  if (p.x >= levelSize(1).x) {
    p.x -= levelSize(1).x;
    level = p.y < levelSize(2).y ? 2 : 3;
    if (level == 3) p.y -= levelSize(2).y;
  }
  int side = 1 << level;
  vec2 sum = vec2(0.0);
  for (int y = 0; y < side; y++) {
    for (int x = 0; x < side; x++) sum += lumasPixel(p * side + ivec2(x, y)).rg;
  }
  return vec4(sum / float(side * side), 0.0, 1.0);
}

#if PASSINDEX >= 2 && PASSINDEX <= 4
#if PASSINDEX == 2
const int LEVEL = 3;
const int WINDOW = 5;
#elif PASSINDEX == 3
const int LEVEL = 2;
const int WINDOW = 5;
#else
const int LEVEL = 1;
const int WINDOW = 6;
#endif

float nowWindow[WINDOW * WINDOW];
ivec2 windowAt;

void takeWindow(ivec2 at) {
  windowAt = at;
  for (int i = 0; i < WINDOW * WINDOW; i++) {
    nowWindow[i] = levelPixel(LEVEL, at + ivec2(i % WINDOW, i / WINDOW)).r;
  }
}

// Keeps the better of two vectors in .xy, with its difference in .z. Of equal ones the shorter step is better.
void tryVector(inout vec3 best, ivec2 vector, int step) {
  float sum = 0.0;
  for (int i = 0; i < WINDOW * WINDOW; i++) {
    sum += abs(levelPixel(LEVEL, windowAt + vector + ivec2(i % WINDOW, i / WINDOW)).g - nowWindow[i]);
  }
  sum = sum / float(WINDOW * WINDOW) + 0.0005 * float(step);
  if (sum < best.z) best = vec3(vector, sum);
}

// The eight vectors around the best one, together: they share most pixels.
void tryAround(inout vec3 best) {
  const int SIDE = WINDOW + 2;
  ivec2 start = ivec2(best.xy);
  float sums[9] = float[9](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
  float before[SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE; i++) {
    before[i] = levelPixel(LEVEL, windowAt + start + ivec2(i % SIDE, i / SIDE) - 1).g;
  }
  for (int j = 0; j < 9; j++) {
    for (int i = 0; i < WINDOW * WINDOW; i++) {
      sums[j] += abs(before[(i / WINDOW + j / 3) * SIDE + i % WINDOW + j % 3] - nowWindow[i]);
    }
  }
  for (int j = 0; j < 9; j++) {
    float sum = sums[j] / float(WINDOW * WINDOW) + 0.0005;
    if (j != 4 && sum < best.z) best = vec3(start + ivec2(j % 3, j / 3) - 1, sum);
  }
}
#endif

#if PASSINDEX == 2
vec4 searchedWidely() {
  takeWindow(PIXEL - 2);
  vec3 best = vec3(0.0, 0.0, 1e9);
  tryVector(best, ivec2(0), 0);
  for (int y = -4; y <= 4; y++) {
    for (int x = -4; x <= 4; x++) tryVector(best, ivec2(x, y), abs(x) + abs(y));
  }
  return vec4(best, 1.0);
}
#elif PASSINDEX == 3
vec4 searchedAgain() {
  takeWindow(PIXEL - 2);
  vec3 best = vec3(0.0, 0.0, 1e9);
  ivec2 beside = 2 * (PIXEL & 1) - 1;
  tryVector(best, ivec2(0), 0);
  for (int i = 0; i < 4; i++) {
    tryVector(best, 2 * ivec2(coarsePixel(PIXEL / 2 + beside * ivec2(i & 1, i >> 1)).xy), i);
  }
  tryAround(best);
  return vec4(best, 1.0);
}
#elif PASSINDEX == 4
vec4 searchedClosely() {
  takeWindow(2 * PIXEL - 2);
  vec3 best = vec3(0.0, 0.0, 1e9);
  for (int i = 0; i < 5; i++) {
    ivec2 beside = i == 0 ? ivec2(0) : i < 3 ? ivec2(2 * i - 3, 0) : ivec2(0, 2 * i - 7);
    tryVector(best, 2 * ivec2(mediumPixel(PIXEL + beside).xy), min(i, 1));
  }
  tryAround(best);
  return vec4(best, 1.0);
}
#elif PASSINDEX == 5
vec4 solved() {
  if (lumasPixel(ivec2(0)).b == 0.0) return vec4(0.0);
  ivec2 corner = 4 * PIXEL - 3;
  float now[100];
  for (int i = 0; i < 100; i++) now[i] = lumasPixel(corner + ivec2(i % 10, i / 10)).r;
  // Gradients without their mean, so that a change of light counts as none.
  vec2 gradients[64];
  vec2 mean = vec2(0.0);
  float level = 0.0;
  for (int i = 0; i < 64; i++) {
    int at = 11 + i % 8 + 10 * (i / 8);
    gradients[i] = 0.5 * vec2(now[at + 1] - now[at - 1], now[at + 10] - now[at - 10]);
    mean += gradients[i] / 64.0;
    level += now[at] / 64.0;
  }
  vec3 matrix = vec3(0.0);
  float contrast = 0.0;
  for (int i = 0; i < 64; i++) {
    int at = 11 + i % 8 + 10 * (i / 8);
    gradients[i] -= mean;
    matrix += gradients[i].xyx * gradients[i].xyy / 64.0;
    contrast += (now[at] - level) * (now[at] - level) / 64.0;
  }
  float middle = 0.5 * (matrix.x + matrix.y);
  float weakest = middle - sqrt(max(middle * middle - matrix.x * matrix.y + matrix.z * matrix.z, 0.0));
  matrix.xy += 1e-5;
  float scale = 1.0 / (matrix.x * matrix.y - matrix.z * matrix.z);

  // Where it explains nothing better, as in a flat area, noise has made it, and the square stands still.
  vec2 start = 2.0 * finePixel(PIXEL).xy;
  float stillError = 0.0;
  float stillErrors = 0.0;
  for (int i = 0; i < 64; i++) {
    ivec2 o = ivec2(i % 8, i / 8) + 1;
    float d = now[10 * o.y + o.x] - lumasPixel(corner + o).g;
    stillError += d / 64.0;
    stillErrors += d * d / 64.0;
  }
  float stillOff = max(stillErrors - stillError * stillError, 0.0);

  vec2 vector = start;
  float off = 0.0;
  for (int turn = 0; turn < 3; turn++) {
    ivec2 whole = ivec2(floor(vector));
    vec2 part = vector - floor(vector);
    float before[81];
    for (int i = 0; i < 81; i++) before[i] = lumasPixel(corner + 1 + whole + ivec2(i % 9, i / 9)).g;
    vec2 product = vec2(0.0);
    float error = 0.0;
    float errors = 0.0;
    for (int i = 0; i < 64; i++) {
      int at = i % 8 + 9 * (i / 8);
      float was = mix(mix(before[at], before[at + 1], part.x), mix(before[at + 9], before[at + 10], part.x), part.y);
      float d = now[11 + i % 8 + 10 * (i / 8)] - was;
      product += gradients[i] * d / 64.0;
      error += d / 64.0;
      errors += d * d / 64.0;
    }
    off = max(errors - error * error, 0.0);
    if (turn == 2) break;
    vec2 step = scale * vec2(matrix.y * product.x - matrix.z * product.y, matrix.x * product.y - matrix.z * product.x);
    vector = clamp(vector + clamp(step, -1.0, 1.0), start - 2.0, start + 2.0);
  }
  if (stillOff < 1.3 * off + 2e-6) vector = vec2(0.0);
  float sure = weakest / (weakest + 2e-4) * (1.0 - smoothstep(0.1, 0.5, off / (contrast + 1e-4)));
  return vec4(vector, sure, off);
}
#elif PASSINDEX == 6
// The one of nine neighbours that differs least from the others: a wrong one among right ones is lost.
vec4 agreed() {
  vec3 near[9];
  for (int i = 0; i < 9; i++) near[i] = vectorsPixel(PIXEL + ivec2(i % 3, i / 3) - 1).rgb;
  vec3 best = near[4];
  float least = 1e9;
  for (int i = 0; i < 9; i++) {
    float sum = i == 4 ? -0.25 : 0.0;
    for (int j = 0; j < 9; j++) sum += (0.1 + near[j].z) * min(distance(near[i].xy, near[j].xy), 8.0);
    if (sum < least) {
      least = sum;
      best = near[i];
    }
  }
  return vec4(-best.xy, best.z, 1.0);
}
#endif

vec4 motionPass() {
#if PASSINDEX == 0
  return shrunkFrame();
#elif PASSINDEX == 1
  return shrunkLevels();
#elif PASSINDEX == 2
  return searchedWidely();
#elif PASSINDEX == 3
  return searchedAgain();
#elif PASSINDEX == 4
  return searchedClosely();
#elif PASSINDEX == 5
  return solved();
#elif PASSINDEX == 6
  return agreed();
#else
  return vec4(0.0);
#endif
}

#endif
