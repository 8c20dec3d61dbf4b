/*{
  "DESCRIPTION": "A tube television: curved glass, scan lines, a mask of coloured phosphors and a glow round bright things.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Retro"],
  "INPUTS": [
    {"NAME": "scanlines", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How dark it is between the lines"},
    {"NAME": "lines", "TYPE": "long", "DEFAULT": 240, "MIN": 16, "MAX": 1080,
      "DESCRIPTION": "Lines along the frame's shorter side; where they are finer than the pixels only their mean is left"},
    {"NAME": "mask", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How strong the phosphors of the mask are"},
    {"NAME": "type", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2], "LABELS": ["grille", "slot", "shadow"],
      "DESCRIPTION": "stripes from top to bottom, stripes in pieces like bricks, or dots"},
    {"NAME": "pitch", "TYPE": "float", "DEFAULT": 0.00417, "MIN": 0.002, "MAX": 0.05,
      "DESCRIPTION": "Distance of equal phosphors, as a part of the frame's shorter side"},
    {"NAME": "glow", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much light the glass scatters round bright things"},
    {"NAME": "curvature", "TYPE": "float", "DEFAULT": 0.15, "MIN": 0, "MAX": 0.5,
      "DESCRIPTION": "How round the glass is; 0 is flat"},
    {"NAME": "brightness", "TYPE": "float", "DEFAULT": 1.1, "MIN": 0.5, "MAX": 2,
      "DESCRIPTION": "Light of the tube; it already makes up for what lines and mask take away"},
    {"NAME": "shade", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How dark the corners are"},
    {"NAME": "hum", "TYPE": "float", "DEFAULT": 0.12, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How strong the wide dark bar is that wanders down"},
    {"NAME": "roll", "TYPE": "float", "DEFAULT": 0, "MIN": -4, "MAX": 4,
      "DESCRIPTION": "How many times per second the image runs through, upwards; 0 holds it"}
  ],
  "PASSES": [
    {"TARGET": "small", "FLOAT": true, "WIDTH": "clamp(ceil(WIDTH / SIDE * 60), 1, 2048)",
      "HEIGHT": "clamp(ceil(HEIGHT / SIDE * 60), 1, 2048)", "DESCRIPTION": "Light, 60 pixels along the shorter side"},
    {"TARGET": "scattered", "FLOAT": true, "WIDTH": "clamp(ceil(WIDTH / SIDE * 60), 1, 2048)",
      "HEIGHT": "clamp(ceil(HEIGHT / SIDE * 60), 1, 2048)"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "linePixels", "VALUE": "SIDE / lines"},
    {"NAME": "lineCount", "VALUE": "HEIGHT / linePixels"},
    {"NAME": "lineClear", "VALUE": "smoothstep(2, 3, linePixels) * sin(3.14159265 / linePixels) * linePixels / 3.14159265"},
    {"NAME": "pitchPixels", "VALUE": "pitch * SIDE"},
    {"NAME": "maskClear", "VALUE": "smoothstep(2, 3, pitchPixels)"},
    {"NAME": "bend", "VALUE": "curvature * 0.25"},
    {"NAME": "fit", "VALUE": "1 / (1 + bend * 0.17)"},
    {"NAME": "gain", "VALUE": "brightness / ((1 - 0.5 * scanlines) * (1 - 0.5 * mask))"},
    {"NAME": "humAt", "VALUE": "fract(TIME * 0.13)"},
    {"NAME": "rolled", "VALUE": "fract(TIME * roll)"}
  ]
}*/

#include "light.glsl"

// A wave, 1 where x is whole. Waves have no higher tones that would make moire with the pixels.
vec3 wave(vec3 x) { return cos(fract(x) * 6.2831853); }

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  vec3 sum = vec3(0.0);
  for (int i = 0; i < 16; i++) {
    vec2 at = uv + (vec2(i & 3, i >> 2) - 1.5) * 0.25 / RENDERSIZE;
    vec4 color = framePixel(ivec2(at * vec2(frameSize())));
    sum += toLight(color.rgb) * color.a;
  }
  return vec4(sum * 0.0625, 1.0);
#elif PASSINDEX == 1
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 49; i++) {
    vec2 offset = vec2(i % 7, i / 7) - 3.0;
    float weight = exp(-dot(offset, offset) * 0.22);
    sum += vec4(smallPixel(PIXEL + ivec2(offset)).rgb, 1.0) * weight;
  }
  return sum / sum.a;
#else
  // From -1 to 1: each axis bulges where the other is far from the middle.
  vec2 screen = uv * 2.0 - 1.0;
  vec2 square = screen * screen;
  vec2 bent = screen * (1.0 + bend * square.yx) * fit;
  vec2 at = bent * 0.5 + 0.5;
  vec2 shown = vec2(at.x, roll == 0.0 ? at.y : fract(at.y + rolled));
  vec4 color = frame(shown);
  vec3 light = mix(toLight(color.rgb), scattered(shown).rgb, 0.5 * glow);
  light += scattered(shown).rgb * glow * 0.35 * (1.0 - light);

  // A bright beam is wider and leaves less dark; the less there is to lose, the less is made up for.
  float beam = luminance(light);
  light *= mix(gain, min(gain, 1.0 + 0.5 * (brightness - 1.0)), smoothstep(0.0, 1.0, beam));
  float lineWave = cos(fract(at.y * lineCount) * 6.2831853) * -lineClear;
  light *= 1.0 - scanlines * (0.5 - 0.5 * lineWave) * (1.0 - 0.6 * sqrt(beam));

  vec2 triads = (vec2(PIXEL) + 0.5) / pitchPixels;
  float row = 0.0;
  if (type == 1) row = cos(fract(triads.y * 0.5 + 0.5 * float(int(triads.x) & 1)) * 6.2831853);
  if (type == 2) {
    triads.x += 0.5 * float(int(triads.y * 1.1547) & 1);
    row = cos(fract(triads.y * 1.1547 + 0.5) * 6.2831853);
  }
  vec3 phosphor = wave(triads.x - vec3(1.0, 3.0, 5.0) / 6.0);
  if (type != 0) phosphor = phosphor * 0.75 + row * 0.5;
  light *= 1.0 - mask * (0.5 - 0.5 * phosphor * maskClear) * (1.0 - 0.5 * sqrt(beam));

  light *= 1.0 - shade * 0.5 * dot(square, square.yx + 0.3);
  float bar = fract(at.y - humAt);
  light *= 1.0 - hum * smoothstep(0.0, 0.25, bar) * (1.0 - smoothstep(0.25, 0.5, bar));
  // Glass ends softly; where the image rolls, a dark bar lies between its end and its beginning.
  vec2 inside = clamp((1.0 - abs(bent)) * min(RENDERSIZE.x, RENDERSIZE.y) * 0.25 + 0.5, 0.0, 1.0);
  light *= inside.x * inside.y;
  if (roll != 0.0) light *= smoothstep(0.02, 0.03, abs(fract(at.y + rolled + 0.5) - 0.5));
  return vec4(min(toCode(light), vec3(1.0)), color.a);
#endif
}
