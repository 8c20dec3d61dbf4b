/*{
  "DESCRIPTION": "A worn video cassette: few lines, late and bleeding colours, trembling, noise and a torn bottom.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Retro", "Glitch"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.7, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How worn the cassette is: all of the following together; 0 changes nothing"},
    {"NAME": "bleed", "TYPE": "float", "DEFAULT": 0.045, "MIN": 0, "MAX": 0.1,
      "DESCRIPTION": "How far colours run to the right, as a part of the frame's shorter side"},
    {"NAME": "softness", "TYPE": "float", "DEFAULT": 0.004, "MIN": 0, "MAX": 0.02,
      "DESCRIPTION": "How far brightness is smeared along a line, as a part of the frame's shorter side"},
    {"NAME": "jitter", "TYPE": "float", "DEFAULT": 0.004, "MIN": 0, "MAX": 0.05,
      "DESCRIPTION": "How far lines tremble sideways, as a part of the frame's shorter side"},
    {"NAME": "tracking", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How bad the wandering band and the lowest lines are"},
    {"NAME": "snow", "TYPE": "float", "DEFAULT": 0.11, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How strong the noise is"},
    {"NAME": "saturation", "TYPE": "float", "DEFAULT": 1.15, "MIN": 0, "MAX": 2,
      "DESCRIPTION": "Strength of the colours"},
    {"NAME": "lines", "TYPE": "long", "DEFAULT": 240, "MIN": 60, "MAX": 576,
      "DESCRIPTION": "Lines along the frame's shorter side, whatever its size; a cassette has 240 in each field"}
  ],
  "PASSES": [
    {"TARGET": "tape", "WIDTH": "clamp(round(WIDTH / SIDE * lines * 1.5), 1, 4096)",
      "HEIGHT": "clamp(round(HEIGHT / SIDE * lines), 1, 4096)", "DESCRIPTION": "Brightness and two differences of colour"},
    {"TARGET": "played", "WIDTH": "clamp(round(WIDTH / SIDE * lines * 1.5), 1, 4096)",
      "HEIGHT": "clamp(round(HEIGHT / SIDE * lines), 1, 4096)", "DESCRIPTION": "What the recorder makes of it"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "tick", "TYPE": "int", "VALUE": "mod(floor(TIME * 25 + 0.01), 1048576)"},
    {"NAME": "jitterPixels", "VALUE": "jitter * amount * SIDE"},
    {"NAME": "tearPixels", "VALUE": "tracking * amount * SIDE * 0.12"},
    {"NAME": "bandAt", "VALUE": "1.15 - fract(TIME * 0.11 + 0.45) * 1.3"},
    {"NAME": "bandWidth", "VALUE": "SIDE / HEIGHT * 0.07"},
    {"NAME": "footHeight", "VALUE": "SIDE / HEIGHT * 0.035"},
    {"NAME": "swayAt", "VALUE": "TIME * 2.3"},
    {"NAME": "bleedApart", "VALUE": "max(1, bleed * amount * lines * 1.5 * 0.2)"},
    {"NAME": "bleedDecay", "VALUE": "exp(-bleedApart / max(0.2, bleed * amount * lines * 1.5 * 0.6))"},
    {"NAME": "softening", "VALUE": "exp(-1 / max(0.08, pow(softness * amount * lines * 1.5, 2)))"},
    {"NAME": "noisy", "VALUE": "snow * amount"},
    {"NAME": "faded", "VALUE": "min(1, amount * 3)"}
  ]
}*/

// 1 in the middle of the wandering band, and below 1 to its sides.
float band(float y) { return clamp(1.0 - abs(y - bandAt) / bandWidth, 0.0, 1.0); }

// From 0 to 1 in the lowest lines, where the recorder changes from one head to the other.
float foot(float y) { return clamp((y - 1.0) / footHeight + 1.0, 0.0, 1.0); }

