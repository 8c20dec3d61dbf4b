/*{
  "DESCRIPTION": "Blends an image or a video with the frame: multiply, screen, overlay and the other usual modes.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Mix"],
  "NEUTRAL": true,
  "INPUTS": [
    {"NAME": "image", "TYPE": "image", "OPTIONAL": false,
      "DESCRIPTION": "What lies over the frame; its own transparency counts"},
    {"NAME": "mode", "TYPE": "long", "DEFAULT": 2,
      "VALUES": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21],
      "LABELS": ["normal", "multiply", "screen", "overlay", "softLight", "hardLight", "dodge", "burn", "darken", "lighten",
        "difference", "exclusion", "add", "subtract", "linearBurn", "linearLight", "vividLight", "pinLight", "hue",
        "saturation", "color", "luminosity"],
      "DESCRIPTION": "How the two are blended; screen adds light, multiply takes it away"},
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How opaque the image is"},
    {"NAME": "fit", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2], "LABELS": ["fill", "fit", "stretch"],
      "DESCRIPTION": "fill covers the frame and cuts what does not fit, fit shows all of the image, stretch changes its shape"}
  ],
  "PASSES": [
    {"TARGET": "front", "HALF": true, "DESCRIPTION": "The image at the size of the frame"},
    {"TARGET": "tones", "HALF": true, "DESCRIPTION": "The result of the modes that take more work for each colour",
      "WIDTH": "(mode >= 3) * (mode <= 7) + (mode >= 15) * (mode <= 17) ? WIDTH : 1",
      "HEIGHT": "(mode >= 3) * (mode <= 7) + (mode >= 15) * (mode <= 17) ? HEIGHT : 1"},
    {"TARGET": "hues", "HALF": true, "DESCRIPTION": "The result of hue, saturation, color and luminosity",
      "WIDTH": "mode >= 18 ? WIDTH : 1", "HEIGHT": "mode >= 18 ? HEIGHT : 1"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "isDoubled", "VALUE": "(mode == 3) + (mode == 5) + (mode == 15) + (mode == 16) + (mode == 17)"},
    {"NAME": "isHard", "VALUE": "(mode == 3) + (mode == 5)"},
    {"NAME": "isLinear", "VALUE": "(mode == 14) + (mode == 15)"},
    {"NAME": "isSum", "VALUE": "(mode == 2) + (mode >= 9) * (mode <= 12) + isLinear"},
    {"NAME": "low1", "VALUE": "-isLinear"},
    {"NAME": "lowX", "VALUE": "isSum + (mode == 13)"},
    {"NAME": "lowT", "VALUE": "isSum + (mode == 0) - (mode == 13)"},
    {"NAME": "lowXT", "VALUE": "isHard + (mode == 1) - (mode == 2) - 2 * (mode == 11)"},
    {"NAME": "lowMin", "VALUE": "(mode == 8) + (mode == 17) - (mode == 9) - 2 * (mode == 10)"},
    {"NAME": "high1", "VALUE": "mode == 15 ? 0 : low1"},
    {"NAME": "highX", "VALUE": "lowX + isHard + (mode == 17)"},
    {"NAME": "highT", "VALUE": "lowT + isHard + (mode == 17)"},
    {"NAME": "highXT", "VALUE": "lowXT - 2 * isHard"},
    {"NAME": "highMin", "VALUE": "lowMin - 2 * (mode == 17)"},
    {"NAME": "divided", "VALUE": "(mode == 6) + (mode == 7) + (mode == 16)"},
    {"NAME": "soft", "VALUE": "mode == 4"}
  ]
}*/

vec4 picture(int which, ivec2 p) { return imagePixel(p); }
#include "nine.glsl"

#if PASSINDEX == 0
// The same as nine where no pixel of the result covers more than one: nine would give weight to these four alone.
vec4 four(vec2 p, vec2 least, vec2 most) {
  vec2 low = floor(p);
  vec2 weight = p - low;
  vec2 high = clamp(low + 1.0, least, most);
  low = clamp(low, least, most);
  vec4 above = mix(taken(0, low.x, low.y), taken(0, high.x, low.y), weight.x);
  vec4 below = mix(taken(0, low.x, high.y), taken(0, high.x, high.y), weight.x);
  return mix(above, below, weight.y);
}

