/*{
  "DESCRIPTION": "Gives things of one colour another one, with their light and shade.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Color"],
  "INPUTS": [
    {"NAME": "key", "TYPE": "color", "DEFAULT": [0.85, 0.25, 0.12, 1],
      "DESCRIPTION": "The colour that is replaced"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [0.1, 0.35, 0.9, 1],
      "DESCRIPTION": "What replaces it"},
    {"NAME": "similarity", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0, "MAX": 1, "ALIASES": ["tolerance"],
      "DESCRIPTION": "How far from it a colour is still replaced wholly; 1 is as far as grey"},
    {"NAME": "softness", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much further the change fades"},
    {"NAME": "shading", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much of the light and shade on it stays; 0 paints it flat"},
    {"NAME": "lightness", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much it also becomes as light or dark as the new colour; 0 changes the hue alone"},
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much of the colour is replaced"}
  ],
  "CONSTANTS": [
    {"NAME": "oldL", "VALUE": "pow(0.4122214708*key.r*key.r + 0.5363325363*key.g*key.g + 0.0514459929*key.b*key.b, 1/3)"},
    {"NAME": "oldM", "VALUE": "pow(0.2119034982*key.r*key.r + 0.6806995451*key.g*key.g + 0.1073969566*key.b*key.b, 1/3)"},
    {"NAME": "oldS", "VALUE": "pow(0.0883024619*key.r*key.r + 0.2817188376*key.g*key.g + 0.6299787005*key.b*key.b, 1/3)"},
    {"NAME": "oldLight", "VALUE": "0.2104542553*oldL + 0.793617785*oldM - 0.0040720468*oldS"},
    {"NAME": "oldA", "VALUE": "1.9779984951*oldL - 2.428592205*oldM + 0.4505937099*oldS"},
    {"NAME": "oldB", "VALUE": "0.0259040371*oldL + 0.7827717662*oldM - 0.808675766*oldS"},
    {"NAME": "newL", "VALUE": "pow(0.4122214708*color.r*color.r + 0.5363325363*color.g*color.g + 0.0514459929*color.b*color.b, 1/3)"},
    {"NAME": "newM", "VALUE": "pow(0.2119034982*color.r*color.r + 0.6806995451*color.g*color.g + 0.1073969566*color.b*color.b, 1/3)"},
    {"NAME": "newS", "VALUE": "pow(0.0883024619*color.r*color.r + 0.2817188376*color.g*color.g + 0.6299787005*color.b*color.b, 1/3)"},
    {"NAME": "newLight", "VALUE": "0.2104542553*newL + 0.793617785*newM - 0.0040720468*newS"},
    {"NAME": "newA", "VALUE": "1.9779984951*newL - 2.428592205*newM + 0.4505937099*newS"},
    {"NAME": "newB", "VALUE": "0.0259040371*newL + 0.7827717662*newM - 0.808675766*newS"},
    {"NAME": "strength", "VALUE": "max(sqrt(oldA*oldA + oldB*oldB), 0.001)"},
    {"NAME": "pale", "VALUE": "clamp(1 - strength / 0.06, 0, 1)"}
  ]
}*/
#include "oklab.glsl"

// The colours of the key and of its successor come from the constants above, in Oklab.
vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  vec3 lab = toOklab(pixel.rgb);
  vec2 direction = vec2(oldA, oldB) / strength;

  // In shade a thing is less colourful in step with its lightness. A paler colour of the same hue is nearer than one
  // of another hue. How light it is counts for little, and for all if the key is grey.
  float shade = lab.x / max(oldLight, 0.05);
  float scale = 1.0 / (max(strength, 0.06) * clamp(shade, 0.25, 1.5));
  float along = strength / max(strength, 0.06) - dot(lab.yz, direction) * scale;
  float across = (direction.x * lab.z - direction.y * lab.y) * scale;
  float off = length(vec3(along > 0.0 ? along * along : along * 0.3, across, (lab.x - oldLight) * mix(0.3, 4.0, pale)));
  float weight = amount * (1.0 - smoothstep(similarity, similarity + softness + 0.001, off));

  // The new colour as it looks in this shade; where the old one is paler, so is the new one.
  // Brighter places come near white without reaching it.
  float brighter = newLight * max(shade - 1.0, 0.0) * shading;
  float room = max(1.0 - newLight, 0.001);
  float light = newLight * mix(1.0, min(shade, 1.0), shading) + brighter * room / (brighter + room);
  float vivid = mix(1.0, min(length(lab.yz) / strength, 1.5), shading * (1.0 - pale));
  vec3 replaced = vec3(mix(lab.x, light, lightness), vec2(newA, newB) * vivid);
  return vec4(mix(pixel.rgb, fromOklab(replaced), weight), pixel.a);
}
