/*{
  "DESCRIPTION": "Warm light leaks into the camera and wanders over the film; at times the film burns through.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Film", "Light"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.8, "MIN": 0, "MAX": 2, "IDENTITY": 0,
      "DESCRIPTION": "How bright the leaks are"},
    {"NAME": "burn", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How often the film burns through from a side; 1 nearly all the time"},
    {"NAME": "speed", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 10,
      "DESCRIPTION": "How fast they change, 1 as usual"},
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0.1, "MAX": 2,
      "DESCRIPTION": "How far they reach from the edges, as a part of the frame's shorter side"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [1, 0.42, 0.1, 1], "DESCRIPTION": "The colour of most of the light"},
    {"NAME": "second", "TYPE": "color", "DEFAULT": [0.95, 0.12, 0.3, 1],
      "DESCRIPTION": "The colour of its outer parts"},
    {"NAME": "fade", "TYPE": "float", "DEFAULT": 0.15, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much the stray light lifts the dark parts of the whole frame"},
    {"NAME": "seed", "TYPE": "long", "DEFAULT": 0, "MIN": 0, "MAX": 1000, "DESCRIPTION": "Other leaks for each number"}
  ],
  "PASSES": [
    {"TARGET": "leaks", "WIDTH": "ceil(WIDTH * min(1, 108 / SIDE))", "FLOAT": true,
      "HEIGHT": "ceil(HEIGHT * min(1, 108 / SIDE))",
      "DESCRIPTION": "The light alone, and how much of the film it takes: it is soft"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "side", "VALUE": "SIDE"},
    {"NAME": "now", "VALUE": "TIME * speed * 0.35"},
    {"NAME": "salt", "VALUE": "seed * 7.31"},
    {"NAME": "gate", "VALUE": "smoothstep(0, 0.15, fract(now * 0.5)) * smoothstep(1, 0.85, fract(now * 0.5))"},
    {"NAME": "one", "VALUE": "smoothstep(0.25, 0.75, noise(now * 1.1, 3, seed))"},
    {"NAME": "two", "VALUE": "smoothstep(0.35, 0.8, noise(now * 1.3, 17, seed))"},
    {"NAME": "three", "VALUE": "gate * smoothstep(0.4, 0.85, noise(now * 0.9, 31, seed))"},
    {"NAME": "wander", "VALUE": "noise(now * 0.6, 47, seed)"},
    {"NAME": "burst",
      "VALUE": "burn <= 0 ? 0 : gate * smoothstep(0.92 - 0.75 * burn, 1.12 - 0.6 * burn, noise(now * 2.2, 61, seed))"},
    {"NAME": "flicker", "VALUE": "0.9 + 0.1 * noise(TIME * 9, 71, seed)"},
    {"NAME": "turn", "VALUE": "hash(floor(now * 0.5) + seed * 13)"}
  ]
}*/
#include "light.glsl"

#if PASSINDEX == 0
// Smooth noise of three sizes, from 0 to 1.
float cloud(vec2 p, float z) {
  return 0.55 * noise(vec3(p, z)) + 0.3 * noise(vec3(p * 2.1 + 19.0, z * 1.3))
    + 0.15 * noise(vec3(p * 4.3 + 37.0, z * 1.7));
}

// Light of a strength from 0: dark at its border, then the second colour, the first, yellow, and white inside.
vec3 heat(float s) {
  vec3 outer = toLight(second.rgb), inner = toLight(color.rgb);
  vec3 c = outer * smoothstep(0.0, 0.45, s);
  c = mix(c, inner * 1.1, smoothstep(0.25, 0.75, s));
  c = mix(c, inner * 0.6 + vec3(0.9, 0.62, 0.2), smoothstep(0.7, 1.15, s));
  return mix(c, vec3(1.5, 1.3, 1.05), smoothstep(1.1, 1.7, s));
}

vec4 effect(vec2 uv) {
  vec2 shape = vec2(frameSize()) / side;
  vec2 p = uv * shape;
  // The noise bends itself, so that no grid is seen in it.
  vec2 bent = p + 0.35 * (vec2(cloud(p * 0.9 + salt, now), cloud(p * 0.9 + 71.0 - salt, now)) - 0.5);
  float soft = cloud(bent * 1.4 + vec2(now * 0.5, salt), now * 0.8);

  // `turn` chooses other edges while nothing is there (`gate`).
  // Two bodies of light at the sides and one at the top or the bottom wander along their edges.
  float left = bent.x, right = shape.x - bent.x;
  float ends = turn > 0.5 ? bent.y : shape.y - bent.y;
  float a = one * exp(-pow(left / (size * (0.45 + 0.5 * soft)), 2.0))
    * (0.35 + 0.65 * exp(-pow((bent.y - shape.y * (wander * 1.4 - 0.2)) / (0.55 * shape.y), 2.0)));
  float b = two * exp(-pow(right / (size * (0.3 + 0.6 * soft)), 2.0))
    * (0.35 + 0.65 * exp(-pow((bent.y - shape.y * (1.2 - 1.4 * wander)) / (0.5 * shape.y), 2.0)));
  float c = three * exp(-pow(ends / (size * (0.25 + 0.4 * soft)), 2.0))
    * exp(-pow((bent.x - shape.x * (0.15 + 0.7 * wander)) / (0.45 * shape.x), 2.0));
  float strength = (a + b + c) * (0.55 + 0.9 * soft) * flicker * 1.15;
  vec3 light = heat(strength);

  // A gap in the shutter: a narrow veil that crosses the frame now and then.
  float beam = (bent.x - shape.x * (1.6 * fract(now * 0.23 + 0.37) - 0.3)) / (0.16 * size);
  light += 0.3 * two * one * toLight(color.rgb) * exp(-beam * beam) * (0.5 + soft);

  // The burn has an edge of fire; behind it the film is gone.
  if (burst > 0.0) {
    float from = turn < 0.25 ? p.x : turn < 0.5 ? shape.x - p.x : turn < 0.75 ? p.y : shape.y - p.y;
    float edge = cloud(p * 2.6 + salt, now * 5.0) * 0.8 + cloud(p * 7.0 + salt, now * 9.0) * 0.25;
    float depth = burst * (0.9 * size + 0.35) - from - edge * 0.55 + 0.22;
    light += heat(1.9 * smoothstep(-0.22, 0.28, depth)) * burst * 1.2;
  }
  // Stray light spreads over the whole frame too. However much light there is, the film takes no more than white.
  vec3 added = amount * (light + fade * (0.02 + 0.05 * strength) * toLight(color.rgb));
  return vec4(1.0 - exp(-1.3 * added), 1.0);
}
#else
vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  vec3 added = leaks(uv).rgb;
  vec3 sum = toLight(pixel.rgb) * pixel.a;
  sum += added * (1.0 - sum);
  float alpha = max(pixel.a, max(added.r, max(added.g, added.b)));
  return vec4(toCode(min(sum / max(alpha, 1e-6), vec3(1.0))), alpha);
}
#endif
