/*{
  "DESCRIPTION": "Leaves a band in focus and blurs the rest, so that a view looks like a model.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Blur", "Lens"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.015, "MIN": 0, "MAX": 0.06, "IDENTITY": 0, "ALIASES": ["blur"],
      "DESCRIPTION": "Radius of the blur at its largest, as a part of the frame's shorter side"},
    {"NAME": "focus", "TYPE": "point2D", "DEFAULT": [0.5, 0.55], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The middle of the band; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 0, "MIN": -180, "MAX": 180,
      "DESCRIPTION": "Its direction in degrees, clockwise from the right: 0 is level, 90 upright"},
    {"NAME": "band", "TYPE": "float", "DEFAULT": 0.2, "MIN": 0, "MAX": 2,
      "DESCRIPTION": "Its width, as a part of the frame's shorter side"},
    {"NAME": "falloff", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0.01, "MAX": 2,
      "DESCRIPTION": "Over what distance the blur grows, as a part of the frame's shorter side"},
    {"NAME": "vivid", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much more colourful the image is, like painted models"}
  ],
  "PASSES": [
    {"TARGET": "fine", "FLOAT": true, "DESCRIPTION": "Light in 360 rows",
      "WIDTH": "ceil(WIDTH / max(1, SIDE/360))", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/360))"},
    {"TARGET": "coarse", "FLOAT": true, "DESCRIPTION": "And in 180",
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180))", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180))"},
    {"TARGET": "dotted", "FLOAT": true, "DESCRIPTION": "Each pixel blurred as far as it needs, with few points",
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180))", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180))"},
    {"TARGET": "soft", "FLOAT": true, "DESCRIPTION": "The points made one disc",
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180))", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180))"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "normalX", "VALUE": "-sin(angle * 3.141592653589793 / 180)"},
    {"NAME": "normalY", "VALUE": "cos(angle * 3.141592653589793 / 180)"},
    {"NAME": "sidesX", "VALUE": "WIDTH / SIDE"},
    {"NAME": "sidesY", "VALUE": "HEIGHT / SIDE"},
    {"NAME": "fineCell", "VALUE": "max(1, SIDE/360)"},
    {"NAME": "cell", "VALUE": "max(1, SIDE/180)"},
    {"NAME": "reads", "TYPE": "int", "VALUE": "ceil(fineCell)"},
    {"NAME": "fineRadius", "VALUE": "2 * sqrt((fineCell*fineCell - 1)/12 + (fineCell > 1 ? fineCell*fineCell/6 : 0))"},
    {"NAME": "known", "VALUE": "4 * ((fineCell*fineCell - 1)/12 + 0.1875*cell*cell + (cell > 1 ? cell*cell/6 : 0))"},
    {"NAME": "softRadius", "VALUE": "sqrt(known + 0.5*cell*cell)"}
  ]
}*/
#include "gather.glsl"

// A wide blur has no fine detail: the discs are gathered in a small picture, from 26 points in a disc and then from 9 in
// the small disc that each of these stands for. What being small blurs by itself, as the square of a radius, is known,
// and is taken off the disc's. Narrow blurs lie between the frame, 360 rows of it and the
// narrowest disc.
// A turn by the golden angle, 137.5 degrees: points on a spiral that fill a disc evenly.
const mat2 GOLDEN = mat2(-0.7373688781, 0.6754902943, -0.6754902943, -0.7373688781);

float radiusAt(vec2 uv) {
  float away = abs(dot((uv - focus) * vec2(sidesX, sidesY), vec2(normalX, normalY))) - 0.5 * band;
  return amount * min(float(frameSize().x), float(frameSize().y)) * smoothstep(0.0, falloff, away);
}

// How far the square of a radius lies between the squares of two others.
float between(float radius, float from, float to) {
  return clamp((radius * radius - from * from) / max(to * to - from * from, 1.0e-6), 0.0, 1.0);
}

vec4 effect(vec2 uv) {
  vec4 sum = vec4(0.0);
#if PASSINDEX == 0
  for (int y = 0; y < reads; y++) {
    for (int x = 0; x < reads; x++) {
      sum += gathered(ivec2(floor((vec2(PIXEL) + (vec2(x, y) + 0.5) / float(reads)) * fineCell)));
    }
  }
  return sum / float(reads * reads);
#elif PASSINDEX == 1
  // Squares that overlap by half keep a small light steady as it moves.
  const float WEIGHTS[4] = float[4](0.125, 0.375, 0.375, 0.125);
  for (int y = 0; y < 4; y++) {
    for (int x = 0; x < 4; x++) {
      vec2 place = (vec2(PIXEL) + 0.5 + (vec2(x, y) - 1.5) * 0.5) * (cell / fineCell);
      sum += WEIGHTS[x] * WEIGHTS[y] * finePixel(ivec2(floor(place)));
    }
  }
  return sum;
#elif PASSINDEX == 2 || PASSINDEX == 3
  float radius = radiusAt((vec2(PIXEL) + 0.5) * cell / vec2(frameSize()));
  radius = sqrt(max(radius * radius - known, 0.5 * cell * cell)) / cell;
  // Small discs have few pixels.
#if PASSINDEX == 2
  float taps = floor(min(26.0, 5.0 + 3.0 * radius * radius));
  radius *= radius > 3.0 ? 0.93 : 1.0;
#else
  float taps = radius > 3.0 ? 9.0 : 1.0;
  radius *= 0.37;
#endif
  vec2 direction = vec2(radius, 0.0);
  for (float i = 0.5; i < taps; i += 1.0) {
    direction = GOLDEN * direction;
    ivec2 p = PIXEL + ivec2(floor(direction * (taps > 1.0 ? sqrt(i / taps) : 0.0) + 0.5));
#if PASSINDEX == 2
    sum += coarsePixel(p);
#else
    sum += dottedPixel(p);
#endif
  }
  return sum / taps;
#else
  float radius = radiusAt(uv);
  vec4 color = framePixel();
  vec4 near = vec4(toLight(color.rgb) * color.a, color.a);
  near = mix(near, fine((vec2(PIXEL) + 0.5) / fineCell / vec2(fineSize())), between(radius, 0.0, fineRadius));
  near = mix(near, soft((vec2(PIXEL) + 0.5) / cell / vec2(softSize())), between(radius, fineRadius, softRadius));
  color = radius < 0.3 ? color : colorOf(near);
  float luma = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
  return vec4(color.rgb + vivid * (color.rgb - luma), color.a);
#endif
}
