/*{
  "DESCRIPTION": "Shows the spectrum of the sound: bars, segments, a line or an area, straight or as a ring.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Sound"],
  "INPUTS": [
    {"NAME": "sound", "TYPE": "audioFFT", "MAX": 2048},
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 20,
      "DESCRIPTION": "Gain of the sound before it is shown"},
    {"NAME": "style", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2, 3],
      "LABELS": ["bars", "segments", "line", "area"], "DESCRIPTION": "What is drawn"},
    {"NAME": "ring", "TYPE": "bool", "DEFAULT": false,
      "DESCRIPTION": "Draws it round a circle, low tones at the bottom"},
    {"NAME": "mirror", "TYPE": "bool", "DEFAULT": false, "DESCRIPTION": "Grows to both sides of the base"},
    {"NAME": "peaks", "TYPE": "bool", "DEFAULT": true,
      "DESCRIPTION": "Marks the highest levels, which stay and then fall"},
    {"NAME": "bars", "TYPE": "long", "DEFAULT": 64, "MIN": 4, "MAX": 256,
      "DESCRIPTION": "How many bands the spectrum has"},
    {"NAME": "low", "TYPE": "float", "DEFAULT": 40, "MIN": 20, "MAX": 2000,
      "DESCRIPTION": "The lowest tone, in hertz for audio of 48000 samples a second"},
    {"NAME": "high", "TYPE": "float", "DEFAULT": 14000, "MIN": 2500, "MAX": 24000,
      "DESCRIPTION": "The highest tone, in the same way"},
    {"NAME": "range", "TYPE": "float", "DEFAULT": 60, "MIN": 20, "MAX": 120,
      "DESCRIPTION": "From the base to the full height, in decibels"},
    {"NAME": "tilt", "TYPE": "float", "DEFAULT": 3, "MIN": 0, "MAX": 6,
      "DESCRIPTION": "Gain of higher tones, in decibels an octave above 1000 hertz, since music has less of them"},
    {"NAME": "fall", "TYPE": "float", "DEFAULT": 1.8, "MIN": 0.1, "MAX": 20,
      "DESCRIPTION": "How fast levels fall, in full heights a second"},
    {"NAME": "at", "TYPE": "point2D", "DEFAULT": [0.5, 0.93], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The middle of its base, or of the ring, which is in the middle of the frame if this is left at its default; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "width", "TYPE": "float", "DEFAULT": 1.6, "MIN": 0.01, "MAX": 4,
      "DESCRIPTION": "Its width, as a part of the frame's shorter side; at most nine tenths of the frame's width"},
    {"NAME": "height", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0.01, "MAX": 1,
      "DESCRIPTION": "Its largest height, as a part of the frame's shorter side"},
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.2, "MIN": 0, "MAX": 0.5,
      "DESCRIPTION": "Radius of the ring, as a part of the frame's shorter side"},
    {"NAME": "gap", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0, "MAX": 0.9,
      "DESCRIPTION": "Room between bars, as a part of one bar and its gap"},
    {"NAME": "thickness", "TYPE": "float", "DEFAULT": 0.006, "MIN": 0.001, "MAX": 0.1,
      "DESCRIPTION": "Thickness of a line, a peak or a bar at rest, as a part of the frame's shorter side"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [0.1, 0.75, 1, 0.9], "DESCRIPTION": "The colour at the base"},
    {"NAME": "topColor", "TYPE": "color", "DEFAULT": [1, 0.3, 0.65, 0.95],
      "DESCRIPTION": "The colour at the full height"}
  ],
  "PASSES": [
    {"TARGET": "levels", "WIDTH": "bars", "HEIGHT": 1, "FLOAT": true, "PERSISTENT": true},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "side", "VALUE": "SIDE"},
    {"NAME": "room", "VALUE": "0.9 * WIDTH"},
    {"NAME": "whole", "VALUE": "min(width * SIDE, room)"},
    {"NAME": "tall", "VALUE": "height * SIDE"},
    {"NAME": "thick", "VALUE": "thickness * SIDE"},
    {"NAME": "octaves", "VALUE": "log(high / low) / log(2)"}
  ]
}*/

#if PASSINDEX == 0
// Level, peak, and how long the peak has stood, of one band. A column of the spectrum has 24000 / 2048 hertz.
vec4 effect(vec2 uv) {
  float from = low * exp2(octaves * float(PIXEL.x) / float(bars)) * (2048.0 / 24000.0);
  float to = low * exp2(octaves * float(PIXEL.x + 1) / float(bars)) * (2048.0 / 24000.0);
  int rows = min(soundSize().y, 8);
  float strongest = 0.0;
  for (int row = 0; row < rows; row++) {
    // Low bands are narrower than a column: they lie on a smooth line through the columns.
    float v = (float(row) + 0.5) / float(soundSize().y);
    strongest = max(strongest, sound(vec2((0.5 * (from + to) + 0.5) / 2048.0, v)).r);
    for (int x = int(ceil(from)); x < int(to); x++) strongest = max(strongest, soundPixel(ivec2(x, row)).r);
  }
  float tone = 0.5 * (from + to) * (24000.0 / 2048.0);
  float decibels = 8.685889638 * log(max(strongest * amount, 1e-9)) + tilt * log2(tone / 1000.0);
  float level = clamp(1.0 + decibels / range, 0.0, 1.0);

  vec4 before = levelsPixel(PIXEL);
  // Levels rise nearly at once and fall evenly.
  float rise = before.x + (level - before.x) * (TIMEDELTA > 0.0 ? 1.0 - exp(-TIMEDELTA / 0.02) : 1.0);
  level = max(rise, min(before.x, 1.0) - fall * TIMEDELTA);
  float age = before.z + TIMEDELTA;
  float peak = before.y - max(age - 0.35, 0.0) * 2.5 * fall * TIMEDELTA;
  return level >= peak ? vec4(level, level, 0.0, 1.0) : vec4(level, peak, age, 1.0);
}
#else

