"""`kill -9` at a random moment of live and file runs; what was there must be playable, and stay so."""

import subprocess

from trial import Part, check_output, execute, pictures_in, trouble

ENDINGS = ["mov", "mov", "mp4", "mkv", "y4m"]


class Kills(Part):
    name = "kills"
    rounds = 30

    def prepare(self):
        clips = self.options.folder / "clips"
        clips.mkdir(exist_ok=True)
        self.clip = clips / "long.mkv"
        if not self.clip.exists():
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=30", "-f",
                            "lavfi", "-i", "sine=d=30", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac",
                            str(self.clip)], check=True)

    def case(self, number, folder, chance):
        output = folder / f"out.{chance.choice(ENDINGS)}"
        is_live = number % 2 == 0
        source = ["-i", "testsrc", "--size", "320x240"] if chance.random() < 0.5 else ["-i", str(self.clip)]
        words = [self.options.kfrec, *source, "--progress", "json", "-o", output.name]
        words += ["--realtime"] if is_live else []
        words += ["-e", "separateRGB"] if chance.random() < 0.5 else []
        moment = chance.uniform(0, 1) if number % 3 == 0 else chance.uniform(0.3, 5)
        first = execute(words, folder, self.options, kill_after=moment)
        if first.code is not None:
            return trouble(first), first
        if first.signal != 9 or first.swollen or first.hung:
            return trouble(first), first
        reports = [event for event in first.events if event["type"] == "progress"]
        written = max([event.get("framesOut", 0) for event in reports], default=0)
        # A live recording reaches the disk in pieces of half a second.
        is_due = max([event.get("elapsed", 0) for event in reports], default=0) > 0.6
        part = folder / f"{output.name}.part"
        # A file's recording can be made again; what was played through once cannot.
        before = pictures_in(part) if part.exists() else None
        if is_live and is_due and written and not before:
            return f"killed after {moment:.2f} s with {written} frames reported: {part.name} is " + (
                "not there" if not part.exists() else f"not playable, {part.stat().st_size} bytes"), first
        size = part.stat().st_size if part.exists() else 0
        again = execute([self.options.kfrec, "-y", "-i", "testsrc", "--size", "64x48", "--frames", "5", "--progress",
                         "json", "-o", output.name], folder, self.options)
        wrong = trouble(again, (0,)) or check_output(again, output, 5)
        if wrong:
            return f"the next run: {wrong}", again
        if not before:
            return None, first
        kept = [path for path in folder.iterdir() if ".recovered" in path.name]
        if is_live and len(kept) != 1:
            return f"the next run kept {len(kept)} of one recording with {before} frames ({size} bytes)", again
        if kept and pictures_in(kept[0]) != before:
            return f"{kept[0].name} has {pictures_in(kept[0])} frames, and had {before}", again
        return None, first
