"""One run of a program under a limit of time and memory, and the findings of many."""

import json
import os
import pathlib
import random
import resource
import shlex
import shutil
import signal
import subprocess
import threading
import time

MEGABYTE = 1 << 20
# What a person would wait after one Ctrl-C, in seconds.
PATIENCE = 20


class Ran:
    """How a run ended: `code` is nil (None) after a signal of its own, `signal` after an exit."""

    def __init__(self, words, folder):
        self.words, self.folder = words, folder
        self.code = self.signal = None
        self.stopped = self.hung = self.swollen = False
        self.stdout = self.stderr = b""
        self.peak = 0

    @property
    def events(self):
        """The objects of `--progress json`, a broken last one left out."""
        found = []
        for line in self.stdout.splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                pass
        return [event for event in found if isinstance(event, dict)]

    @property
    def end(self):
        return next((event for event in self.events if event.get("type") == "end"), None)

    @property
    def sentence(self):
        return self.stderr.decode(errors="replace").strip()


class Options:
    """What the command line of `run` says."""

    def __init__(self, kfrec, folder, seed, rounds, seconds, limit, memory):
        self.kfrec, self.folder, self.seed = kfrec, folder, seed
        self.rounds, self.seconds, self.limit, self.memory = rounds, seconds, limit, memory
        self.caches = folder / "caches"


def execute(words, folder, options, *, limit=None, environment=None, stdin=None, file_size=None, kill_after=None,
            watch=None):
    """Runs a program; past the time limit it gets SIGINT, as from Ctrl-C, and is killed when that does not end it.

    `kill_after` seconds it is killed at once. `watch` is called with its process number while it runs.
    """
    ran = Ran(words, folder)
    own = {"XDG_CACHE_HOME": str(options.caches), "MESA_SHADER_CACHE_DIR": str(options.caches),
           # A crash is found by its signal; the printing of the stack takes seconds.
           "SWIFT_BACKTRACE": "enable=no"}

    def prepare():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # A shell has what it starts in the background ignore it.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if file_size is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))

    with open(os.devnull, "rb") as nothing:
        child = subprocess.Popen(
            [str(word) for word in words], cwd=folder, env={**os.environ, **own, **(environment or {})},
            stdin=stdin or nothing, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
            preexec_fn=prepare, restore_signals=True)
    texts = [b"", b""]

    def gather(place, pipe):
        texts[place] = pipe.read()

    readers = [threading.Thread(target=gather, args=pair) for pair in enumerate((child.stdout, child.stderr))]
    for reader in readers:
        reader.start()
    start = time.monotonic()
    limit = limit or options.limit
    pause = 0.005
    while True:
        number, status, usage = os.wait4(child.pid, os.WNOHANG)
        if number:
            break
        passed = time.monotonic() - start
        if kill_after is not None and passed >= kill_after:
            os.kill(child.pid, signal.SIGKILL)
        elif resident(child.pid) > options.memory:
            ran.swollen = True
            os.kill(child.pid, signal.SIGKILL)
        elif passed > limit + PATIENCE:
            ran.hung = True
            os.kill(child.pid, signal.SIGKILL)
        elif passed > limit and not ran.stopped:
            ran.stopped = True
            os.kill(child.pid, signal.SIGINT)
        if watch:
            watch(child.pid)
        time.sleep(pause)
        pause = min(pause * 1.2, 0.05)
    for reader in readers:
        reader.join()
    child.stdout.close()
    child.stderr.close()
    child.returncode = 0
    ran.stdout, ran.stderr = texts
    ran.peak = usage.ru_maxrss << 10
    if os.WIFSIGNALED(status):
        ran.signal = os.WTERMSIG(status)
    else:
        ran.code = os.WEXITSTATUS(status)
    return ran


