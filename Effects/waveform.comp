/*{
  "DESCRIPTION": "Shows the sound as a line, as on an oscilloscope, or how loud it was during the last seconds.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Sound"],
  "INPUTS": [
    {"NAME": "sound", "TYPE": "audio", "MAX": 8192},
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1.5, "MIN": 0, "MAX": 20,
      "DESCRIPTION": "Gain of the sound before it is shown"},
    {"NAME": "style", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2], "LABELS": ["line", "filled", "loudness"],
      "DESCRIPTION": "The wave as a line, filled from its base, or bars of its loudness that run to the left"},
    {"NAME": "steady", "TYPE": "bool", "DEFAULT": true,
      "DESCRIPTION": "Begins where the wave rises through zero, so that tones stand still"},
    {"NAME": "span", "TYPE": "float", "DEFAULT": 0.03, "MIN": 0.002, "MAX": 0.12,
      "DESCRIPTION": "How much sound the wave shows, in seconds of audio with 48000 samples a second"},
    {"NAME": "seconds", "TYPE": "float", "DEFAULT": 4, "MIN": 0.5, "MAX": 60,
      "DESCRIPTION": "How much time the loudness shows"},
    {"NAME": "bars", "TYPE": "long", "DEFAULT": 96, "MIN": 8, "MAX": 512,
      "DESCRIPTION": "How many bars the loudness has"},
    {"NAME": "at", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The middle; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "width", "TYPE": "float", "DEFAULT": 4, "MIN": 0.01, "MAX": 4,
      "DESCRIPTION": "Its width, as a part of the frame's shorter side; at most the width of the frame"},
    {"NAME": "height", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0.01, "MAX": 1,
      "DESCRIPTION": "Its height at full scale, as a part of the frame's shorter side"},
    {"NAME": "thickness", "TYPE": "float", "DEFAULT": 0.006, "MIN": 0.001, "MAX": 0.03,
      "DESCRIPTION": "Thickness of the line, as a part of the frame's shorter side"},
    {"NAME": "glow", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1, "DESCRIPTION": "How much the line glows"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [0.45, 1, 0.6, 1], "DESCRIPTION": "Its colour"}
  ],
  "PASSES": [
    {"TARGET": "begin", "WIDTH": 1, "HEIGHT": 1, "FLOAT": true, "DESCRIPTION": "Where the wave begins, a column of the sound"},
    {"TARGET": "points", "WIDTH": 384, "HEIGHT": 1, "FLOAT": true, "DESCRIPTION": "The wave"},
    {"TARGET": "loudness", "WIDTH": "bars", "HEIGHT": 1, "FLOAT": true, "PERSISTENT": true},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "side", "VALUE": "SIDE"},
    {"NAME": "thick", "VALUE": "thickness * SIDE"},
    {"NAME": "tall", "VALUE": "0.5 * height * SIDE"},
    {"NAME": "room", "VALUE": "WIDTH"},
    {"NAME": "wide", "VALUE": "min(width * SIDE, room)"},
    {"NAME": "shown", "VALUE": "span * 48000"},
    {"NAME": "pace", "VALUE": "bars / seconds"},
    {"NAME": "tick", "VALUE": "floor(TIME * pace)"},
    {"NAME": "passed", "TYPE": "int", "VALUE": "tick - floor((TIME - TIMEDELTA) * pace)"},
    {"NAME": "aside", "VALUE": "fract(TIME * pace)"},
    {"NAME": "heard", "TYPE": "int", "VALUE": "clamp(ceil(max(TIMEDELTA, 0.02) * 48000 / 4), 1, 1024)"}
  ]
}*/

const int POINTS = 384;

// The mean of the channels, from -1 to 1.
float wave(int column) {
  int rows = min(soundSize().y, 8);
  float sum = 0.0;
  for (int row = 0; row < rows; row++) sum += soundPixel(ivec2(column, row)).r;
  return sum / float(rows) * 2.0 - 1.0;
}

