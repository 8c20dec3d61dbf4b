"""An ISF file as its host sees it: header, kind, values of the inputs, sizes of the passes."""

import json
import math
import re

import foreign


class Document:
    """`name.fs`, with `name.vs` where there is one, or what `foreign` makes of a file. Written from the ISF specification, not from kfrec's reader."""

    def __init__(self, path):
        self.path = path
        self.name = path.stem
        text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
        if path.suffix in foreign.SUFFIXES:
            text = foreign.as_isf(text)
        begin, end = text.index("/*"), text.index("*/")
        self.header = json.loads(text[begin + 2:end])
        self.fragment = text[end + 2:]
        vertex = path.with_suffix(".vs")
        self.vertex = vertex.read_text(encoding="utf-8", errors="replace") if vertex.exists() else None
        self.inputs = self.header.get("INPUTS") or []
        self.passes = self.header.get("PASSES") or [{}]
        self.persistent = self._version1_buffers()

    @property
    def kind(self):
        names = {i["NAME"] for i in self.inputs if i["TYPE"] == "image"}
        if "inputImage" in names:
            return "filter"
        return "transition" if {"startImage", "endImage"} <= names else "generator"

    @property
    def source(self):
        """The image input that the source's frames fill, if one does."""
        return {"filter": "inputImage", "transition": "startImage"}.get(self.kind)

    def of_type(self, *types):
        return [i for i in self.inputs if i["TYPE"] in types]

    def extra_images(self):
        """The images that neither the frame nor a transition's two sources fill."""
        reserved = ("inputImage", "startImage", "endImage")
        return [i["NAME"] for i in self.of_type("image") if i["NAME"] not in reserved]

    def imported(self):
        """name -> path"""
        entries = self.header.get("IMPORTED") or {}
        if isinstance(entries, list):
            entries = {e["NAME"]: e for e in entries}
        return {name: self.path.parent / e["PATH"] for name, e in entries.items()}

    def repeating(self):
        """The images that go on beyond their edges."""
        return set(self.header.get("REPEATING") or [])

    def targets(self):
        """Each buffer's name -> (persistent, float), in the order of first mention."""
        found = {}
        for run in self.passes:
            name = run.get("TARGET")
            if name:
                old = found.get(name, (False, False))
                found[name] = (old[0] or truth(run.get("PERSISTENT")) or name in self.persistent,
                               old[1] or truth(run.get("FLOAT")))
        return found

    def size(self, run, values, whole):
        """Pixels of the picture that a pass renders, worked out from those of the output."""
        terms = dict(values, WIDTH=whole[0], HEIGHT=whole[1])
        return tuple(max(1, int(evaluate(run.get(key), terms, whole[axis])))
                     for axis, key in enumerate(("WIDTH", "HEIGHT")))

    def values(self, varied=False):
        """name -> value of each input that is a number: the defaults, or values away from them."""
        return {i["NAME"]: value(i, varied) for i in self.inputs
                if i["TYPE"] in ("float", "bool", "long", "point2D", "color", "event")}

    def _version1_buffers(self):
        return set(self.header.get("PERSISTENT_BUFFERS") or [])


def truth(entry):
    if isinstance(entry, str):
        return entry.strip().lower() in ("true", "yes", "1")
    return bool(entry) and entry > 0


def evaluate(expression, terms, otherwise):
    if expression is None or expression == "":
        return otherwise
    if not isinstance(expression, str):
        return expression
    allowed = {"floor": math.floor, "ceil": math.ceil, "round": round, "min": min, "max": max,
               "sqrt": math.sqrt, "pow": pow, "abs": abs}
    return eval(expression.replace("$", ""), {"__builtins__": {}}, {**allowed, **terms})  # pylint: disable=eval-used


def value(entry, varied):
    kind, low, high = entry["TYPE"], entry.get("MIN"), entry.get("MAX")
    default = entry.get("DEFAULT")
    if kind == "event":
        return False
    if kind == "bool":
        given = True if default is None else truth(default)
        return not given if varied else given
    if kind == "long":
        choices = entry.get("VALUES")
        if varied and choices:
            return int(choices[len(choices) // 2])
        if default is not None:
            return int(default)
        return int(choices[0] if choices else low or 0)
    if kind == "float":
        if low is None or high is None:
            low, high = 0.0, 1.0
        if varied:
            return round(low + (high - low) * 0.6875, 4)
        return min(max(float(default if default is not None else (low + high) / 2), low), high)
    if kind == "point2D":
        bounded = low is not None and high is not None
        if varied and bounded:
            return [round(a + (b - a) * part, 4) for a, b, part in zip(low, high, (0.375, 0.5625))]
        if default is not None:
            return [float(x) for x in default]
        return [(a + b) / 2 for a, b in zip(low, high)] if bounded else [0.0, 0.0]
    if kind == "color":
        if varied:
            return [0.875, 0.5, 0.25, 1.0]
        return [float(x) for x in (default or [1, 1, 1, 1])]
    raise ValueError(f"no values of type {kind}")


def command_line(name, given):
    """`name=value` as kfrec's -e takes it."""
    if isinstance(given, bool):
        return f"{name}={'true' if given else 'false'}"
    if isinstance(given, list):
        return f"{name}=" + "/".join(repr(float(x)) for x in given)
    return f"{name}={given!r}"