def resident(process):
    try:
        pages = int(pathlib.Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * resource.getpagesize()


def trouble(ran, codes=(0, 1, 2, 3)):
    """What is wrong with any run, whatever it was asked for; nil where nothing is."""
    if ran.swollen:
        return f"memory above the limit, {ran.peak // MEGABYTE} MB"
    if ran.hung:
        return "hung, and did not hear Ctrl-C"
    if ran.signal is not None:
        return f"ended by signal {ran.signal} ({signal.Signals(ran.signal).name})"
    if ran.code not in codes:
        return f"exit code {ran.code}"
    if ran.code != 0 and not ran.sentence and not ran.stdout:
        return f"exit code {ran.code} without a sentence"
    return None


def pictures_in(path, whatever_sound=False):
    """How many pictures FFmpeg decodes from a file, edit lists left aside; None where it cannot read it.

    ffprobe reads nothing where one stream cannot be decoded; `whatever_sound` asks ffmpeg for the pictures alone.
    """
    if whatever_sound:
        asked = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framecrc", "-"],
            capture_output=True, text=True, timeout=120, check=False)
        return sum(not line.startswith("#") for line in asked.stdout.splitlines()) if asked.returncode == 0 else None
    # A sequence's picture, a movie or y4m: what counts is what the file holds.
    asked = subprocess.run(
        ["ffprobe", "-v", "error", "-ignore_editlist", "1", "-count_frames", "-select_streams", "v:0",
         "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", str(path)],
        capture_output=True, text=True, timeout=120, check=False)
    if asked.returncode != 0 and "ignore_editlist" in asked.stderr:
        asked = subprocess.run(
            ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0",
             "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", str(path)],
            capture_output=True, text=True, timeout=120, check=False)
    count = asked.stdout.strip().splitlines()
    return int(count[0].strip(",")) if asked.returncode == 0 and count and count[0].strip(",").isdigit() else None


def check_output(ran, path, frames):
    """What is wrong with a file that a run says it has written with so many frames; None where nothing is."""
    if not path.exists():
        return f"exit code {ran.code} without {path.name}"
    found = pictures_in(path, whatever_sound="FFmpeg cannot decode the" in ran.sentence)
    if found is None:
        return f"exit code {ran.code}, and ffprobe cannot read {path.name}"
    if found != frames:
        return f"exit code {ran.code}, {path.name} has {found} frames and the end says {frames}"
    return None


class Part:
    """One kind of torture: makes cases by their number, always the same for a seed, and gathers findings.

    A subclass says its `name`, how many `rounds` it does unless told, and `case(number, folder, random)`,
    which returns what was found wrong with a run and that run, or (None, run).
    """

    name = ""
    rounds = 0
    # Cases may run beside each other.
    jobs = 2

    def __init__(self, options):
        self.options = options
        self.count = 0
        self.codes = {}
        self.findings = []
        self.notes = []
        self.lock = threading.Lock()

    def prepare(self):
        """Makes what all cases use."""

    def run(self):
        self.prepare()
        total = self.options.rounds or self.rounds
        numbers = iter(range(total))
        deadline = time.monotonic() + self.options.seconds if self.options.seconds else None
        workers = [threading.Thread(target=self.work, args=(numbers, deadline)) for _ in range(self.jobs)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def work(self, numbers, deadline):
        while deadline is None or time.monotonic() < deadline:
            with self.lock:
                number = next(numbers, None)
            if number is None:
                return
            folder = self.options.folder / "work" / f"{self.name}-{number}"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            chance = random.Random(f"{self.options.seed}/{self.name}/{number}")
            try:
                wrong, ran = self.case(number, folder, chance)
            except (OSError, subprocess.SubprocessError) as error:
                # The trial itself failed: that is one too, for nothing was shown.
                wrong, ran = f"the case could not be run: {error}", Ran([], folder)
            with self.lock:
                self.count += 1
                key = "stopped" if ran.stopped else ran.code if ran.signal is None else f"signal {ran.signal}"
                self.codes[key] = self.codes.get(key, 0) + 1
                if wrong:
                    self.report(number, wrong, ran, folder)
            shutil.rmtree(folder, ignore_errors=True)

    def report(self, number, wrong, ran, folder):
        self.findings.append((number, wrong))
        command = shlex.join(str(word) for word in ran.words)
        print(f"{self.name} {number}: {wrong}\n    {command[:600]}\n    {ran.sentence[-240:]}", flush=True)
        kept = self.options.folder / "findings" / f"{self.name}-{number}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept, symlinks=True, ignore=lambda at, names: [
            name for name in names if not (pathlib.Path(at, name).is_file() or pathlib.Path(at, name).is_dir())])
        (kept / "what").write_text(f"{wrong}\nin {folder}:\n{command}\n\n{ran.sentence}\n")
        (kept / "stdout").write_bytes(ran.stdout[-MEGABYTE:])

    def case(self, number, folder, chance):
        raise NotImplementedError
