/*{
  "DESCRIPTION": "A camera held in the hand: the image sways and trembles, a little larger so that no edge shows.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Motion", "Geometry"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.025, "MIN": 0, "MAX": 0.2, "IDENTITY": 0,
      "DESCRIPTION": "How far the image moves at most, as a part of the frame's shorter side"},
    {"NAME": "rotation", "TYPE": "float", "DEFAULT": 1.2, "MIN": 0, "MAX": 30, "IDENTITY": 0,
      "DESCRIPTION": "How far the image turns at most, in degrees"},
    {"NAME": "speed", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 20,
      "DESCRIPTION": "How fast it sways, in movements per second"},
    {"NAME": "tremble", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much of the movement is quick trembling: 0 only sways"},
    {"NAME": "seed", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1000,
      "DESCRIPTION": "Another number moves in another way"}
  ],
  "CONSTANTS": [
    {"NAME": "t", "VALUE": "TIME * speed"},
    {"NAME": "s", "VALUE": "floor(seed) * 7"},
    {"NAME": "swayX", "VALUE": "(noise(t, s, 1) + 0.5 * noise(t * 2.3, s, 2)) / 0.75 - 1"},
    {"NAME": "swayY", "VALUE": "(noise(t, s, 3) + 0.5 * noise(t * 2.1, s, 4)) / 0.75 - 1"},
    {"NAME": "swayTurn", "VALUE": "noise(t * 0.8, s, 5) * 2 - 1"},
    {"NAME": "quickX", "VALUE": "noise(t * 9, s, 6) * 2 - 1"},
    {"NAME": "quickY", "VALUE": "noise(t * 8, s, 7) * 2 - 1"},
    {"NAME": "quickTurn", "VALUE": "noise(t * 7, s, 8) * 2 - 1"},
    {"NAME": "moveX", "VALUE": "mix(swayX, quickX, tremble * 0.6) * amount * SIDE"},
    {"NAME": "moveY", "VALUE": "mix(swayY, quickY, tremble * 0.6) * amount * SIDE"},
    {"NAME": "turn", "VALUE": "mix(swayTurn, quickTurn, tremble * 0.4) * rotation * 0.017453292519943295"},
    {"NAME": "most", "VALUE": "rotation * 0.017453292519943295"},
    {"NAME": "shape", "VALUE": "max(WIDTH, HEIGHT) / SIDE"},
    {"NAME": "zoom", "VALUE": "cos(most) + sin(most) * shape + 2 * amount"},
    {"NAME": "cosine", "VALUE": "cos(turn) / zoom"},
    {"NAME": "sine", "VALUE": "sin(turn) / zoom"}
  ]
}*/

vec4 effect(vec2 uv) {
  // The zoom is that of the widest movement, so it does not pump while the image moves.
  vec2 p = (uv - 0.5) * RENDERSIZE;
  p = vec2(cosine * p.x - sine * p.y, sine * p.x + cosine * p.y);
  return frame((p + vec2(moveX, moveY) / zoom) / RENDERSIZE + 0.5);
}
