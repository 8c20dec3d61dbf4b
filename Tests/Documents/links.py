"""Links between files: the file exists and is part of the repository, and so does the heading behind #."""

import os
import urllib.parse


def check(files, all_pages, pages, problems):
  """Returns the number of relative links; what leads nowhere is added to `problems`."""
  folders = {os.path.dirname(name) for name in files}
  folders |= {folder[:i] for folder in folders for i, letter in enumerate(folder) if letter == "/"}
  count = 0
  for page in pages:
    for number, link in page.links:
      parts = urllib.parse.urlsplit(link)
      if parts.scheme or parts.netloc:
        continue
      count += 1
      place = f"{page.name}:{number}"
      target = page.name
      if parts.path:
        target = os.path.normpath(os.path.join(os.path.dirname(page.name), urllib.parse.unquote(parts.path)))
      if target not in files and target not in folders:
        problems.append(f"{place}: there is no {target}")
      elif parts.fragment:
        if target not in all_pages:
          problems.append(f"{place}: {target} has no headings, so #{parts.fragment} leads nowhere")
        elif urllib.parse.unquote(parts.fragment) not in all_pages[target].anchors:
          problems.append(f"{place}: {target} has no heading #{parts.fragment}")
  return count
