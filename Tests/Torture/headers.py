"""Effects with absurd headers and bodies, through `kfrec check`, which has to say what is wrong with them."""

import json
import pathlib
import random

from trial import Part, execute, trouble

ROOT = pathlib.Path(__file__).resolve().parents[2]
BODY = "vec4 effect(vec2 uv) { return source(uv); }\n"
WORDS = ["NAME", "TYPE", "DEFAULT", "MIN", "MAX", "LABEL", "LABELS", "VALUES", "INPUTS", "PASSES", "TARGET", "WIDTH",
         "HEIGHT", "PERSISTENT", "FLOAT", "IMPORTED", "PATH", "DESCRIPTION", "CATEGORIES", "CREDIT", "ISFVSN",
         "GENERATOR", "UNCLAMPED", "IDENTITY"]
TYPES = ["float", "long", "bool", "event", "color", "point2D", "image", "audio", "audioFFT", "cube", "", "Float"]
NUMBERS = ["0", "-1", "1e308", "-1e308", "1e999", "1e-999", "9223372036854775807", "9223372036854775808",
           "-9223372036854775809", "1" + "0" * 400, "0." + "0" * 400 + "1", "2147483648", "4294967296", "NaN",
           "Infinity", "-0", "00", "1.", ".5", "0x10", "1e", "true", "null"]


def header(value):
    return f"/*{value if isinstance(value, str) else json.dumps(value)}*/\n"


def inputs(count, kind="float"):
    return [{"NAME": f"i{n}", "TYPE": kind, "DEFAULT": 0.5} for n in range(count)]


def fixed():
    """The cases that need no chance: (ending, text)."""
    yield "comp", ""
    yield "comp", "\0"
    yield "comp", header({"DESCRIPTION": "x"}) + BODY + "\0" * 100
    yield "comp", header('{"DESCRIPTION": "a\0b"}') + BODY
    yield "comp", header("[" * 100_000) + BODY
    yield "comp", header("[" * 100_000 + "]" * 100_000) + BODY
    yield "comp", header('{"A":' * 20_000 + "1" + "}" * 20_000) + BODY
    yield "comp", header('{"DESCRIPTION": "' + "x" * 5_000_000 + '"}') + BODY
    yield "comp", header('{"DESCRIPTION": "\\ud800"}') + BODY
    yield "comp", header('{"DESCRIPTION": "\\') + BODY
    yield "comp", "/*" + BODY
    yield "comp", "/*{}"
    yield "comp", "/*{}*/"
    yield "comp", header("{}") + BODY
    yield "comp", header("") + BODY
    yield "comp", header('"text"') + BODY
    yield "comp", header("7") + BODY
    for count in (16, 64, 300, 3000):
        yield "comp", header({"INPUTS": inputs(count)}) + BODY
        yield "fs", header({"INPUTS": inputs(count), "ISFVSN": "2"}) + "void main() { gl_FragColor = vec4(i0); }"
    for kind in ("image", "audio", "color", "event"):
        listed = [{"NAME": f"i{n}", "TYPE": kind} for n in range(200)]
        yield "comp", header({"INPUTS": listed}) + BODY
        yield "fs", header({"INPUTS": listed, "ISFVSN": "2"}) + "void main() { gl_FragColor = vec4(1.0); }"
    yield "comp", header({"INPUTS": inputs(2)[:1] * 2}) + BODY
    for name in ("uv", "source", "main", "gl_Position", "float", "", "a b", "1a", "a" * 5000, "ü", "mix", "from"):
        yield "comp", header({"INPUTS": [{"NAME": name, "TYPE": "float"}]}) + BODY
    for number in NUMBERS:
        for key in ("DEFAULT", "MIN", "MAX"):
            yield "comp", header('{"INPUTS": [{"NAME": "a", "TYPE": "float", "%s": %s}]}' % (key, number)) + BODY
        yield "comp", header('{"INPUTS": [{"NAME": "a", "TYPE": "long", "DEFAULT": %s}]}' % number) + BODY
        yield "fs", header('{"PASSES": [{"TARGET": "t", "WIDTH": %s, "HEIGHT": 4}, {}]}' % number) + \
            "void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage); }"
    for size in ("$WIDTH*1000000", "1/0", "0/0", "-$WIDTH", "(" * 50_000, "((((" * 3000 + "1" + "))))" * 3000, "1+" * 50_000 + "1",
                 "-" * 50_000 + "1", "$NOTHING", "sin(", "pow(2,1000)", "1e400", ""):
        yield "fs", header({"PASSES": [{"TARGET": "t", "WIDTH": size, "HEIGHT": "4"}, {}]}) + \
            "void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage); }"
    yield "fs", header({"PASSES": [{"TARGET": f"t{n}"} for n in range(500)]}) + "void main() { gl_FragColor = vec4(1.0); }"
    yield "comp", header("{}") + "vec4 effect(vec2 uv) { return " + "(" * 20_000 + "vec4(1)" + ")" * 20_000 + "; }"
    yield "comp", header("{}") + "vec4 effect(vec2 uv) { return vec4(1)" + "+vec4(1)" * 20_000 + "; }"
    yield "comp", header("{}") + "".join(f"#define A{n} A{n + 1} A{n + 1}\n" for n in range(40)) + BODY + "A0"
    yield "comp", header("{}") + "#if " + "(" * 10_000 + "\n" + BODY
    yield "comp", header("{}") + '#include "self.glsl"\n' * 1000 + BODY
    yield "comp", header("{}") + "float a[2147483647];\n" + BODY
    yield "comp", header("{}") + "vec4 effect(vec2 uv) { float a[1000000000]; a[int(uv.x)] = 1.0; return vec4(a[3]); }"
    yield "comp", header("{}") + "vec4 effect(vec2 uv) { for (;;) {} return vec4(1); }"
    yield "comp", header("{}") + "vec4 effect(vec2 uv) { return effect(uv); }"
    yield "comp", header("{}") + "vec4 effect(vec2 uv) { int a = int(uv.x); return vec4((-2147483647 - 1) / (a - 1)); }"
    yield "comp", header("{}") + "vec4 effect(vec2 uv) { int a = int(uv.x); return vec4(7 / a, 7 % a, 0, 1); }"
    yield "comp", header("{}") + "layout(local_size_x = 100000) in;\nvoid main() {}"
    yield "comp", header("{}") + "shared float a[10000000];\n" + BODY
    yield "frag", "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel9, p); }"
    yield "frag", "void mainImage("
    yield "frag", "mainImage" * 100_000
    yield "glsl", "vec4 transition(vec2 uv) { return mix(getFromColor(uv), getToColor(uv), progress / 0.0); }"
    yield "glsl", "uniform float a; // = " + "9" * 1000 + "\nvec4 transition(vec2 uv) { return vec4(a); }"
    for text in ("[]", "{}", '{"ver": "0.1"}', '[{"renderpass": []}]', "[" * 50_000,
                 '{"renderpass": [{"code": "", "type": "image", "inputs": [{"id": 1, "channel": -1, "ctype": "texture"}]}]}',
                 '{"renderpass": [{"code": "void mainImage(out vec4 c, in vec2 p) { c = vec4(1); }", "type": "buffer", '
                 '"inputs": [], "outputs": [{"id": 999999999999999999999, "channel": 1e99}]}]}'):
        yield "json", text


