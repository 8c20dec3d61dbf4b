"""Disks that become full: small file systems in memory where they may be mounted, else limits on a file's size."""

import os
import pathlib
import subprocess

from trial import Part, execute, pictures_in, trouble

OUTPUTS = ["out.mov", "out.mp4", "out.mkv", "out.y4m", "out-%03d.png", "out.png"]


class Disks(Part):
    name = "disks"
    rounds = 40
    # So that what cannot be mounted is told once.
    jobs = 1

    def prepare(self):
        self.mounts = os.geteuid() == 0
        at = self.options.folder / "disk"
        at.mkdir(exist_ok=True)
        if self.mounts and not self.mount(at, 64):
            self.mounts = False
        if self.mounts:
            self.unmount(at)
        else:
            self.notes.append("no file system can be mounted here: only limits on a file's size were tried")

    @staticmethod
    def mount(at, kilobytes):
        return subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "torture", str(at)],
                              capture_output=True, check=False).returncode == 0

    @staticmethod
    def unmount(at):
        subprocess.run(["umount", str(at)], capture_output=True, check=False)

    def case(self, number, folder, chance):
        kilobytes = chance.choice([4, 16, 64, 100, 200, 500, 1000, 3000])
        limited = not self.mounts or chance.random() < 0.3
        at = folder / "disk"
        at.mkdir()
        if not limited:
            self.mount(at, kilobytes)
        try:
            return self.record(chance, at, kilobytes, limited)
        finally:
            if not limited:
                self.unmount(at)

    def record(self, chance, at, kilobytes, limited):
        output = chance.choice(OUTPUTS)
        words = [self.options.kfrec, "-i", "testsrc", "--size", chance.choice(["320x240", "64x48"]), "--frames", "150",
                 "--crf", "10", "--progress", "json"]
        words += chance.choice([[], ["-e", "separateRGB"], ["--realtime", "--fps", "100"]])
        # Beside one on another disk, which is to have everything.
        second = chance.random() < 0.2 and "png" not in output
        words += ["-o", output] + (["-o", str(at.parent / "other.mkv")] if second else [])
        environment = {"XDG_CACHE_HOME": str(at / "cache")} if chance.random() < 0.3 else None
        ran = execute(words, at, self.options, environment=environment, file_size=kilobytes << 10 if limited else None)
        return trouble(ran, (0, 1, 3)) or self.judge(ran, at, output, second and not limited), ran

    @staticmethod
    def judge(ran, at, output, second):
        if ran.code and not ran.sentence:
            return f"exit code {ran.code} without a sentence"
        left = [path.name for path in at.iterdir() if path.name.endswith(".part")]
        if left and not any(name in ran.sentence for name in left):
            return f"exit code {ran.code} leaves {', '.join(left)} without a word"
        made = sorted(path for path in at.iterdir() if path.name.startswith("out") and path.name not in left)
        if ran.code == 1:
            return f"exit code 1 leaves {', '.join(p.name for p in made)}" if made else None
        if not ran.end:
            # On a disk that is full the objects have room: they go through a pipe.
            return f"exit code {ran.code} without an end object"
        frames = ran.end["outputs"][0]["frames"]
        if "%" in output:
            found = sum(pictures_in(path) == 1 for path in made)
            bad = found != len(made)
        else:
            found = pictures_in(pathlib.Path(at, output)) if made else 0
            bad = False
        # Of a file that had no room for a frame there is nothing to count.
        if bad or found != (frames if made else frames or 0):
            return f"exit code {ran.code}: {output} has {found} frames and the end says {frames}"
        if second:
            other = pictures_in(at.parent / "other.mkv")
            if other != 150:
                return f"the output on another disk has {other} frames of 150"
        return None
