/*{
  "DESCRIPTION": "Analogue television through a composite cable, where brightness and colour share one signal.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Retro", "Glitch"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.7, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much of the colour's wave stays in the brightness: dots that crawl"},
    {"NAME": "rainbow", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much fine detail turns into false colours"},
    {"NAME": "delay", "TYPE": "float", "DEFAULT": 0.005, "MIN": -0.05, "MAX": 0.05,
      "DESCRIPTION": "How far colours lie to the right of their things, as a part of the frame's shorter side"},
    {"NAME": "snow", "TYPE": "float", "DEFAULT": 0.12, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Noise in the signal, seen as grain and as coloured streaks"},
    {"NAME": "ringing", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 2,
      "DESCRIPTION": "How strong the receiver sharpens, with lines beside edges"},
    {"NAME": "jitter", "TYPE": "float", "DEFAULT": 0.0008, "MIN": 0, "MAX": 0.05,
      "DESCRIPTION": "How far lines tremble sideways, as a part of the frame's shorter side"},
    {"NAME": "hue", "TYPE": "float", "DEFAULT": 0, "MIN": -180, "MAX": 180,
      "DESCRIPTION": "How far the colours are turned, in degrees"},
    {"NAME": "saturation", "TYPE": "float", "DEFAULT": 1.1, "MIN": 0, "MAX": 2,
      "DESCRIPTION": "Strength of the colours"},
    {"NAME": "receiver", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1], "LABELS": ["notch", "comb"],
      "DESCRIPTION": "How colour is told from detail: by its frequency, or as later by the line above"},
    {"NAME": "lines", "TYPE": "long", "DEFAULT": 360, "MIN": 60, "MAX": 576,
      "DESCRIPTION": "Lines of the signal along the frame's shorter side, whatever its size; television had 480"}
  ],
  "PASSES": [
    {"TARGET": "signal", "FLOAT": true, "WIDTH": "clamp(ceil(WIDTH / SIDE * lines * 0.221), 1, 1024)",
      "HEIGHT": "clamp(round(HEIGHT / SIDE * lines), 1, 4096)", "DESCRIPTION": "Four samples of a line in each pixel"},
    {"TARGET": "picture", "WIDTH": "clamp(ceil(WIDTH / SIDE * lines * 0.221), 1, 1024) * 4",
      "HEIGHT": "clamp(round(HEIGHT / SIDE * lines), 1, 4096)", "DESCRIPTION": "What the receiver makes of it"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "tick", "TYPE": "int", "VALUE": "mod(floor(TIME * 30 + 0.01), 1048576)"},
    {"NAME": "delayed", "VALUE": "delay * SIDE"},
    {"NAME": "trembling", "VALUE": "jitter * SIDE"},
    {"NAME": "turnX", "VALUE": "cos(hue * 0.017453292519943295) * saturation"},
    {"NAME": "turnY", "VALUE": "sin(hue * 0.017453292519943295) * saturation"}
  ]
}*/

// Brightness and the two differences of colour that are modulated on the subcarrier.
vec3 toSignals(vec3 code) {
  float y = dot(code, vec3(0.299, 0.587, 0.114));
  return vec3(y, 0.492 * (code.b - y), 0.877 * (code.r - y));
}

// The subcarrier has four samples, so its waves are 0, 1, 0, -1; each line and each frame begins half a wave later.
float phase(int line) { return ((line + tick) & 1) == 0 ? 1.0 : -1.0; }

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  float column = 0.25 / RENDERSIZE.x;
  float aside = hash(ivec2(PIXEL.y, tick)) + noise(vec2(float(PIXEL.y) * 0.03, float(tick & 1023))) - 1.0;
  aside *= trembling / float(frameSize().x);
  // Eight samples, because the filters need two more on each side than the four.
  vec3 samples[8];
  for (int i = 0; i < 8; i++) {
    vec2 at = uv + vec2((float(i) - 3.5) * column + aside, 0.0);
    vec3 here = toSignals(frame(at).rgb);
    samples[i] = vec3(here.x, toSignals(frame(at - vec2(delayed / float(frameSize().x), 0.0)).rgb).yz);
  }
  vec4 wave;
  for (int i = 0; i < 4; i++) {
    // This mean has nothing left of waves of four samples.
    vec3 soft = (samples[i] + samples[i + 4]) * 0.125 + (samples[i + 1] + samples[i + 2] + samples[i + 3]) * 0.25;
    float y = mix(soft.x, samples[i + 2].x, rainbow);
    float carried = (i & 1) == 0 ? soft.y : soft.z;
    wave[i] = y + carried * (i < 2 ? 1.0 : -1.0) * phase(PIXEL.y);
    float grain = hash(ivec3(PIXEL.x * 4 + i, PIXEL.y, tick)) + hash(ivec3(PIXEL.x * 4 + i, PIXEL.y, ~tick)) - 1.0;
    wave[i] += grain * snow * 0.5;
  }
  return wave;
#elif PASSINDEX == 1
  int block = PIXEL.x >> 2;
  int part = PIXEL.x & 3;
  float y = 0.0;
  float low = 0.0;
  float combed = 0.0;
  int above = PIXEL.y == 0 ? min(1, signalSize().y - 1) : PIXEL.y - 1;
  vec2 color = vec2(0.0);
  vec2 total = vec2(0.0);
  for (int k = -2; k <= 2; k++) {
    vec4 wave = signalPixel(ivec2(clamp(block + k, 0, signalSize().x - 1), PIXEL.y));
    vec4 from = (vec4(0.0, 1.0, 2.0, 3.0) + float(4 * k - part)) * (1.0 / 9.5);
    vec4 weight = max(1.0 - from * from, vec4(0.0));
    weight *= weight;
    total += vec2(weight.x + weight.z, weight.y + weight.w);
    if (k == 0) y = wave[part];
    low += dot(weight, wave);
    // The colour's wave is turned over in the line above, and detail mostly is not.
    if (receiver == 1) wave = 0.5 * (wave - signalPixel(ivec2(clamp(block + k, 0, signalSize().x - 1), above)));
    if (k == 0) combed = wave[part];
    color += vec2(weight.x * wave.x - weight.z * wave.z, weight.y * wave.y - weight.w * wave.w);
  }
  color *= phase(PIXEL.y) / total;
  // What was found of the colour is taken out of the brightness again.
  float carried = ((part & 1) == 0 ? color.x : color.y) * (part < 2 ? 1.0 : -1.0) * phase(PIXEL.y);
  if (receiver == 1) carried = combed;
  float clean = y - carried;
  y = clean + 0.4 * amount * carried + 0.4 * ringing * (clean - low / (total.x + total.y));
  color = mat2(turnX, turnY, -turnY, turnX) * color;
  return vec4(y + color.y / 0.877, y - 0.395 * color.x - 0.581 * color.y, y + color.x / 0.492, 1.0);
#else
  vec2 fine = vec2(pictureSize()) / RENDERSIZE;
  ivec2 taps = ivec2(clamp(ceil(fine - 0.01), vec2(1.0), vec2(8.0)));
  vec3 sum = vec3(0.0);
  for (int i = 0; i < taps.x * taps.y; i++) {
    vec2 offset = (vec2(i % taps.x, i / taps.x) + 0.5) / vec2(taps) - 0.5;
    sum += picture(uv + offset / RENDERSIZE).rgb;
  }
  return vec4(sum / float(taps.x * taps.y), framePixel().a);
#endif
}
