/*{
  "DESCRIPTION": "The flare of a lens: ghosts, a halo, rays and a streak, from a given light or from the brightest place.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Lens", "Light"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 4, "IDENTITY": 0,
      "DESCRIPTION": "How bright the flare is"},
    {"NAME": "at", "TYPE": "point2D", "DEFAULT": [-1, -1], "MIN": [-1, -1], "MAX": [2, 2],
      "DESCRIPTION": "The light; 0/0 is the top left, 1/1 the bottom right; -1/-1 follows the brightest place"},
    {"NAME": "threshold", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How bright a place must be to be followed"},
    {"NAME": "hidden", "TYPE": "bool", "DEFAULT": false,
      "DESCRIPTION": "A given light shines only while its place is bright"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [1, 0.93, 0.82, 1], "DESCRIPTION": "The colour of the light"},
    {"NAME": "ghosts", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 4,
      "DESCRIPTION": "How bright the ghosts are, reflections on the other side of the middle"},
    {"NAME": "halo", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 4,
      "DESCRIPTION": "How bright the coloured ring is"},
    {"NAME": "rays", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 4,
      "DESCRIPTION": "How bright the star round the light is"},
    {"NAME": "streak", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 4,
      "DESCRIPTION": "How bright a blue horizontal streak is, as of anamorphic lenses"},
    {"NAME": "blades", "TYPE": "long", "DEFAULT": 6, "MIN": 3, "MAX": 12,
      "DESCRIPTION": "Blades of the aperture: corners of the ghosts and points of the star, twice as many if odd"},
    {"NAME": "size", "TYPE": "float", "DEFAULT": 1, "MIN": 0.1, "MAX": 4,
      "DESCRIPTION": "How large ghosts, halo and rays are, 1 as usual"}
  ],
  "PASSES": [
    {"TARGET": "cells", "WIDTH": "ceil(WIDTH * 24 / SIDE)", "HEIGHT": "ceil(HEIGHT * 24 / SIDE)", "FLOAT": true,
      "DESCRIPTION": "How bright each part of the frame is"},
    {"TARGET": "light", "WIDTH": 1, "HEIGHT": 1, "FLOAT": true, "PERSISTENT": true,
      "DESCRIPTION": "Place and strength of the light"},
    {"TARGET": "flare", "WIDTH": "ceil(WIDTH * min(1, 360 / SIDE))", "FLOAT": true,
      "HEIGHT": "ceil(HEIGHT * min(1, 360 / SIDE))"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "side", "VALUE": "SIDE"},
    {"NAME": "isGiven", "TYPE": "int", "VALUE": "max(at.x, at.y) > -0.999"},
    {"NAME": "sector", "VALUE": "6.283185307179586 / blades"},
    {"NAME": "spikes", "VALUE": "6.283185307179586 / (blades % 2 == 0 ? blades : 2 * blades)"}
  ]
}*/
#include "light.glsl"

#if PASSINDEX == 0
// The mean of up to 64 pixels of the part.
vec4 effect(vec2 uv) {
  vec2 pace = vec2(frameSize()) / RENDERSIZE / 8.0;
  float sum = 0.0;
  for (int y = 0; y < 8; y++) {
    for (int x = 0; x < 8; x++) {
      vec4 color = framePixel(ivec2((vec2(PIXEL * 8 + ivec2(x, y)) + 0.5) * pace));
      float bright = max(dot(color.rgb, vec3(0.3, 0.5, 0.2)) * color.a - threshold, 0.0) / max(1.0 - threshold, 0.01);
      sum += bright * bright;
    }
  }
  return vec4(sum / 64.0);
}
#elif PASSINDEX == 1
vec4 effect(vec2 uv) {
  ivec2 size = cellsSize();
  vec2 around = at * vec2(size);
  float most = 0.0;
  if (isGiven == 0) {
    // Light near the top wins if several places are as bright: lamps and the sky lie there.
    for (int y = 0; y < size.y; y++) {
      for (int x = 0; x < size.x; x++) {
        float bright = 0.0;
        for (int i = 0; i < 9; i++) bright += cellsPixel(ivec2(x + i % 3 - 1, y + i / 3 - 1)).r;
        bright *= 1.0 - 0.2 * float(y) / float(size.y);
        if (bright > most) { most = bright; around = vec2(x, y) + 0.5; }
      }
    }
  }
  // The middle of the light round this place.
  vec3 sum = vec3(0.0);
  for (int y = -4; y <= 4; y++) {
    for (int x = -4; x <= 4; x++) {
      ivec2 p = ivec2(floor(around)) + ivec2(x, y);
      if (p != clamp(p, ivec2(0), size - 1)) continue;
      float weight = cellsPixel(p).r * exp(-0.15 * float(x * x + y * y));
      sum += weight * vec3(vec2(p) + 0.5, 1.0);
    }
  }
  float strength = smoothstep(0.0, 1.0, sum.z * 0.35);
  if (isGiven == 1) return vec4(at, hidden ? strength : 1.0, 1.0);
  vec2 place = sum.z > 0.0 ? sum.xy / sum.z / vec2(size) : vec2(0.5);

  vec4 before = lightPixel(ivec2(0));
  if (before.w == 0.0 || sum.z <= 0.0 && before.z < 0.02) return vec4(place, strength, 1.0);
  // The light follows what moves, and fades out before it jumps to another place.
  bool isFar = sum.z <= 0.0 || distance(place * vec2(size), before.xy * vec2(size)) > 5.0;
  if (isFar && before.z < 0.05) return vec4(place, before.z, 1.0);
  float share = 1.0 - exp(-TIMEDELTA / 0.12);
  return vec4(isFar ? before.xy : mix(before.xy, place, share), mix(before.z, isFar ? 0.0 : strength, share), 1.0);
}
#elif PASSINDEX == 2