// What lies over this pixel of the frame, with straight alpha.
vec4 effect(vec2 uv) {
  vec2 frame = vec2(frameSize());
  vec2 own = vec2(imageSize());
  vec2 sides = own * vec2(imagePixelAspect() / PIXELASPECT, 1.0);
  vec2 ratio = frame / sides;
  if (fit == 0) ratio = vec2(max(ratio.x, ratio.y));
  if (fit == 1) ratio = vec2(min(ratio.x, ratio.y));
  vec2 extent = sides * ratio;
  vec2 corner = 0.5 * (frame - extent);
  vec2 here = vec2(PIXEL) + 0.5;
  vec2 zoom = own / extent;
  vec2 place = (here - corner) * zoom - 0.5;
  // The sizes are numbers in the kernel's text, so that only one of the two is compiled.
  bool isSmall = all(lessThanEqual(imageSize(), frameSize()));
  vec4 color = isSmall ? four(place, vec2(0.0), own - 1.0) : nine(0, place, zoom, vec2(0.0), own - 1.0);
  // How much of this pixel the image covers.
  vec2 part = clamp(min(here + 0.5, corner + extent) - max(here - 0.5, corner), 0.0, 1.0);
  return vec4(color.rgb / max(color.a, 1e-6), color.a * amount * part.x * part.y);
}
#else

// The formulas and the way they meet transparency are those of W3C's Compositing and Blending.
vec4 together(vec4 pixel, vec4 front, vec3 blended) {
  blended = mix(front.rgb, blended, pixel.a);
  // In this form, 1 if the compiler sees that the frame is opaque.
  float alpha = 1.0 - (1.0 - front.a) * (1.0 - pixel.a);
  vec3 sum = blended * front.a + pixel.rgb * (pixel.a * (1.0 - front.a));
  return vec4(alpha > 0.0 ? sum / alpha : pixel.rgb, alpha);
}

// Software drivers compute all branches, so the modes are no branches. Most are a sum of 1, x, t, their product and the
// smaller of them, with numbers from the constants. Those that take more work have passes, whose target is a single
// pixel in all other modes.
#if PASSINDEX == 1
// Some modes have other numbers where the image is brighter than half.
vec3 toned(vec3 back, vec3 front) {
  vec3 x = mode == 3 ? front : back;
  vec3 y = mode == 3 ? back : front;
  vec3 isHigh = step(0.5, y);
  vec3 t = isDoubled > 0.0 ? 2.0 * y - isHigh : y;
  vec3 least = min(x, t);
  vec3 low = low1 + lowX * x + lowT * t + lowXT * x * t + lowMin * least;
  vec3 high = high1 + highX * x + highT * t + highXT * x * t + highMin * least;

  // Dodge divides by what is left to white; burn is the same of the negatives. vividLight burns where it is dark.
  vec3 isBurn = mode == 7 ? vec3(1.0) : mode == 16 ? 1.0 - isHigh : vec3(0.0);
  vec3 part = mix(x, 1.0 - x, isBurn);
  vec3 left = mix(1.0 - t, t, isBurn);
  vec3 quotient = min(part / max(left, 1e-6), 1.0);
  quotient = mix(quotient, 1.0 - quotient, isBurn);

  vec3 darker = x * (1.0 - x);
  vec3 curve = mix(sqrt(x), ((16.0 * x - 12.0) * x + 4.0) * x, lessThanEqual(x, vec3(0.25)));
  vec3 softened = x + (2.0 * y - 1.0) * mix(darker, curve - x, isHigh);
  return clamp(divided > 0.0 ? quotient : soft > 0.0 ? softened : mix(low, high, isHigh), 0.0, 1.0);
}

vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  vec4 above = frontPixel(PIXEL);
  return together(pixel, above, toned(pixel.rgb, above.rgb));
}
#elif PASSINDEX == 2
float lightness(vec3 c) { return dot(c, vec3(0.3, 0.59, 0.11)); }
float largest(vec3 c) { return max(c.r, max(c.g, c.b)); }
float smallest(vec3 c) { return min(c.r, min(c.g, c.b)); }

// The hue of one, the saturation and the lightness of the same or the other.
vec3 ofColors(vec3 back, vec3 front) {
  vec3 hue = mode == 18 || mode == 20 ? front : back;
  vec3 strength = mode == 18 ? back : mode == 19 ? front : hue;
  float target = lightness(mode == 21 ? front : back);
  float own = largest(hue) - smallest(hue);
  vec3 color = (hue - smallest(hue)) * ((largest(strength) - smallest(strength)) / max(own, 1e-6));
  vec3 away = color - lightness(color);
  // As far from grey as the screen allows.
  float below = target / max(-smallest(away), 1e-6);
  float above = (1.0 - target) / max(largest(away), 1e-6);
  return target + away * min(min(below, above), 1.0);
}

vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  vec4 above = frontPixel(PIXEL);
  return together(pixel, above, ofColors(pixel.rgb, above.rgb));
}
#else
vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  vec4 above = frontPixel(PIXEL);
  vec3 x = pixel.rgb, t = above.rgb;
  vec3 sum = low1 + lowX * x + lowT * t + lowXT * x * t + lowMin * min(x, t);
  vec4 simple = together(pixel, above, clamp(sum, 0.0, 1.0));
  return mode >= 18 ? huesPixel(PIXEL) : isDoubled + divided + soft > 0.0 ? tonesPixel(PIXEL) : simple;
}
#endif
#endif