def tree(chance, depth=0):
    """Any JSON, as text, with words that mean something here and there."""
    kind = chance.randrange(6 if depth < 6 else 3)
    if kind == 0:
        return chance.choice(NUMBERS)
    if kind == 1:
        return json.dumps(chance.choice(WORDS + TYPES))
    if kind == 2:
        return json.dumps("".join(chr(chance.choice([0, 10, 34, 42, 47, 92, 127, 200, 0x1f600])) for _ in range(5)))
    parts = [tree(chance, depth + 1) for _ in range(chance.randrange(6))]
    if kind == 3:
        return "[" + ",".join(parts) + "]"
    return "{" + ",".join(f"{json.dumps(chance.choice(WORDS))}:{part}" for part in parts) + "}"


def spoiled(path, chance):
    """A working effect with some bytes exchanged, left out or doubled."""
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice([1, 2, 5, 20])):
        place = chance.randrange(len(data))
        kind = chance.randrange(4)
        if kind == 0:
            data[place] = chance.randrange(256)
        elif kind == 1:
            del data[place:place + chance.choice([1, 5, 60])]
        elif kind == 2:
            data[place:place] = data[place:place + chance.choice([1, 30, 400])]
        else:
            other = chance.randrange(len(data))
            data[place:place + 6] = data[other:other + 6]
    return bytes(data)


class Headers(Part):
    name = "headers"
    rounds = 500

    def prepare(self):
        # Numbered, so that a case is the same whatever the machine; a few of each kind come first.
        self.fixed = list(fixed())
        random.Random(7).shuffle(self.fixed)
        self.effects = sorted((ROOT / "Effects").glob("*.comp")) + sorted((ROOT / "Tests/ISF/own").glob("*.fs"))

    def case(self, number, folder, chance):
        if number % 2 == 0 and number // 2 < len(self.fixed):
            ending, text = self.fixed[number // 2]
            data = text.encode(errors="surrogatepass")
        elif chance.random() < 0.4:
            ending = chance.choice(["comp", "fs", "json"])
            body = BODY if ending == "comp" else "void main() { gl_FragColor = vec4(1.0); }"
            made = tree(chance) if chance.random() < 0.4 else '{"INPUTS": [%s], "PASSES": [%s]}' % (
                ",".join('{"NAME": %s, "TYPE": %s, "DEFAULT": %s, "MIN": %s}' % (
                    json.dumps(chance.choice(["a", "b", "c", *WORDS])), json.dumps(chance.choice(TYPES)),
                    tree(chance, 4), tree(chance, 4)) for _ in range(chance.randrange(4))),
                ",".join('{"TARGET": %s, "WIDTH": %s}' % (tree(chance, 5), tree(chance, 5))
                         for _ in range(chance.randrange(3))))
            data = (made if ending == "json" else header(made) + body).encode(errors="surrogatepass")
        else:
            effect = chance.choice(self.effects)
            ending, data = effect.suffix[1:], spoiled(effect, chance)
        (folder / f"torn.{ending}").write_bytes(data)
        (folder / "self.glsl").write_text('#include "self.glsl"\n')
        as_json = chance.random() < 0.3
        words = [self.options.kfrec, "check", f"./torn.{ending}"] + (["--json"] if as_json else [])
        ran = execute(words, folder, self.options)
        wrong = trouble(ran, (0, 1, 2))
        if not wrong and ran.stopped:
            # `check` has a limit of its own for what a GPU may take.
            wrong = f"not done after {self.options.limit} seconds"
        if not wrong and as_json and ran.code in (0, 1):
            wrong = self.unreadable(ran)
        return wrong, ran

    @staticmethod
    def unreadable(ran):
        try:
            report = json.loads(ran.stdout)["effects"][0]
        except (ValueError, KeyError, IndexError, TypeError):
            return None if ran.sentence and ran.code else "--json gives no report"
        if report["passed"] != (ran.code == 0):
            return f"exit code {ran.code}, and the report says otherwise"
        return None if report["passed"] or report["diagnostics"] else "a failure without a diagnostic"
