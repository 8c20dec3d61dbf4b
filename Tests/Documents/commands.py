"""Runs what the pages tell to type, and checks the options of what cannot be run here."""

import dataclasses
import os
import re
import shlex
import shutil
import subprocess
import time

import messages

# A recording of a page that hangs must not hang the test.
LIMIT = 60
# Options of other programs, which stand alone in sentences.
OTHERS = {
  "--dependency", "--gpus", "--gres", "--headless", "--only", "--open-mode", "--requeue", "--signal", "--sshlogin"}
TAGS = re.compile(r"^(sh run|console|sh no-run: .+|glsl check(?: \S+)?|\w+ file: \S+|message)$")


@dataclasses.dataclass
class Result:
  """What one page gave."""

  problems: list = dataclasses.field(default_factory=list)
  counts: dict = dataclasses.field(default_factory=dict)
  slow: list = dataclasses.field(default_factory=list)

  def count(self, name, number=1):
    self.counts[name] = self.counts.get(name, 0) + number


class Shell:
  """A folder for each page, in which bash finds `kfrec` and the inputs."""

  def __init__(self, root, program, work, inputs):
    self._root, self._work, self._inputs = root, work, inputs
    tools = work / "bin"
    shutil.rmtree(tools, ignore_errors=True)
    tools.mkdir(parents=True)
    shutil.rmtree(work / "home", ignore_errors=True)
    (work / "home").mkdir()
    # Pages name out.mov again and again, as a reader would with -y.
    (tools / "kfrec").write_text(
      "#!/bin/bash\nagain=(-y) output=\n"
      'for word; do case $word in -o|--output|--save-preset|-o?*) output=1 ;; '
      "-y|-n|--overwrite|--no-overwrite|preview|play|batch) again=() ;; esac; done\n"
      '[ -n "$output" ] || again=()\n'
      f'exec {shlex.quote(str(program))} "${{again[@]}}" "$@"\n')
    (tools / "kfrec").chmod(0o755)
    self._program = program
    self._environment = dict(
      os.environ, PATH=f"{tools}:{os.environ['PATH']}", KFREC_EFFECTS=str(root / "Effects"), LC_ALL="C.UTF-8",
      XDG_CACHE_HOME=str(work / "cache"), HOME=str(work / "home"), COLUMNS="200")
    # What a person's own session would lend to it.
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
      self._environment.pop(name, None)
    usage = self._help()
    self._options = {"": options(usage)}
    for command in set(re.findall(r"^  kfrec ([a-z]+)(?= |$)", usage, re.MULTILINE)):
      self._options[command] = options(self._help(command))

  def _help(self, *command):
    return self._run(["kfrec", *command, "--help"], self._work)[1]

  def _run(self, words, folder):
    done = subprocess.run(
      words, cwd=folder, env=self._environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
      stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT)
    return done.returncode, done.stdout

  def try_page(self, page, texts):
    """Runs the marked blocks of a page, one after the other in one folder."""
    result = Result()
    folder = self._work / "pages" / page.name.replace("/", "-")
    shutil.rmtree(folder, ignore_errors=True)
    if any(TAGS.match(block.kind) for block in page.blocks):
      # Hard links: a command that wrote into an input would be refused by kfrec, and harms no other page's names.
      shutil.copytree(self._inputs, folder, copy_function=os.link)
    for block in page.blocks:
      try:
        self._try(block, f"{page.name}:", folder, result, texts)
      except subprocess.TimeoutExpired:
        result.problems.append(f"{page.name}:{block.first}: not done after {LIMIT} s")
    shutil.rmtree(folder, ignore_errors=True)
    return result

  def _try(self, block, page, folder, result, texts):
    kind = block.kind
    if kind == "sh run":
      for number, line in statements(block):
        self._expect(0, line, f"{page}{number}", folder, result)
    elif kind == "console":
      self._console(block, page, folder, result)
    elif kind.startswith("sh no-run: "):
      for number, line in statements(block):
        for words in programs(line):
          result.count("commands checked only")
          self._check_words(words, f"{page}{number}", folder, result)
    elif kind.startswith("glsl check"):
      name = kind[len("glsl check "):] or f"block{block.first}.comp"
      (folder / name).write_text("\n".join(block.lines) + "\n")
      self._expect(0, f"kfrec check --strict ./{name}", f"{page}{block.first}", folder, result)
    elif " file: " in kind:
      (folder / kind.split(" file: ")[1]).write_text("\n".join(block.lines) + "\n")
    elif kind == "message":
      for number, line in enumerate(block.lines, block.first):
        result.count("messages")
        part = texts.missing(line.removeprefix("kfrec: ").removeprefix("warning: "))
        if part:
          result.problems.append(f"{page}{number}: no source says {part!r}")
    elif kind.split(" ")[0] in ("sh", "bash", "shell") and any(any(programs(line)) for line in block.lines):
      result.problems.append(f"{page}{block.first}: mark the block as 'sh run' or 'sh no-run: REASON'")

  def _expect(self, code, line, place, folder, result):
    result.count("commands run")
    started = time.monotonic()
    status, output = self._run(["bash", "-o", "pipefail", "-c", line], folder)
    seconds = time.monotonic() - started
    if seconds > float(os.environ.get("SLOW", 5)):
      result.slow.append((place, seconds, line))
    if status != code:
      result.problems.append(f"{place}: exit code {status}: {line}\n    " + "\n    ".join(output.splitlines()[-6:]))

  def _console(self, block, page, folder, result):
    """A session: lines behind $ are typed, the others must be printed, in this order and without gaps being an error."""
    output, status = [], 0
    for number, line in enumerate(block.lines, block.first):
      place = f"{page}{number}"
      if line == "$ echo $?":
        output = [str(status)]
      elif line.startswith("$ "):
        result.count("commands run")
        status, text = self._run(["bash", "-o", "pipefail", "-c", line[2:]], folder)
        output = text.splitlines()
      elif line:
        result.count("messages")
        found = next((i for i, printed in enumerate(output) if messages.matches(line, printed)), None)
        if found is None:
          result.problems.append(f"{place}: not printed: {line}\n    " + "\n    ".join(output[:8]))
        else:
          output = output[found + 1:]

  def _check_words(self, words, place, folder, result):
    """Checks the words of a command that is not run: kfrec reads all of them, and records nothing."""
    problem = self._unknown_option(words)
    if problem:
      result.problems.append(f"{place}: {problem}")
    elif not any(word in self._options for word in words[1:2]):
      kept = [word for i, word in enumerate(words[1:]) if word not in ("-o", "-y") and words[i] != "-o"]
      status, output = self._run(["kfrec", *kept, "--save-preset", "checked.kfpreset"], folder)
      if status != 0:
        result.problems.append(f"{place}: {shlex.join(words)}\n    {output.strip()}")

  def _unknown_option(self, words):
    command = words[1] if len(words) > 1 and words[1] in self._options else ""
    for word in words[1:]:
      option = word.split("=")[0]
      if re.fullmatch(r"--?[a-z][a-z-]*", option) and option not in self._options[command]:
        return f"kfrec {command} has no option {option}"
    return None

  def check_options(self, pages, problems):
    """Checks the options of every command line in a page that is not marked to be run, and of options alone in a sentence."""
    known = set().union(*self._options.values())
    for page in pages:
      for number, text in page.spans:
        if page.name == "CHANGELOG.md":
          continue
        if text.startswith("kfrec "):
          for words in programs(text):
            problem = self._unknown_option(words)
            if problem:
              problems.append(f"{page.name}:{number}: {problem}: {text}")
        elif re.match(r"--[a-z]", text):
          for option in sorted(options(text) - known - OTHERS):
            problems.append(f"{page.name}:{number}: no command has the option {option}: {text}")


def options(text):
  """Returns the options that a text names."""
  return set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text))


def statements(block):
  """Yields the numbered command lines of a block; a line that ends with a backslash or a bar goes on in the next."""
  text, first = "", 0
  for number, line in enumerate(block.lines, block.first):
    if not text:
      first = number
    text += line
    if line.endswith("\\") or line.rstrip().endswith("|"):
      text = text[:-1] if line.endswith("\\") else text + "\n"
      continue
    if text.strip() and not text.lstrip().startswith("#"):
      yield first, text
    text = ""


def programs(line):
  """Yields the words of each kfrec in a command line."""
  lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
  lexer.whitespace_split = True
  lexer.commenters = "#"
  current = None
  try:
    words = list(lexer)
  except ValueError:
    # Half a command, as in a sentence.
    return
  for word in words + [";"]:
    if re.fullmatch(r"[|&;<>]+", word):
      if current:
        yield current
      current = None
    elif word == "kfrec" and current is None:
      current = [word]
    elif current is not None:
      current.append(word)
