"""Twenty thousand frames: what is resident after a fifth of them is all that ever is."""

import re
import subprocess

from trial import MEGABYTE, Part, execute, resident, trouble

FRAMES = 20_000
# Of what malloc keeps, and of tables that a movie's index needs, which is some 16 bytes a frame.
GROWTH = 6 * MEGABYTE


class Memory(Part):
    name = "memory"
    rounds = 5
    # Two would share the processor; it is memory that counts.
    jobs = 2

    def prepare(self):
        clips = self.options.folder / "clips"
        clips.mkdir(exist_ok=True)
        self.clip = clips / "steady.mp4"
        if not self.clip.exists():
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=s=64x48:r=50:d={FRAMES / 50}",
                            "-f", "lavfi", "-i", f"sine=d={FRAMES / 50}", "-c:v", "libx264", "-preset", "ultrafast",
                            "-c:a", "aac", str(self.clip)], check=True)

    def case(self, number, folder, chance):
        kinds = [
            ["-i", "testsrc", "--size", "64x48", "-e", "separateRGB", "-o", "out.mov"],
            ["-i", str(self.clip), "-o", "out.mkv"],
            ["-i", "testsrc", "--size", "64x48", "-e", "gaussianBlur", "-o", "null"],
            ["-i", "testsrc", "--size", "64x48", "--realtime", "--fps", "1000", "-o", "out.mp4"],
            ["-i", str(self.clip), "-e", "vignette", "-o", "out.y4m"],
        ]
        frames = FRAMES
        words = [self.options.kfrec, *kinds[number % len(kinds)], "--frames", str(frames), "--progress", "json"]
        log = folder / "progress"
        samples = []

        def watch(process):
            samples.append(resident(process))

        ran = execute(words, folder, self.options, limit=1200, watch=watch)
        log.write_text("\n".join(map(str, samples)))
        wrong = trouble(ran, (0,))
        if wrong or ran.stopped:
            return wrong or "not done after 20 minutes", ran
        # The run's own start and end aside: the frames go by at a steady pace.
        early, late = samples[len(samples) // 5:len(samples) // 4], samples[-max(len(samples) // 20, 2):-1]
        grown = max(late, default=0) - max(early, default=0)
        line = f"{' '.join(words[1:-4])}: {max(early, default=0) / MEGABYTE:.1f} MB, then {max(late, default=0) / MEGABYTE:.1f} MB"
        with self.lock:
            self.notes.append(re.sub(re.escape(str(self.clip)), "clip", line))
        return (f"memory grew by {grown / MEGABYTE:.1f} MB: {line}" if grown > GROWTH else None), ran