float bell(float x) { return exp(-x * x); }

// A reflection: how much light is here, in each colour, which the glass bends differently.
vec3 ghost(vec2 p, vec2 middle, float radius, float soft, float rim) {
  vec2 d = p - middle;
  float r = length(d);
  if (r > radius * 1.1) return vec3(0.0);
  float a = atan(d.y, d.x) + 0.3;
  // Blades are rounded.
  float t = mix(r, r * cos(a - sector * floor(a / sector + 0.5)) / cos(0.35 * sector), 0.7) / radius;
  vec3 edge = t / vec3(0.95, 0.98, 1.0);
  return smoothstep(vec3(1.0), vec3(1.0 - soft), edge) * mix(1.0, t * t * t, rim);
}

vec4 effect(vec2 uv) {
  vec4 light = lightPixel(ivec2(0));
  if (light.z * amount <= 0.0) return vec4(0.0);
  vec2 shape = vec2(frameSize()) / side;
  vec2 p = (uv - 0.5) * shape;
  vec2 sun = (light.xy - 0.5) * shape;
  vec2 d = p - sun;
  float r = length(d);
  float a = atan(d.y, d.x);
  vec3 tint = toLight(color.rgb);

  // The light itself: a core and a wide veil.
  vec3 sum = tint * (0.9 * bell(r / (0.03 * size)) + 0.25 * exp(-r / (0.1 * size)) + 0.05 * exp(-r / (0.45 * size)));

  // Points of a star, each as wide all along, between many thin rays.
  float b = a + 0.26 - spikes * floor((a + 0.26) / spikes + 0.5);
  float aside = r * sin(b);
  float star = bell(aside / (0.004 + 0.012 * r)) * exp(-r / (0.16 * size)) * float(r * cos(b) > 0.0);
  vec2 round_ = d / max(r, 1e-4);
  float fine = noise(round_ * 9.0 + 40.0) * noise(round_ * 23.0 + 70.0);
  sum += tint * rays * (0.5 * star + 1.2 * fine * fine * exp(-r / (0.12 * size)));

  // A ring of the colours of the rainbow, red outside.
  vec3 away = (r / size - vec3(0.40, 0.375, 0.35)) / vec3(0.022, 0.02, 0.024);
  sum += halo * 0.10 * tint * exp(-away * away) * (0.45 + 0.55 * noise(round_ * 3.0 + 10.0));

  if (streak > 0.0) {
    float high = abs(d.y) / (0.006 + 0.004 * exp(-abs(d.x) * 4.0));
    sum += streak * vec3(0.12, 0.35, 1.0) * (exp(-high - abs(d.x) / (0.45 * size))
      + 0.15 * exp(-high * 0.25 - abs(d.x) / 0.2));
  }

  // Ghosts lie on the line through the light and the middle, which is 0. Those of a light at the edge are cut off.
  float bright = 1.8 * ghosts * smoothstep(1.5, 0.4, length(sun));
  if (bright > 0.0) {
    vec3 g = 0.10 * vec3(0.55, 0.75, 1.0) * ghost(p, sun * 0.62, 0.028 * size, 0.2, 0.0);
    g += 0.05 * vec3(0.4, 1.0, 0.6) * ghost(p, sun * 0.35, 0.07 * size, 0.1, 0.7);
    g += 0.12 * vec3(1.0, 0.75, 0.4) * ghost(p, sun * 0.18, 0.02 * size, 0.4, 0.0);
    g += 0.06 * vec3(0.5, 0.6, 1.0) * ghost(p, sun * -0.22, 0.045 * size, 0.1, 0.3);
    g += 0.09 * vec3(1.0, 0.5, 0.25) * ghost(p, sun * -0.42, 0.03 * size, 0.3, 0.2);
    g += 0.05 * vec3(0.35, 0.9, 0.75) * ghost(p, sun * -0.6, 0.10 * size, 0.06, 0.8);
    g += 0.06 * vec3(0.9, 0.4, 0.9) * ghost(p, sun * -0.78, 0.055 * size, 0.15, 0.4);
    g += 0.045 * vec3(0.4, 0.6, 1.0) * ghost(p, sun * -1.1, 0.16 * size, 0.05, 0.85);
    g += 0.03 * vec3(1.0, 0.6, 0.3) * ghost(p, sun * -1.5, 0.24 * size, 0.4, 0.6);
    sum += bright * tint * g;
  }
  return vec4(sum * light.z * amount, 1.0);
}
#else
vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  vec3 added = flare(uv).rgb;
  // Light that is near white already takes less: highlights keep their detail.
  vec3 sum = toLight(pixel.rgb) * pixel.a;
  sum += added * (1.0 - sum * min(added, vec3(1.0)));
  // What shines over nothing is seen too.
  float alpha = max(pixel.a, min(max(added.r, max(added.g, added.b)), 1.0));
  return vec4(toCode(min(sum / max(alpha, 1e-6), vec3(1.0))), alpha);
}
#endif
