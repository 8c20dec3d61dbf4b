// What transitions share: how progress advances, and reads of both pictures. The effect has the inputs startImage,
// endImage, progress and ease.
#ifndef TRANSITION_GLSL
#define TRANSITION_GLSL
#include "light.glsl"

// The menu of `ease`, in its order.
const int LINEAR = 0, EASE_IN = 1, EASE_OUT = 2, SMOOTH = 3, SNAP = 4, OVERSHOOT = 5, BOUNCE = 6;

// A ball that is let fall: each arc is half as wide as the one before.
float bounced(float p) {
  const float FIRST = 4.0 / 11.0;
  float middle = p < FIRST ? 0.0 : p < 2.0 * FIRST ? 1.5 * FIRST : p < 2.5 * FIRST ? 2.25 * FIRST : 2.625 * FIRST;
  float height = p < FIRST ? 0.0 : p < 2.0 * FIRST ? 0.75 : p < 2.5 * FIRST ? 0.9375 : 0.984375;
  return (p - middle) * (p - middle) / (FIRST * FIRST) + height;
}

// From 0 at the start to 1 at the end; only OVERSHOOT leaves this range.
float easedAt(float p, int how) {
  p = clamp(p, 0.0, 1.0);
  float q = 1.0 - p;
  if (how == EASE_IN) return p * p;
  if (how == EASE_OUT) return 1.0 - q * q;
  if (how == SMOOTH) return p * p * (3.0 - 2.0 * p);
  if (how == SNAP) return p < 0.5 ? 4.0 * p * p * p : 1.0 - 4.0 * q * q * q;
  // A step back before the way, and a step too far after it.
  if (how == OVERSHOOT) return p < 0.5 ? 2.0 * p * p * (7.0 * p - 2.5) : 1.0 - 2.0 * q * q * (7.0 * q - 2.5);
  if (how == BOUNCE) return min(bounced(p), 1.0);
  return p;
}

float eased(int how) { return easedAt(progress, how); }

// How fast the movement is in parts of its mean speed, for the length of motion blur. It is 0 at both ends, so that
// the pictures there are those of the inputs.
float easedSpeed(int how) {
  float speed = abs(easedAt(progress + 0.01, how) - easedAt(progress - 0.01, how)) * 50.0;
  return min(speed, 3.0) * clamp(10.0 * min(progress, 1.0 - progress), 0.0, 1.0);
}

// The pixel of the second picture that belongs to a pixel of the frame. With two inputs the sizes are equal.
vec4 endPixel(ivec2 p) {
  return endImageSize() == frameSize() ? endImagePixel(p) : endImage((vec2(p) + 0.5) / vec2(frameSize()));
}

// Transparent pixels give no colour.
vec4 mixed(vec4 start, vec4 end, float share) {
  float alpha = mix(start.a, end.a, share);
  vec3 color = mix(start.rgb * start.a, end.rgb * end.a, share);
  return vec4(alpha > 0.0 ? color / alpha : vec3(0.0), alpha);
}

// Light that adds up, weighted with alpha, and the way back.
vec4 lightOf(vec4 color) { return vec4(toLight(color.rgb) * color.a, color.a); }
vec4 codeOf(vec4 light) { return vec4(toCode(light.rgb / max(light.a, 1e-6)), light.a); }

// A pixel of the plane that the frame covers if it is mirrored at its edges without end.
ivec2 mirroredPixel(vec2 p) {
  vec2 size = vec2(frameSize());
  vec2 place = abs(p - 2.0 * size * floor(0.5 * p / size + 0.5));
  return ivec2(min(place, size - 0.5));
}

#endif
