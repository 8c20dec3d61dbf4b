"""Files of Shadertoy and gl-transitions in the words of ISF, so that OpenGL can render them as it does ISF files.

Written from what the sites say of their formats, not from kfrec's reader.
"""

import json
import re

SUFFIXES = (".frag", ".glsl")

TOY = """
#define iResolution vec3(RENDERSIZE, 1.0)
#define iTime TIME
#define iGlobalTime TIME
#define iTimeDelta TIMEDELTA
#define iFrame FRAMEINDEX
#define iFrameRate 25.0
#define iMouse vec4(0.0)
#define iDate vec4(DATE.x, DATE.y - 1.0, DATE.zw)
#define iSampleRate 44100.0
#define iChannel0 inputImage
vec3 iChannelResolution[4];
float iChannelTime[4];
"""

TOY_MAIN = """
void main() {
%s
  for (int i = 0; i < 4; i++) iChannelTime[i] = TIME;
  vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
  mainImage(color, gl_FragCoord.xy);
  gl_FragColor = vec4(color.rgb, 1.0);
}
"""

TRANSITION = """
float ratio = RENDERSIZE.x / RENDERSIZE.y;
vec4 getFromColor(vec2 uv) { return IMG_NORM_PIXEL(startImage, uv); }
vec4 getToColor(vec2 uv) { return IMG_NORM_PIXEL(endImage, uv); }
"""

UNIFORM = re.compile(r"^[ \t]*uniform[ \t]+(?:lowp |mediump |highp )?(\w+)[ \t]+(\w+)[ \t]*(.*)$", re.M)
DEFAULT = re.compile(r"=\s*([^;/*]+(?:\([^)]*\))?)")


def image(name):
    return {"NAME": name, "TYPE": "image"}


def as_isf(source):
    """The text of an ISF file that is the same shader; `REPEATING` of its header names images that repeat."""
    bare = re.sub(r"/\*.*?\*/|//[^\n]*", " ", source, flags=re.S)
    words = set(re.findall(r"\w+", bare))
    if not ("transition" in words and words & {"getFromColor", "getToColor"}):
        channels = [n for n in range(4) if f"iChannel{n}" in words]
        inputs = [image("inputImage" if n == 0 else f"iChannel{n}") for n in channels]
        sizes = "\n".join(f"  iChannelResolution[{n}] = vec3(IMG_SIZE(iChannel{n}), 1.0);" for n in channels)
        text = TOY + source + TOY_MAIN % sizes
        header = {"INPUTS": inputs, "REPEATING": [f"iChannel{n}" for n in channels if n]}
    else:
        inputs = [image("startImage"), image("endImage"), {"NAME": "progress", "TYPE": "float"}]

        def settled(found):
            kind, name, rest = found.groups()
            if kind == "sampler2D":
                inputs.append(image(name))
                return ""
            if name in ("progress", "ratio"):
                return ""
            given = DEFAULT.search(rest)
            return f"const {kind} {name} = {kind}({given.group(1).strip() if given else 0});"

        text = TRANSITION + UNIFORM.sub(settled, source) + \
            "\nvoid main() { gl_FragColor = transition(isf_FragNormCoord); }\n"
        header = {"INPUTS": inputs}
    return f"/*{json.dumps(header)}*/\n{text}"
