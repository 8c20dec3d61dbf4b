"""Random command lines, made of the options that `kfrec --help` tells, with good and bad values."""

import re
import subprocess

from trial import Part, execute, trouble

NUMBERS = ["0", "1", "2", "5", "-1", "0.5", "1e3", "1e99", "nan", "inf", "-inf", "", " ", "00", "0x5", "3,5", "٣",
           "99999999999999999999", "2147483648", "-2147483649", "1/0", "30000/1001", "0/1", "-1/3", "1/", "/1"]
TIMES = ["0", "0.2", "1", "00:00:00.5", "1:2:3", "1:99", "-1", "1e9", "99:99:99", "::", "0.0000000001", "9" * 30]
SIZES = ["64x48", "1x1", "2x2", "63x47", "320x", "x120", "0x0", "-4x4", "16384x16384", "999999x2", "4294967296x1", "axb",
         "x", "64X48", "64x48x2", "64*48"]
PIECES = ["auto", "cfr", "passthrough", "limited", "full", "source", "bt709", "bt601", "smpte170m", "pq", "srgb", "fit", "fill", "stretch",
          "yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "gray", "rgba", "yuv9000", "h264", "hevc", "prores", "ffv1",
          "mjpeg", "libx264", "mpeg4", "av1", "vp9", "png", "none", "copy", "veryfast", "placebo", "json", "bar", "none", "split", "side",
          "mov", "mp4", "mkv", "y4m", "avi", "8M", "100", "1k", "5Mbit", "-3M", "23", "51", "52", "0", "1", "é", "\n",
          "/dev/null", "/", ".", "..", "a=b", "exposure=5", "=", ":", ",", "'", "%d", "%s%s%s%n", "-", "--", "-x", "A" * 5000]
EFFECTS = ["separateRGB", "separateRGB:amount=2", "separateRGB:amount=nan", "separateRGB:amount", "separateRGB:amount=0@0..1@2",
           "separateRGB:amount=0@5..1@2", "separateRGB:amount=1@", "separateRGB:=", "separateRGB:nothing=1", ":", "",
           "separateRGBB", "vignette:mix=0.5,from=0.1,to=0.05", "vignette:mix=2", "lut", "lut:file=/dev/null",
           "crop=100:100", "crossfade", "chromaKey:background=/nonexistent.png", "gaussianBlur:radius=1e9",
           "./nothing.comp", "/", "..", "separateRGB:amount=1,amount=2", "pixelate:size=0", "tint:color=zz", "ascii",
           "a" * 3000, "separateRGB\\:", "@", "separateRGB:amount=1~smooth", "zoomBlur:center=0.5/0.5/0.5"]
INPUTS = ["testsrc", "testsrc", "blank", "/dev/null", "/nonexistent", ".", "in.mov", "in.mov", "in.png", "in-%02d.png", "-",
          "", "http://", "file:in.mov", "concat:in.mov|in.mov", "/dev/video99", "data:,", "pipe:0", "tcp://127.0.0.1:1"]
OUTPUTS = ["out.mov", "out.mov", "out.mov", "out.mp4", "out.mkv", "out.y4m", "out.png", "out-%02d.png", "null", "-",
           "out", "out.xyz", "missing/out.mov", "/dev/null", "/dev/full", ".", "taken.mov", "folder.mov", "out.jpg", "out-%d-%d.png", "",
           "out-%s.png", "a" * 300 + ".mov", "/dev/video98", "in.mov"]
# Options that take the terminal, a device or the run's own bounds out of the trial's hands.
LEFT_OUT = {"--wait-camera"}


