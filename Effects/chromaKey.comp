/*{
  "DESCRIPTION": "Replaces a green screen with an image, a colour or nothing.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Keying"],
  "ALPHA": "color",
  "INPUTS": [
    {"NAME": "key", "TYPE": "color", "DEFAULT": [0, 0.69, 0.25, 1], "PICKER": "pick",
      "DESCRIPTION": "The colour of the screen, or @x/y, a place where the screen shows: 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "pick", "TYPE": "point2D", "DEFAULT": [-1, -1], "MIN": [-1, -1], "MAX": [1, 1],
      "DESCRIPTION": "The place of key=@x/y; -1/-1 is none"},
    {"NAME": "similarity", "TYPE": "float", "DEFAULT": 0.15, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far from it a colour still counts as the screen; 1 is as far as grey"},
    {"NAME": "softness", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much further the edge fades"},
    {"NAME": "smoothing", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far noise and the coarse colours of video are smoothed before the screen is looked for"},
    {"NAME": "shrink", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much of the soft edge is taken off what stays"},
    {"NAME": "spill", "TYPE": "float", "DEFAULT": 0.9, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much of the screen's light is removed from what stays"},
    {"NAME": "background", "TYPE": "image", "OPTIONAL": true,
      "DESCRIPTION": "The image that replaces the screen, scaled to fill the frame"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [0.1, 0.11, 0.13, 1],
      "DESCRIPTION": "The colour behind the image, or the replacement without an image; 00000000 is transparent"},
    {"NAME": "matte", "TYPE": "bool", "DEFAULT": false,
      "DESCRIPTION": "Shows what stays in white and the screen in black, to set the other values"}
  ],
  "PASSES": [
    {"TARGET": "screen", "FLOAT": true, "WIDTH": 1, "HEIGHT": 1, "DESCRIPTION": "The screen's colour, in its one pixel"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "picks", "TYPE": "int", "VALUE": "min(pick.x, pick.y) < 0 ? 0 : 9"}
  ]
}*/

#if PASSINDEX == 0
// The screen's colour: the mean around a place, so that noise does not decide, or that which was given.
vec4 effect(vec2 uv) {
  vec2 size = vec2(frameSize());
  ivec2 apart = ivec2(max(0.006 * min(size.x, size.y), 1.0));
  ivec2 first = ivec2(pick * size) - apart;
  vec3 sum = vec3(0.0);
  for (int i = 0; i < picks; i++) sum += framePixel(first + apart * ivec2(i % 3, i / 3)).rgb;
  return vec4(picks == 0 ? key.rgb : sum / 9.0, 1.0);
}
#else
vec4 picture(int which, ivec2 p) { return backgroundPixel(p); }
ivec2 pictureSize(int which) { return backgroundSize(); }
#include "scaled.glsl"
#include "luma.glsl"

// Two colour differences, BT.709's without their scale of codes.
vec2 chromaOf(vec3 color, float tone) { return (color.br - tone) / vec2(1.8556, 1.5748); }

vec3 colorFrom(float tone, vec2 chroma) {
  float blue = tone + 1.8556 * chroma.x;
  float red = tone + 1.5748 * chroma.y;
  return vec3(red, (tone - 0.2126 * red - 0.0722 * blue) / 0.7152, blue);
}

// The image over the colour, in the middle of the frame; alpha is multiplied in.
vec4 behind(vec2 uv) {
  vec4 base = vec4(color.rgb * color.a, color.a);
  vec2 size = vec2(backgroundSize());
  vec2 sides = size * vec2(backgroundPixelAspect() / PIXELASPECT, 1.0);
  float zoom = min(sides.x / RENDERSIZE.x, sides.y / RENDERSIZE.y);
  vec2 step = zoom * size / sides;
  vec2 middle = 0.5 * size + (uv - 0.5) * RENDERSIZE * step;
  vec4 front = size == vec2(1.0) ? picture(0, ivec2(0)) : scaled(0, middle, step);
  if (size == vec2(1.0)) front.rgb *= front.a;
  return front + base * (1.0 - front.a);
}

void near(ivec2 way, inout vec2 mean, inout vec2 toneMean, inout vec2 product) {
  vec3 color = framePixel(PIXEL + way).rgb;
  float tone = luma(color);
  vec2 chroma = chromaOf(color, tone);
  mean += chroma;
  toneMean += vec2(tone, tone * tone);
  product += chroma * tone;
}

vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  vec3 screened = screenPixel(ivec2(0)).rgb;
  float screenTone = max(luma(screened), 0.001);
  vec2 keyed = chromaOf(screened, screenTone);
  float strength = max(length(keyed), 0.001);

  float tone = luma(pixel.rgb);
  vec2 chroma = chromaOf(pixel.rgb, tone);
  vec2 smoothed = chroma;
  if (smoothing > 0.0) {
    // Video has a colour for every fourth pixel and a lightness for each. The straight line that fits both best around
    // here gives the colour the sharpness of lightness, and takes the noise from flat places.
    vec2 mean = chroma;
    vec2 toneMean = vec2(tone, tone * tone);
    vec2 product = chroma * tone;
    near(ivec2(-1, -1), mean, toneMean, product);
    near(ivec2(1, -1), mean, toneMean, product);
    near(ivec2(-1, 1), mean, toneMean, product);
    near(ivec2(1, 1), mean, toneMean, product);
    mean *= 0.2;
    toneMean *= 0.2;
    float spread = max(toneMean.y - toneMean.x * toneMean.x, 0.0) + 0.0008;
    vec2 slope = (product * 0.2 - mean * toneMean.x) / spread;
    smoothed = mix(chroma, mean + slope * (tone - toneMean.x), smoothing);
  }
  // 0 is the screen, 1 as far as grey. The screen's shadows and folds are less colourful in step with their lightness.
  float shade = clamp(tone / screenTone, 0.5, 1.1);
  float off = distance(smoothed, keyed * shade) / (strength * shade);
  float kept = clamp((off - similarity) / (softness + 0.001), 0.0, 1.0);
  kept = clamp((kept - shrink) / max(1.0 - shrink, 0.001), 0.0, 1.0);
  if (matte) return vec4(vec3(kept), 1.0);

  // At the edge a pixel is a mixture with the screen: what remains of it after the screen's part is taken away.
  vec3 own = clamp((pixel.rgb - (1.0 - kept) * spill * screened) / max(mix(1.0, kept, spill), 0.25), 0.0, 1.0);
  tone = luma(own);
  chroma = chromaOf(own, tone);
  // What reflects the screen has colour in its direction. Grey has none; yellow beside green keeps some.
  vec2 direction = keyed / strength;
  float across = abs(direction.x * chroma.y - direction.y * chroma.x);
  chroma -= direction * (spill * max(dot(chroma, direction) - 0.3 * across, 0.0));
  vec3 clean = clamp(colorFrom(tone, chroma), 0.0, 1.0);

  float front = kept * pixel.a;
  vec4 back = kept < 1.0 ? (1.0 - kept) * behind(uv) : vec4(0.0);
  float alpha = front + back.a;
  return vec4((front * clean + back.rgb) / max(alpha, 1e-6), alpha);
}
#endif
