// Oklab: a space in which equal distances look about equally large. Lightness is x; y and z are the colour, grey is 0.
// Its numbers are those of Björn Ottosson's definition, on the light of light.glsl.
#ifndef OKLAB_GLSL
#define OKLAB_GLSL
#include "light.glsl"

// The number of a float's bits is about its logarithm: a third of it, and one step of Halley's method, give the root
// within 0.003 %. pow() takes a logarithm and an exponential.
vec3 cubeRoot(vec3 x) {
  vec3 root = intBitsToFloat(ivec3(vec3(floatBitsToInt(x)) * (1.0 / 3.0) + 709921077.0));
  vec3 cube = root * root * root;
  return root * (cube + 2.0 * x) / (2.0 * cube + x);
}

vec3 toOklab(vec3 code) {
  vec3 light = toLight(code);
  vec3 cones = mat3(
    0.4122214708, 0.2119034982, 0.0883024619, 0.5363325363, 0.6806995451, 0.2817188376, 0.0514459929, 0.1073969566,
    0.6299787005) * light;
  cones = cubeRoot(max(cones, 1e-9));
  return mat3(
    0.2104542553, 1.9779984951, 0.0259040371, 0.7936177850, -2.4285922050, 0.7827717662, -0.0040720468, 0.4505937099,
    -0.8086757660) * cones;
}

// The code of a colour. What a screen cannot show becomes paler until it can: its lightness and its hue stay.
vec3 fromOklab(vec3 lab) {
  vec3 cones = lab.x + mat2x3(0.3963377774, -0.1055613458, -0.0894841775, 0.2158037573, -0.0638541728, -1.2914855480)
    * lab.yz;
  cones *= cones * cones;
  vec3 light = mat3(
    4.0767416621, -1.2684380046, -0.0041960863, -3.3077115913, 2.6097574011, -0.7034186147, 0.2309699292,
    -0.3413193965, 1.7076147010) * cones;
  float grey = clamp(lab.x * lab.x * lab.x, 0.0, 1.0);
  vec3 away = light - grey;
  float below = grey / max(-min(away.r, min(away.g, away.b)), 1e-6);
  float above = (1.0 - grey) / max(max(away.r, max(away.g, away.b)), 1e-6);
  return toCode(grey + away * min(min(below, above), 1.0));
}

#endif