// No difference of colour, as a whole code value: of 0.5 a driver's last bit would make 127 or 128.
const float neutral = 128.0 / 255.0;

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  float dice = hash(ivec2(PIXEL.y, tick));
  float sway = noise(vec2(uv.y * 6.0, swayAt)) + noise(vec2(uv.y * 40.0, swayAt * 3.0)) * 0.5 - 0.75;
  float bent = band(uv.y);
  float torn = foot(uv.y);
  float aside = (dice * 0.5 - 0.25 + sway) * jitterPixels
    + (bent * bent * (dice * 0.6 + 0.1) + torn * (torn + 0.35 * dice)) * tearPixels;
  vec3 code = frame(uv + vec2(aside / float(frameSize().x), 0.0)).rgb;
  float y = dot(code, vec3(0.299, 0.587, 0.114));
  return vec4(y, 0.5 * (code.b - y) + neutral, 0.5 * (code.r - y) + neutral, 1.0);
#elif PASSINDEX == 1
  float y = tapePixel(PIXEL).r;
  vec4 near = vec4(tapePixel(PIXEL - ivec2(1, 0)).r, tapePixel(PIXEL + ivec2(1, 0)).r,
    tapePixel(PIXEL - ivec2(3, 0)).r, tapePixel(PIXEL + ivec2(3, 0)).r);
  y = (y + softening * (near.x + near.y)) / (1.0 + 2.0 * softening);
  // The recorder sharpens what is left, with dark and bright lines beside edges.
  y += 0.35 * faded * (y - 0.5 * (near.z + near.w));

  // Colours have a tenth of the detail, come late, and the lines above have some of them.
  vec2 color = vec2(0.0);
  float total = 0.0;
  float weight = 0.35;
  for (int i = -1; i < 12; i++) {
    int from = PIXEL.x - int(float(i) * bleedApart);
    color += (tapePixel(ivec2(from, PIXEL.y)).gb - neutral) * weight;
    color += (tapePixel(ivec2(from, PIXEL.y - 2)).gb - neutral) * (weight * 0.6 * faded);
    total += weight * (1.0 + 0.6 * faded);
    weight = i < 1 ? weight + 0.325 : weight * bleedDecay;
  }
  color /= total;

  float dice = hash(ivec2(PIXEL.y, tick));
  float loud = max(band(uv.y), foot(uv.y)) * tracking * faded;
  float streak = noise(vec2(float(PIXEL.x) * 0.45 + dice * 4096.0, float(PIXEL.y * 7 + (tick & 255))));
  float grain = (hash(ivec3(PIXEL, tick)) + streak - 1.0) * noisy * (1.0 + 3.0 * loud);
  // Colour noise lies in long streaks.
  vec2 cloud = vec2(noise(vec3(float(PIXEL.x) * 0.06, float(PIXEL.y) * 0.7, float(tick & 1023))),
    noise(vec3(float(PIXEL.x) * 0.06, float(PIXEL.y) * 0.7, float(tick & 1023) + 2048.5))) - 0.5;
  color = color * (1.0 - 0.8 * loud) + cloud * noisy * (0.6 + loud);
  // White dashes that fade, where the tape has lost its coating: many in the band, a few elsewhere.
  int along = PIXEL.x + int(dice * 64.0);
  float dash = step(1.0 - (0.0012 + 0.09 * loud) * faded, hash(ivec3(along / 24, PIXEL.y, tick + 7)));
  y += grain + dash * 0.7 * (1.0 - float(along % 24) / 24.0);
  return vec4(y, color + neutral, 1.0);
#else
  vec2 fine = vec2(playedSize()) / RENDERSIZE;
  ivec2 taps = ivec2(clamp(ceil(fine - 0.01), vec2(1.0), vec2(8.0)));
  vec3 sum = vec3(0.0);
  for (int i = 0; i < taps.x * taps.y; i++) {
    vec2 offset = (vec2(i % taps.x, i / taps.x) + 0.5) / vec2(taps) - 0.5;
    sum += played(uv + offset / RENDERSIZE).rgb;
  }
  sum /= float(taps.x * taps.y);
  vec2 color = (sum.gb - neutral) * (2.0 * saturation);
  // Tape holds neither the deepest black nor the brightest white.
  float y = 0.035 + 0.93 * sum.r;
  vec3 code = vec3(y + color.y, y - 0.194 * color.x - 0.509 * color.y, y + color.x);
  vec4 before = framePixel();
  return vec4(mix(before.rgb, code, faded), before.a);
#endif
}