// How much of the pixel around here lies between two places.
float part(float here, float from, float to) { return max(min(here + 0.5, to) - max(here - 0.5, from), 0.0); }

vec4 band(int i) { return levelsPixel(ivec2(clamp(i, 0, bars - 1), 0)); }

// A smooth line through the middles of the bands: its height, and how much it rises from a band to the next.
vec2 line(float x, bool isPeak) {
  float place = clamp(x - 0.5, 0.0, float(bars - 1));
  int i = int(floor(place));
  float f = place - float(i);
  vec4 p;
  for (int k = 0; k < 4; k++) p[k] = isPeak ? band(i + k - 1).y : band(i + k - 1).x;
  vec3 c = vec3(p.z - p.x, 2.0 * p.x - 5.0 * p.y + 4.0 * p.z - p.w, 3.0 * (p.y - p.z) + p.w - p.x);
  float y = p.y + 0.5 * f * (c.x + f * (c.y + f * c.z));
  return vec2(max(y, 0.0), 0.5 * (c.x + f * (2.0 * c.y + 3.0 * f * c.z)));
}

vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  // The default is the place of a base: most of a ring there would lie below the frame.
  vec2 middle = ring && at == vec2(0.5, 0.93) ? vec2(0.5) : at;
  vec2 here = vec2(PIXEL) + 0.5 - middle * RENDERSIZE;
  // Along the base in bands, and above it in pixels.
  float wide, x, y;
  if (ring) {
    float away = length(here);
    float base = max(radius * side, 1.0);
    y = away - base;
    x = abs(atan(here.x, here.y)) / 3.14159265 * float(bars);
    wide = 3.14159265 * clamp(away, 0.5 * base, base + tall) / float(bars);
  } else {
    wide = whole / float(bars);
    x = here.x / wide + 0.5 * float(bars);
    y = -here.y;
  }
  if (mirror) y = abs(y);
  float outside = ring ? 0.0 : max(-x, x - float(bars)) * wide;
  if (outside > 1.0 || y < -thick - 1.0 || y > tall + thick + 1.0) return pixel;

  float cover = 0.0;
  if (style <= 1) {
    vec4 state = band(int(floor(x)));
    float inBar = fract(x) * wide;
    float across = part(inBar, 0.5 * gap * wide, (1.0 - 0.5 * gap) * wide) * float(outside <= 0.0);
    float top = max(state.x * tall, thick);
    float along = part(y, mirror ? -top : 0.0, top);
    if (style == 1) {
      // Segments are as high as wide at the base, but at least three lines high; whole ones light up.
      float pitch = max(whole / float(bars) * 0.5, 3.0 * thick);
      float s = mod(y, pitch);
      along = y < ceil(top / pitch) * pitch ? part(s, 0.0, 0.65 * pitch) + part(s - pitch, 0.0, 0.65 * pitch) : 0.0;
      along *= float(y > -0.5);
    }
    if (peaks && state.y > state.x + 0.01) along = max(along, part(y, state.y * tall, state.y * tall + thick));
    cover = across * along;
  } else {
    vec2 curve = line(x, false) * tall;
    float slope = inversesqrt(1.0 + curve.y * curve.y / (wide * wide));
    // A thin line gets fainter instead of thinner than a pixel.
    cover = part((y - curve.x) * slope, -0.5 * thick, 0.5 * thick);
    if (style == 3) cover = max(cover, 0.45 * clamp(curve.x - y + 0.5, 0.0, 1.0) * clamp(y + 0.5, 0.0, 1.0));
    if (peaks) {
      vec2 high = line(x, true) * tall;
      float steep = inversesqrt(1.0 + high.y * high.y / (wide * wide));
      cover = max(cover, 0.5 * part((y - high.x) * steep, -0.3 * thick, 0.3 * thick));
    }
    cover *= clamp(0.5 - outside, 0.0, 1.0);
  }
  vec4 paint = mix(color, topColor, clamp(y / tall, 0.0, 1.0));
  float share = paint.a * min(cover, 1.0);
  float alpha = share + pixel.a * (1.0 - share);
  return vec4(mix(pixel.rgb * pixel.a, paint.rgb, share) / max(alpha, 1e-6), alpha);
}
#endif
