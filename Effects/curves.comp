/*{
  "DESCRIPTION": "Bends the tones with smooth curves: one for all colours, and one each for red, green and blue.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Color"],
  "INPUTS": [
    {"NAME": "preset", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2, 3, 4, 5, 6, 7, 8], "IDENTITY": 0,
      "LABELS": ["none", "contrast", "strongContrast", "faded", "crossProcess", "vintage", "lighter", "darker", "cinema"],
      "DESCRIPTION": "Ready-made curves; the values below are added to them"},
    {"NAME": "shadows", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "How much brighter black becomes, or darker below 0"},
    {"NAME": "darks", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "The same for dark tones, a quarter of the way to white"},
    {"NAME": "mids", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "The same for middle grey"},
    {"NAME": "lights", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "The same for light tones, three quarters of the way"},
    {"NAME": "highlights", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "The same for white"},
    {"NAME": "redShadows", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "How much red is added to black"},
    {"NAME": "redMids", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "How much red is added to middle grey"},
    {"NAME": "redHighlights", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "How much red is added to white"},
    {"NAME": "greenShadows", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "How much green is added to black"},
    {"NAME": "greenMids", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "How much green is added to middle grey"},
    {"NAME": "greenHighlights", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "How much green is added to white"},
    {"NAME": "blueShadows", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "How much blue is added to black"},
    {"NAME": "blueMids", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "How much blue is added to middle grey"},
    {"NAME": "blueHighlights", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "How much blue is added to white"},
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much of the change is made"}
  ],
  "CONSTANTS": [
    {"NAME": "all0", "VALUE": "0 + shadows - 0.04*(preset == 2) + 0.12*(preset == 3) + 0.05*(preset == 5)"},
    {"NAME": "all1", "VALUE":
      "max(0.25 + darks - 0.05*(preset == 1) - 0.11*(preset == 2) + 0.05*(preset == 3) - 0.03*(preset == 4) + 0.06*(preset == 6) - 0.06*(preset == 7) - 0.04*(preset == 8), all0)"},
    {"NAME": "all2", "VALUE":
      "max(0.5 + mids + 0.01*(preset == 3) + 0.01*(preset == 4) + 0.02*(preset == 5) + 0.09*(preset == 6) - 0.09*(preset == 7), all1)"},
    {"NAME": "all3", "VALUE":
      "max(0.75 + lights + 0.05*(preset == 1) + 0.11*(preset == 2) - 0.02*(preset == 3) + 0.04*(preset == 4) + 0.01*(preset == 5) + 0.06*(preset == 6) - 0.06*(preset == 7) + 0.03*(preset == 8), all2)"},
    {"NAME": "all4", "VALUE":
      "max(1 + highlights + 0.02*(preset == 2) - 0.09*(preset == 3) - 0.04*(preset == 5), all3)"},
    {"NAME": "allRise0", "VALUE": "(all1 - all0)*4"},
    {"NAME": "allRise1", "VALUE": "(all2 - all1)*4"},
    {"NAME": "allRise2", "VALUE": "(all3 - all2)*4"},
    {"NAME": "allRise3", "VALUE": "(all4 - all3)*4"},
    {"NAME": "allSlope0", "VALUE": "allRise0"},
    {"NAME": "allSlope1", "VALUE": "2*allRise0*allRise1 / max(allRise0 + allRise1, 0.000001)"},
    {"NAME": "allSlope2", "VALUE": "2*allRise1*allRise2 / max(allRise1 + allRise2, 0.000001)"},
    {"NAME": "allSlope3", "VALUE": "2*allRise2*allRise3 / max(allRise2 + allRise3, 0.000001)"},
    {"NAME": "allSlope4", "VALUE": "allRise3"},
    {"NAME": "red0", "VALUE": "0 + redShadows - 0.08*(preset == 4) + 0.05*(preset == 5) - 0.04*(preset == 8)"},
    {"NAME": "red1", "VALUE":
      "max(0.5 + redMids + 0.04*(preset == 4) + 0.04*(preset == 5) + 0.02*(preset == 8), red0)"},
    {"NAME": "red2", "VALUE": "max(1 + redHighlights + 0.04*(preset == 4) + 0.06*(preset == 8), red1)"},
    {"NAME": "redRise0", "VALUE": "(red1 - red0)*2"},
    {"NAME": "redRise1", "VALUE": "(red2 - red1)*2"},
    {"NAME": "redSlope0", "VALUE": "redRise0"},
    {"NAME": "redSlope1", "VALUE": "2*redRise0*redRise1 / max(redRise0 + redRise1, 0.000001)"},
    {"NAME": "redSlope2", "VALUE": "redRise1"},
    {"NAME": "green0", "VALUE": "0 + greenShadows - 0.02*(preset == 4) + 0.01*(preset == 8)"},
    {"NAME": "green1", "VALUE": "max(0.5 + greenMids + 0.06*(preset == 4) + 0.01*(preset == 5), green0)"},
    {"NAME": "green2", "VALUE":
      "max(1 + greenHighlights + 0.03*(preset == 4) - 0.03*(preset == 5) + 0.01*(preset == 8), green1)"},
    {"NAME": "greenRise0", "VALUE": "(green1 - green0)*2"},
    {"NAME": "greenRise1", "VALUE": "(green2 - green1)*2"},
    {"NAME": "greenSlope0", "VALUE": "greenRise0"},
    {"NAME": "greenSlope1", "VALUE": "2*greenRise0*greenRise1 / max(greenRise0 + greenRise1, 0.000001)"},
    {"NAME": "greenSlope2", "VALUE": "greenRise1"},
    {"NAME": "blue0", "VALUE":
      "0 + blueShadows + 0.03*(preset == 3) + 0.14*(preset == 4) + 0.07*(preset == 5) + 0.07*(preset == 8)"},
    {"NAME": "blue1", "VALUE": "max(0.5 + blueMids - 0.03*(preset == 5) - 0.01*(preset == 8), blue0)"},
    {"NAME": "blue2", "VALUE":
      "max(1 + blueHighlights - 0.02*(preset == 3) - 0.16*(preset == 4) - 0.15*(preset == 5) - 0.09*(preset == 8), blue1)"},
    {"NAME": "blueRise0", "VALUE": "(blue1 - blue0)*2"},
    {"NAME": "blueRise1", "VALUE": "(blue2 - blue1)*2"},
    {"NAME": "blueSlope0", "VALUE": "blueRise0"},
    {"NAME": "blueSlope1", "VALUE": "2*blueRise0*blueRise1 / max(blueRise0 + blueRise1, 0.000001)"},
    {"NAME": "blueSlope2", "VALUE": "blueRise1"}
  ]
}*/

