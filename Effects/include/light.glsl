// Blurs and light add up as light does, not as its codes. BT.709 codes are close to the square root
// of the scene's light (1.099 L^0.45 - 0.099 is within 0.06 of it): a square undoes them, and the
// way back is exact.
#ifndef LIGHT_GLSL
#define LIGHT_GLSL

vec3 toLight(vec3 code) { return code * code; }
vec3 toCode(vec3 light) { return sqrt(max(light, vec3(0.0))); }

float luminance(vec3 light) { return dot(light, vec3(0.2126, 0.7152, 0.0722)); }

#endif
