// How bright a colour looks, from its codes (not linear light): BT.709's luma.
#ifndef LUMA_GLSL
#define LUMA_GLSL

float luma(vec3 code) { return dot(code, vec3(0.2126, 0.7152, 0.0722)); }

#endif
