/*{
  "DESCRIPTION": "Replaces a green screen with an image, a colour or nothing.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Keying"],
  "ALPHA": "color",
  "INPUTS": [
    {"NAME": "key", "TYPE": "color", "DEFAULT": [0, 0.69, 0.25, 1],
      "DESCRIPTION": "The colour of the screen"},
    {"NAME": "similarity", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far from it a colour still counts as the screen; 1 is as far as grey"},
    {"NAME": "softness", "TYPE": "float", "DEFAULT": 0.4, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much further the edge fades"},
    {"NAME": "spill", "TYPE": "float", "DEFAULT": 0.85, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much of the screen's light is removed from what stays"},
    {"NAME": "background", "TYPE": "image", "OPTIONAL": true,
      "DESCRIPTION": "The image that replaces the screen, scaled to fill the frame"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [0.1, 0.11, 0.13, 1],
      "DESCRIPTION": "The colour behind the image, or the replacement without an image; 00000000 is transparent"}
  ],
  "CONSTANTS": [
    {"NAME": "keyLuma", "VALUE": "0.2126*key.r + 0.7152*key.g + 0.0722*key.b"},
    {"NAME": "keyBlue", "VALUE": "(key.b - keyLuma) / 1.8556"},
    {"NAME": "keyRed", "VALUE": "(key.r - keyLuma) / 1.5748"},
    {"NAME": "keyChroma", "VALUE": "max(sqrt(keyBlue*keyBlue + keyRed*keyRed), 0.001)"}
  ]
}*/

vec4 multiplied(vec4 c) { return vec4(c.rgb * c.a, c.a); }

// The image over the colour, in the middle of the frame; alpha is multiplied in.
vec4 behind(vec2 uv) {
  vec4 base = multiplied(color);
  vec2 size = vec2(backgroundSize());
  if (size == vec2(1.0)) {
    vec4 plain = multiplied(backgroundPixel(ivec2(0)));
    return plain + base * (1.0 - plain.a);
  }
  vec2 frame = vec2(frameSize());
  // How many of its pixels make one pixel of the frame.
  float zoom = min(size.x / frame.x, size.y / frame.y);
  vec2 middle = 0.5 + (uv - 0.5) * frame * zoom / size;
  vec4 front;
  if (zoom > 1.0) {
    // Made smaller: the mean of four pixels, one in each quarter of the frame's pixel.
    vec2 first = middle * size - 0.25 * zoom;
    vec2 last = first + 0.5 * zoom;
    front = multiplied(backgroundPixel(ivec2(floor(first))))
      + multiplied(backgroundPixel(ivec2(floor(last))))
      + multiplied(backgroundPixel(ivec2(floor(vec2(first.x, last.y)))))
      + multiplied(backgroundPixel(ivec2(floor(vec2(last.x, first.y)))));
    front *= 0.25;
  } else {
    front = multiplied(background(middle));
  }
  return front + base * (1.0 - front.a);
}

vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  float luma = dot(pixel.rgb, vec3(0.2126, 0.7152, 0.0722));
  vec2 chroma = (pixel.br - luma) / vec2(1.8556, 1.5748);
  vec2 keyed = vec2(keyBlue, keyRed);

  // The screen's shadows and folds are less colourful in step with their lightness: still screen.
  float shade = clamp(luma / max(keyLuma, 0.001), 0.6, 1.0);
  float off = distance(chroma, keyed * shade) / (keyChroma * shade);
  float kept = smoothstep(similarity, similarity + softness + 0.001, off);

  // What reflects the screen has colour in its direction; grey has none.
  vec2 direction = keyed / keyChroma;
  chroma -= direction * (spill * max(dot(chroma, direction), 0.0));
  float blue = luma + 1.8556 * chroma.x;
  float red = luma + 1.5748 * chroma.y;
  float green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152;
  vec3 clean = clamp(vec3(red, green, blue), 0.0, 1.0);

  float front = kept * pixel.a;
  vec4 back = (1.0 - kept) * behind(uv);
  float alpha = front + back.a;
  return vec4((front * clean + back.rgb) / max(alpha, 1e-6), alpha);
}