def read_options(kfrec, command=()):
    """(long name, whether it takes a value) of what a command's help tells."""
    text = subprocess.run([kfrec, *command, "--help"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^\s+(?:-\w, )?(--[a-z-]+)(?: ([A-Z][^\s]*))?(?:\s|$)", text, re.MULTILINE)
    return sorted({(name, value) for name, value in found if name not in LEFT_OUT})


class Words(Part):
    name = "words"
    rounds = 1000

    def prepare(self):
        self.table = read_options(self.options.kfrec)
        if len(self.table) < 30:
            raise OSError(f"only {len(self.table)} options in --help")
        self.clip = self.options.folder / "clips"
        self.clip.mkdir(exist_ok=True)
        for name in ("in.mov", "in.png"):
            if not (self.clip / name).exists():
                subprocess.run([self.options.kfrec, "-y", "-i", "testsrc", "--size", "64x48", "--frames", "6", "-o", name],
                               cwd=self.clip, check=True, capture_output=True)

    def value(self, name, kind, chance):
        if name == "--effect":
            return chance.choice(EFFECTS)
        if name == "--input":
            return chance.choice(INPUTS)
        if name == "--output":
            return chance.choice(OUTPUTS)
        near = {"TIME": TIMES, "N": NUMBERS, "RATE": NUMBERS, "WxH": SIZES, "X,Y,W,H": ["0,0,8,8", "1,1,64,48", "-1,0,2,2", "9"]}
        lists = near.get(kind, PIECES) if chance.random() < 0.8 else chance.choice([NUMBERS, TIMES, SIZES, PIECES])
        return chance.choice(lists)

    def line(self, chance):
        if chance.random() < 0.08:
            command = chance.choice(["effects", "devices", "help", "check", "golden", "effect", "record"])
            words = [command] + [chance.choice(EFFECTS + PIECES + ["--json", "--strict", "--nothing"])
                                 for _ in range(chance.randrange(3))]
            return [w for w in words if w not in ("/", ".", "..") and "--update" not in w]
        words = []
        for name, kind in chance.choices(self.table, k=chance.choice([0, 1, 1, 2, 3, 4, 6])):
            if name in ("--help", "--version") and chance.random() < 0.8:
                continue
            words.append(name if chance.random() < 0.97 else name[:-1])
            if kind:
                value = self.value(name, kind, chance)
                if chance.random() < 0.2:
                    words[-1] += "=" + value
                elif chance.random() < 0.98:
                    words.append(value)
        if "--input" not in words and chance.random() < 0.95:
            words = ["-i", "testsrc"] + words
        if chance.random() < 0.9:
            words = ["--size", "64x48"] + words
        if chance.random() < 0.95:
            words += ["--frames", chance.choice(["1", "3", "8"])]
        for _ in range(chance.choice([0, 1, 1, 1, 1, 1, 1, 2])):
            words += ["-o", chance.choice(OUTPUTS if chance.random() < 0.5 else OUTPUTS[:9])]
        return words

    def case(self, number, folder, chance):
        for name in ("in.mov", "in.png"):
            (folder / name).write_bytes((self.clip / name).read_bytes())
        for name in ("in-01.png", "in-02.png"):
            (folder / name).write_bytes((self.clip / "in.png").read_bytes())
        (folder / "taken.mov").write_text("taken")
        (folder / "folder.mov").mkdir()
        words = self.line(chance)
        if "=" not in "".join(words) and chance.random() < 0.2:
            words.append("--quiet")
        # What is written without end is bounded, as a full disk would.
        ran = execute([self.options.kfrec] + [word.replace("\0", "") for word in words], folder, self.options,
                      file_size=200 << 20)
        return trouble(ran) or self.judge(ran, folder, words), ran

    def judge(self, ran, folder, words):
        # What `check` finds, also of a name that is none, is its report, on standard output.
        reported = ran.stdout if words[:1] == ["check"] else b""
        if ran.code == 2 and not ran.sentence and not reported and "json" not in " ".join(words):
            return "exit code 2 without a sentence"
        if not (folder / "folder.mov").is_dir():
            return "a folder was replaced"
        overwrites = any(word in ("-y", "--overwrite") for word in words)
        taken = folder / "taken.mov"
        if not overwrites and (not taken.exists() or taken.read_text(errors="replace") != "taken"):
            return "a file was overwritten without -y"
        for name in ("in.mov", "in.png"):
            if (folder / name).read_bytes() != (self.clip / name).read_bytes() and not overwrites:
                return f"{name} was changed"
        if ran.code != 0 or words[:1] and words[0] in ("effects", "devices", "help", "check", "golden"):
            return None
        if any(word.startswith(("--he", "--vers", "-h", "--save-p")) for word in words):
            return None
        asked = [word for flag, word in zip(words, words[1:]) if flag in ("-o", "--output")]
        asked += [word.split("=", 1)[1] for word in words if word.startswith("--output=")]
        for output in asked:
            path = folder / output.replace("%02d", "01")
            if output in ("null", "-") or output.startswith("/dev/") or "%" in output.replace("%02d", ""):
                continue
            # --split numbers its files.
            first = path.with_name(f"{path.stem}-001{path.suffix}")
            if not path.exists() and not (any(word.startswith("--sp") for word in words) and first.exists()):
                return f"exit code 0 without {output}"
        return None if asked else "exit code 0 without an output"
