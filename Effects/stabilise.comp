/*{
  "DESCRIPTION": "Steadies a shaky picture: takes out shifts, turns and zooms that do not last.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Repair", "Motion", "Geometry"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much of the shaking is taken out"},
    {"NAME": "smoothing", "TYPE": "float", "DEFAULT": 1, "MIN": 0.05, "MAX": 5,
      "DESCRIPTION": "Motion of more than about this many seconds is meant, and followed"},
    {"NAME": "limit", "TYPE": "float", "DEFAULT": 0.15, "MIN": 0, "MAX": 0.5,
      "DESCRIPTION": "How far the picture is moved at most, as a part of the frame's shorter side"},
    {"NAME": "zoom", "TYPE": "float", "DEFAULT": 0.06, "MIN": 0, "MAX": 0.5,
      "DESCRIPTION": "How much larger the picture gets, so that its edges stay outside; what is beyond them is mirrored"},
    {"NAME": "measure", "TYPE": "bool", "DEFAULT": false,
      "DESCRIPTION": "Shows the measured motion of the last 256 frames as pixels, for a file that stabiliseAhead reads"}
  ],
  "PASSES": [
    {"TARGET": "lumas", "FLOAT": true, "PERSISTENT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)))", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)))"},
    {"TARGET": "pyramid", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) * 0.75) + 2", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 2) + 2"},
    {"TARGET": "coarse", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 8)", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 8)"},
    {"TARGET": "medium", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 4)", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 4)"},
    {"TARGET": "fine", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 4)", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 4)"},
    {"TARGET": "vectors", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 4)", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 4)"},
    {"TARGET": "motions", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, round(SIDE/180)) / 4)", "HEIGHT": "ceil(HEIGHT / max(1, round(SIDE/180)) / 4)"},
    {"TARGET": "regions", "FLOAT": true, "WIDTH": 8, "HEIGHT": 8, "DESCRIPTION": "What most of a region does"},
    {"TARGET": "path", "FLOAT": true, "PERSISTENT": true, "WIDTH": 3, "HEIGHT": 1,
      "DESCRIPTION": "How far the picture is from where it should be, how fast it is meant to move, and how it did move"},
    {"TARGET": "trace", "FLOAT": true, "PERSISTENT": true, "WIDTH": 1025, "HEIGHT": 1,
      "DESCRIPTION": "The pixels of measure: four numbers for each of the last 256 frames, and the frame's own number"},
    {"TARGET": "along", "HALF": true, "DESCRIPTION": "The frame, moved along its rows"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "shrink", "TYPE": "int", "VALUE": "max(1, round(SIDE/180))"},
    {"NAME": "pull", "VALUE": "1 - exp(-2 * TIMEDELTA / smoothing)"},
    {"NAME": "learn", "VALUE": "pow(1 - exp(-TIMEDELTA / smoothing), 2)"},
    {"NAME": "furthest", "VALUE": "limit * SIDE / shrink"}
  ]
}*/
#include "motion.glsl"
#include "moved.glsl"

