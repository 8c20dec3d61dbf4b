"""Effects that somebody wrote to do harm, through a recording, `check` and `--reload`."""

import os
import time

from trial import Part, check_output, execute, trouble

GOOD = "vec4 effect(vec2 uv) { return framePixel().bgra; }\n"
STORAGE = ["float a[64];", "const float a[64] = float[64](" + ", ".join(["1.0"] * 64) + ");", "shared uint a[64];"]
BUILT_IN = ["mix", "texture", "main", "round", "effect", "framePixel", "source", "uv", "gl_GlobalInvocationID", "PIXEL", "TIME",
            "kf_texels0", "imageStore", "store", "atomicAdd", "vec4", "sampler2D", "int", "__LINE__", "GL_KHR_vulkan_glsl"]


def body(statements, value="x", lead=""):
    return f"{lead}\nvec4 effect(vec2 uv) {{\n  vec4 x = framePixel();\n  {statements}\n  return vec4({value});\n}}\n"


def deep(chance):
    """One expression or block, nested or chained many times."""
    count = chance.choice([100, 3000, 20_000, 60_000, 150_000])
    kind = chance.randrange(13)
    if kind == 0:
        return body("", "x" + chance.choice("+-*") * 1 + chance.choice("+-*").join(["x"] * count))
    if kind == 1:
        return body("", "x" + ".xyzw" * count)
    if kind == 2:
        return body("", "(" * count + "x" + ")" * count)
    if kind == 3:
        return body("", "sin(" * count + "x" + ")" * count)
    if kind == 4:
        return body("if (uv.x > 0.1) {" * count + "x += 1.0;" + "}" * count)
    if kind == 5:
        return body("{" * count + "}" * count)
    if kind == 6:
        return body("", "uv.x > 0.5 ? x : " * count + "x")
    if kind == 7:
        return body("else ".join(f"if (uv.x < {n}.0) x += {n}.0; " for n in range(count // 3)))
    if kind == 8:
        return body("", "-(-" * count + "x" + ")" * count)
    if kind == 9:
        names = "".join(f"float f{n}(float v) {{ return f{n - 1}(v) * 1.01; }}\n" for n in range(1, count // 5))
        return body("", f"f{max(1, count // 5) - 1}(x.r)", "float f0(float v) { return v; }\n" + names)
    if kind == 10:
        return body("", f"a[{count // 4 - 1} - int(x.r)]",
                    f"const float a[{count // 4}] = float[](" + ", ".join(["0.5"] * (count // 4)) + ");")
    if kind == 11:
        # A chain that no optimizer shortens.
        return body("\n".join(f"x = sin(x.yzwx * {1 + n * 0.001:.4f}) + x;" for n in range(min(count, 20_000))))
    return body("", f"a{count // 8}.r", "struct a0t { float r; };\n" + "".join(
        f"struct a{n}t {{ a{n - 1}t b; }};\n" for n in range(1, count // 8)) + f"float a{count // 8} = 1.0;")


def macros(chance):
    """Macros that double, or a file that includes itself."""
    times = chance.choice([8, 14, 17, 24, 40])
    joint = chance.choice(["+", "*", " ", ",", "(", ";"])
    text = "#define A0 x\n" + "".join(f"#define A{n} A{n - 1}{joint}A{n - 1}\n" for n in range(1, times + 1))
    if chance.random() < 0.2:
        text += '#include "self.glsl"\n'
    return text + body("", f"A{times}")


def loops(chance):
    """Loops that never end, or hardly."""
    return body(chance.choice([
        "for (;;) { x = sin(x); }", "while (x.r < 2.0) x = fract(x + 0.37);", "do { x.r += 0.0; } while (x.r < 5.0);",
        "for (int i = 0; i < 2000000000; i++) x = sin(x + float(i));",
        "for (int i = 0; i < 60000; i++) for (int j = 0; j < 60000; j++) x = sin(x + noise(vec2(i, j)));",
        "for (uint i = 1u; i != 0u; i += 2u) x.g += 0.1;"]))


def indices(chance):
    """Indices far out of range, in each kind of memory."""
    index = chance.choice(["int(x.r * 1e9)", "-1", "64 + PIXEL.x", "PIXEL.x * 10000000", "int(uv.x * 4e9)", "-2147483647 - PIXEL.y",
                           "floatBitsToInt(x.g)"])
    kind = chance.randrange(5)
    if kind == 0:
        return body(f"float a[64]; a[{index}] = 2.0; x.r = a[{index} + 1];")
    if kind == 1:
        return body(f"x[{index}] = 1.0; mat4 m = mat4(1.0); m[{index}][{index}] = x[{index}]; x += m[1];")
    if kind == 2:
        return (f"layout(local_size_x = 8, local_size_y = 8) in;\nshared uint a[64];\nvoid main() {{ vec4 x = framePixel(); vec2 uv = UV;\n"
                f"  a[{index}] = 3u; barrier(); store(PIXEL, vec4(a[{index}])); }}\n")
    if kind == 3:
        return body(f"x = texelFetch(frame, ivec2({index}, {index}), 0) + source(vec2({index}));")
    lead = chance.choice(STORAGE[:2])
    return body(f"x.r = a[{index}];", lead=lead)


def huge(chance):
    """Arrays, work groups and numbers of things that are too large."""
    count = chance.choice([1000, 20_000, 1_000_000, 500_000_000, 2_147_483_647])
    return chance.choice([
        body(f"float a[{count}]; a[PIXEL.x] = 1.0; x.r = a[PIXEL.y];"),
        f"float a[{count}];\n" + GOOD,
        f"shared vec4 a[{count}];\n" + GOOD,
        f"layout(local_size_x = {count}, local_size_y = {count}) in;\nvoid main() {{ store(PIXEL, vec4(1)); }}\n",
        body("", "f()", "vec4 f(" + ", ".join(f"float p{n}" for n in range(min(count, 20_000))) + ") { return vec4(1); }"),
        body("".join(f"float v{n} = x.r * {n}.0; " for n in range(min(count, 20_000))), " + ".join(
            f"v{n}" for n in range(0, min(count, 20_000), 7))),
        body("switch (PIXEL.x) {" + "".join(f"case {n}: x.r = {n}.0; break;" for n in range(min(count, 20_000))) + "}"),
        body("".join(f"x += texture(frame, uv + {n}.0);" for n in range(min(count, 600)))),
    ])


def names(chance):
    """Things that bear the names of others."""
    name = chance.choice(BUILT_IN)
    return chance.choice([
        f"float {name} = 1.0;\n", f"vec4 {name}(vec2 a) {{ return vec4(a, 1, 1); }}\n", f"#define {name} \n", f"struct {name} {{ int a; }};\n",
        f"layout(binding = {chance.randrange(40)}, rgba8) uniform image2D {name};\n", f"#undef {name}\n",
        f"layout(binding = 0) buffer {name}b {{ uint {name}[]; }};\n", f"layout(push_constant) uniform P {{ int {name}; }};\n",
        "#version 100\n", "#extension GL_EXT_ray_query : require\n", "#pragma optimize(off)\n", f"#line {2 ** 31} \"\\n\"\n",
    ]) + GOOD


KINDS = [deep, macros, loops, indices, huge, names]


class Hostile(Part):
    name = "hostile"
    rounds = 120
    # Each may take the memory of a compiler.
    jobs = 1

    def case(self, number, folder, chance):
        text = KINDS[number % len(KINDS)](chance)
        (folder / "a.comp").write_text(text)
        (folder / "self.glsl").write_text('#include "self.glsl"\n')
        way = ["record", "check", "reload"][number // len(KINDS) % 3]
        # The driver's compiler is part of what is tried.
        apart = {"MESA_SHADER_CACHE_DISABLE": "true"}
        common = [self.options.kfrec]
        if way == "check":
            ran = execute(common + ["check", "--gpu-timeout", "4", "./a.comp"], folder, self.options, environment=apart)
            wrong = trouble(ran, (0, 1))
            # kfrec itself ends what takes too long.
            return wrong or (f"not done after {self.options.limit} seconds" if ran.stopped else None), ran
        if way == "record":
            ran = execute(common + ["-i", "testsrc", "--size", "64x36", "--frames", "4", "--gpu-timeout", "4", "-e", "./a.comp", "--progress",
                                    "json", "-o", "out.mov"], folder, self.options, environment=apart)
            wrong = trouble(ran, (0, 1, 2, 3))
            if not wrong and ran.stopped:
                wrong = f"not done after {self.options.limit} seconds"
            if not wrong and ran.code in (0, 3):
                wrong = check_output(ran, folder / "out.mov", (ran.end or {}).get("framesOut"))
            return wrong, ran
        return self.reload(common, folder, text, apart)

    def reload(self, common, folder, text, apart):
        """A live recording whose effect becomes the hostile one after a second; what it holds by then must be kept."""
        (folder / "a.comp").write_text(GOOD)
        start = time.monotonic()
        state = {"swapped": False}

        def watch(_):
            if not state["swapped"] and time.monotonic() - start > 1.5:
                state["swapped"] = True
                (folder / "new").write_text(text)
                os.rename(folder / "new", folder / "a.comp")

        ran = execute(common + ["-i", "testsrc", "--realtime", "--size", "64x36", "-t", "6", "--gpu-timeout", "4", "--reload", "-e",
                                "./a.comp", "--progress", "json", "-o", "out.mov"], folder, self.options, environment=apart, watch=watch)
        wrong = trouble(ran, (0, 1, 3))
        if not wrong and ran.code in (0, 3):
            wrong = check_output(ran, folder / "out.mov", (ran.end or {}).get("framesOut"))
        if not wrong and ran.code == 1:
            wrong = "frames from before the reload are lost"
        return wrong, ran