// From point to point a curve is a cubic whose slope there is the harmonic mean of the rises on both sides (Fritsch and
// Butland), so that it is smooth and never turns back. The points never fall.
vec3 cubic(vec3 x, vec3 y0, vec3 y1, vec3 slope0, vec3 slope1) {
  vec3 rise = y1 - y0;
  return y0 + x * (slope0 + x * (3.0 * rise - 2.0 * slope0 - slope1 + x * (slope0 + slope1 - 2.0 * rise)));
}

vec3 master(vec3 tone) {
  vec3 x = clamp(tone, 0.0, 1.0) * 4.0;
  vec3 part = min(floor(x), 3.0);
  bvec3 second = greaterThan(part, vec3(0.5));
  bvec3 third = greaterThan(part, vec3(1.5));
  bvec3 last = greaterThan(part, vec3(2.5));
  vec3 y0 = mix(mix(mix(vec3(all0), vec3(all1), second), vec3(all2), third), vec3(all3), last);
  vec3 y1 = mix(mix(mix(vec3(all1), vec3(all2), second), vec3(all3), third), vec3(all4), last);
  vec3 from = mix(mix(mix(vec3(allSlope0), vec3(allSlope1), second), vec3(allSlope2), third), vec3(allSlope3), last);
  vec3 to = mix(mix(mix(vec3(allSlope1), vec3(allSlope2), second), vec3(allSlope3), third), vec3(allSlope4), last);
  return cubic(x - part, y0, y1, from * 0.25, to * 0.25);
}

vec3 channels(vec3 tone) {
  vec3 x = clamp(tone, 0.0, 1.0) * 2.0;
  bvec3 upper = greaterThanEqual(x, vec3(1.0));
  vec3 middle = vec3(red1, green1, blue1);
  vec3 slope = vec3(redSlope1, greenSlope1, blueSlope1);
  vec3 y0 = mix(vec3(red0, green0, blue0), middle, upper);
  vec3 y1 = mix(middle, vec3(red2, green2, blue2), upper);
  vec3 from = mix(vec3(redSlope0, greenSlope0, blueSlope0), slope, upper);
  vec3 to = mix(slope, vec3(redSlope2, greenSlope2, blueSlope2), upper);
  return cubic(x - vec3(upper), y0, y1, from * 0.5, to * 0.5);
}

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  vec3 bent = clamp(channels(master(color.rgb)), 0.0, 1.0);
  return vec4(mix(color.rgb, bent, amount), color.a);
}