#if PASSINDEX == 7
// The mean of the vectors of a region, in turns: those far from the mean of before count less and less.
vec4 regionMotion() {
  ivec2 from = PIXEL * motionsSize() / 8;
  ivec2 to = max((PIXEL + 1) * motionsSize() / 8, from + 1);
  vec2 mean = vec2(0.0);
  float total = 0.0;
  float width = 1e6;
  for (int turn = 0; turn < 5; turn++) {
    vec3 sum = vec3(0.0);
    for (int y = from.y; y < to.y; y++) {
      for (int x = from.x; x < to.x; x++) {
        vec3 motion = motionsPixel(ivec2(x, y)).xyz;
        vec2 off = motion.xy - mean;
        float near = width / (width + dot(off, off));
        sum += motion.z * near * near * vec3(motion.xy, 1.0);
      }
    }
    total = sum.z;
    mean = sum.xy / max(total, 1e-6);
    width = turn == 0 ? 64.0 : 0.25 * width;
  }
  vec2 count = vec2(to - from);
  return vec4(mean, total / (count.x * count.y), 1.0);
}
#elif PASSINDEX == 8
// Shift (x, y), zoom (z) and turn (w, in radians) that explain most regions.
vec4 cameraMotion() {
  vec4 model = vec4(0.0);
  float width = 1e6;
  for (int turn = 0; turn < 7; turn++) {
    float total = 0.0;
    vec2 places = vec2(0.0);
    vec2 motions = vec2(0.0);
    vec3 products = vec3(0.0);
    for (int i = 0; i < 64; i++) {
      ivec2 at = ivec2(i % 8, i / 8);
      vec3 motion = regionsPixel(at).xyz;
      vec2 place = ((vec2(at) + 0.5) / 8.0 - 0.5) * vec2(lumasSize());
      vec2 off = motion.xy - model.xy - mat2(model.z, model.w, -model.w, model.z) * place;
      float near = width / (width + dot(off, off));
      float weight = min(motion.z, 0.3) * near * near;
      total += weight;
      places += weight * place;
      motions += weight * motion.xy;
      products += weight * vec3(dot(place, place), dot(place, motion.xy),
        place.x * motion.y - place.y * motion.x);
    }
    if (total < 0.3) return vec4(0.0);
    places /= total;
    motions /= total;
    products = products / total - vec3(dot(places, places), dot(places, motions),
      places.x * motions.y - places.y * motions.x);
    // Few regions side by side tell the shift, and nothing of the rest.
    model.zw = products.yz / (products.x + 400.0);
    model.xy = motions - mat2(model.z, model.w, -model.w, model.z) * places;
    width = turn == 0 ? 64.0 : max(0.25 * width, 0.25);
  }
  return model;
}
// The path that is meant follows the true one like a weight on a damped spring, which keeps up with a steady pan.
vec4 nextPath() {
  vec4 speed = pathPixel(ivec2(1, 0));
  vec4 camera = cameraMotion();
  if (PIXEL.x == 2) return camera;
  vec4 off = pathPixel(ivec2(0)) + camera - speed;
  if (PIXEL.x == 1) return speed + learn * off;
  off *= 1.0 - pull;
  off.xy *= min(1.0, furthest / max(length(off.xy), 1e-6));
  return vec4(off.xy, clamp(off.zw, -0.2, 0.2));
}
#elif PASSINDEX == 9
// A number from -0.5 to 0.5 is the 16 bits of red and green.
vec4 tracedMotion() {
  vec4 kept = tracePixel(PIXEL);
  int code = FRAMEINDEX;
  if (PIXEL.x < 1024) {
    if (PIXEL.x / 4 != FRAMEINDEX % 256) return kept.a > 0.0 ? kept : vec4(128.0 / 255.0, 0.0, 0.0, 1.0);
    float part = float(shrink) / float(min(frameSize().x, frameSize().y));
    vec4 four = pathPixel(ivec2(2, 0)) * vec4(part, part, 1.0, 1.0);
    code = clamp(int(floor(four[PIXEL.x % 4] * 65536.0 + 0.5)) + 32768, 0, 65535);
  }
  return vec4(vec3((code >> 8) & 255, code & 255, (code >> 16) & 255) / 255.0, 1.0);
}
#endif

vec4 effect(vec2 uv) {
#if PASSINDEX < 7
  return motionPass();
#elif PASSINDEX == 7
  return regionMotion();
#elif PASSINDEX == 8
  return nextPath();
#elif PASSINDEX == 9
  return tracedMotion();
#elif PASSINDEX == 10
  if (measure) {
    int at = PIXEL.x + PIXEL.y * frameSize().x;
    return at > 1024 ? vec4(0.0, 0.0, 0.0, 1.0) : tracePixel(ivec2(at, 0));
  }
  return movedAlong(amount * pathPixel(ivec2(0)) * vec4(shrink, shrink, 1.0, 1.0), amount * zoom);
#else
  float strength = measure ? 0.0 : amount;
  return movedDown(strength * pathPixel(ivec2(0)) * vec4(shrink, shrink, 1.0, 1.0), strength * zoom);
#endif
}