#if PASSINDEX == 0
vec4 effect(vec2 uv) {
  int last = 8192 - int(ceil(shown));
  if (!steady) return vec4(float(last));
  // Of the places where the wave rises through zero, the one before which it was the lowest: one in each period.
  int best = last;
  float deepest = -0.002, low = 0.0;
  float before = wave(max(last - 2000, 0));
  for (int x = max(last - 2000, 0) + 1; x <= last; x++) {
    float now = wave(x);
    low = min(low, now);
    if (before < 0.0 && now >= 0.0) {
      if (low <= deepest * 0.98) { deepest = low; best = x; }
      low = 0.0;
    }
    before = now;
  }
  return vec4(float(best));
}
#elif PASSINDEX == 1
vec4 effect(vec2 uv) {
  // The mean of the samples that lie around a point.
  float pitch = shown / float(POINTS - 1);
  float middle = beginPixel(ivec2(0)).r + float(PIXEL.x) * pitch;
  int first = int(floor(middle - 0.5 * pitch + 0.5));
  int count = max(int(pitch), 1);
  float sum = 0.0;
  for (int i = 0; i < count; i++) sum += wave(first + i);
  return vec4(clamp(sum / float(count) * amount, -1.0, 1.0));
}
#elif PASSINDEX == 2
vec4 effect(vec2 uv) {
  int from = PIXEL.x + passed;
  float old = from < bars ? loudnessPixel(ivec2(from, 0)).r : 0.0;
  // The last bar is still heard; after a slow frame several are new.
  if (from < bars - 1) return vec4(old);
  float loudest = 0.0;
  for (int i = 0; i < heard; i++) loudest = max(loudest, abs(wave(8191 - 4 * i)));
  return vec4(max(PIXEL.x + passed == bars - 1 ? old : 0.0, min(loudest * amount, 1.0)));
}
#else

float covered(float here, float from, float to) { return max(min(here + 0.5, to) - max(here - 0.5, from), 0.0); }

float away(vec2 p, vec2 a, vec2 b) {
  vec2 way = b - a;
  return length(p - a - way * clamp(dot(p - a, way) / dot(way, way), 0.0, 1.0));
}

vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  // From the left end of the base.
  vec2 p = vec2(PIXEL) + 0.5 - at * RENDERSIZE + vec2(0.5 * wide, 0.0);
  float halo = style < 2 ? 0.02 * side * glow : 0.0;
  float reach = max(0.5 * thick + 0.5, halo);
  if (p.x < -reach || p.x > wide + reach || abs(p.y) > tall + reach) return pixel;

  float cover = 0.0;
  if (style < 2) {
    // The nearest of the lines between the points that are not too far to the side.
    float pitch = wide / float(POINTS - 1);
    int middle = int(floor(p.x / pitch));
    int count = min(int(ceil(reach / pitch)), 10);
    float distance_ = reach + 1.0;
    int first = clamp(middle - count, 0, POINTS - 2);
    vec2 a = vec2(float(first) * pitch, -pointsPixel(ivec2(first, 0)).r * tall);
    for (int i = first + 1; i <= min(middle + count + 1, POINTS - 1); i++) {
      vec2 b = vec2(float(i) * pitch, -pointsPixel(ivec2(i, 0)).r * tall);
      distance_ = min(distance_, away(p, a, b));
      a = b;
    }
    // A line that is thinner than a pixel is fainter instead.
    cover = clamp(0.5 * thick + 0.5 - distance_, 0.0, min(thick, 1.0));
    float far = clamp(1.0 - distance_ / max(halo, 1e-3), 0.0, 1.0);
    cover = max(cover, 0.6 * glow * far * far);
    if (style == 1) {
      int here = clamp(middle, 0, POINTS - 2);
      float y = -mix(pointsPixel(ivec2(here, 0)).r, pointsPixel(ivec2(here + 1, 0)).r, fract(p.x / pitch)) * tall;
      float ends = clamp(p.x + 0.5, 0.0, 1.0) * clamp(wide - p.x + 0.5, 0.0, 1.0);
      cover = max(cover, 0.4 * covered(p.y, min(y, 0.0), max(y, 0.0)) * ends);
    }
  } else {
    // Bars run between their places, at the pace of the frames.
    float pitch = wide / float(bars);
    float x = p.x / pitch + aside - 1.0;
    float high = max(loudnessPixel(ivec2(clamp(int(floor(x)), 0, bars - 1), 0)).r * tall, 0.5 * thick);
    cover = covered(fract(x) * pitch, 0.2 * pitch, 0.8 * pitch) * covered(p.y, -high, high);
    cover *= clamp(p.x + 0.5, 0.0, 1.0) * clamp(wide - p.x + 0.5, 0.0, 1.0) * float(x > 0.0);
  }
  float share = color.a * min(cover, 1.0);
  float alpha = share + pixel.a * (1.0 - share);
  return vec4(mix(pixel.rgb * pixel.a, color.rgb, share) / max(alpha, 1e-6), alpha);
}
#endif
