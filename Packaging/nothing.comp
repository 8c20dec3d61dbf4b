/*{"DESCRIPTION": "Every pixel as it is."}*/
vec4 effect(vec2 uv) { return framePixel(PIXEL); }
