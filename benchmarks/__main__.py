"""What does the site cost? `python -m benchmarks [NAME …]` measures all of it, in about half an hour, or what is named.

Each benchmark runs in a process of its own, one after the other, and prints its own tables. One table at the end has
all limits and goals. The exit status is 1 if a limit is missed or a benchmark failed. See docs/performance.md.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from benchmarks.bounds import KEPT_IN, Bound, bound_table, kept_bounds

BENCHMARKS = {
    "timeline": ("--large", "--rounds", "60"),
    "requests": ("--rounds", "25"),
    "readers": (),
    "overload": ("--rounds", "5"),
    "fanout": ("--rounds", "5"),
    "hot_post": ("--rounds", "5"),
    "page_load": ("--rounds", "5"),
    "uploads": (),
    "filters": (),
    "open_chats": (),
    "pushes": (),
    "live": (),
    "search": ("--entries", "10000", "100000"),  # a million takes half an hour more
}


def main() -> int:
    names = _names()
    console = Console()
    failed = []
    bounds: dict[str, list[Bound]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(names, 1):
            console.rule(f"{name}, {number} of {len(names)}")
            kept = Path(folder, name)
            kept.touch()
            command = [sys.executable, "-m", f"benchmarks.{name}", *BENCHMARKS[name]]
            status = subprocess.run(command, env=os.environ | {KEPT_IN: str(kept)}).returncode
            bounds[name] = kept_bounds(kept)
            if status and not any(not bound.held for bound in bounds[name]):
                failed.append(name)
    found = [bound for of_name in bounds.values() for bound in of_name]
    console.rule("all")
    console.print(bound_table(found))
    if failed:
        console.print(f"Without a result, as their output says: {', '.join(failed)}.")
    return 1 if failed or not all(bound.held for bound in found) else 0


def _names() -> list[str]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    names: list[str] = parser.parse_args().names
    if unknown := set(names) - set(BENCHMARKS):
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    return names or list(BENCHMARKS)


if __name__ == "__main__":
    sys.exit(main())
