"""Plays the tests again and again, and says what failed, with the seeds that repeat it, and how often.

Usage: python tools/flaky.py [-n 20] [--busy 2] [COMMAND …]. Without a command it plays what CI plays, all steps though
one fails. The whole output of each run stays in a folder, which is named at the end. `--busy` gives the machine that
much other work. The exit code is 1 if anything failed.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CI = [".ci/run"]
SEEDS = re.compile(r"FAULTS_SEED=\d+|--randomly-seed=\d+")
STEP = re.compile(r"=== (.*)")
FAILED = re.compile(r"(?:FAILED|ERROR) (tests/\S+)")


def failures_of(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Each test that failed, and how to repeat the run in which it did: its step and its seeds."""
    step, seeds = "", {}
    for line in lines:
        if found := STEP.match(line):
            step, seeds = found[1], {}
        for seed in SEEDS.findall(line):
            seeds.setdefault(seed.partition("=")[0], seed)
        if found := FAILED.match(line):
            yield found[1], " ".join([step, *seeds.values()]).strip()


def play(command: list[str], output: Path) -> tuple[int, list[tuple[str, str]]]:
    """The exit code of one run, and its failures."""
    with output.open("w") as told:
        ended = subprocess.run(  # noqa: S603 - what the person who starts this wants to play
            command,
            cwd=ROOT,
            env=os.environ | {"GO_ON": "1"},
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=subprocess.STDOUT,
            check=False,
        )
    with output.open(errors="replace") as told:
        return ended.returncode, list(failures_of(told))


@contextmanager
def busy(number: int) -> Iterator[None]:
    """So many processes beside the tests that never rest."""
    spinning = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(spinning) for _ in range(number)]  # noqa: S603
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-n", type=int, default=20, metavar="RUNS", help="how often (20)")
    parser.add_argument("--busy", type=int, default=0, help="busy processes beside it (none)")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what to play (.ci/run)")
    asked = parser.parse_args()
    command = asked.command or CI
    folder = Path(tempfile.mkdtemp(prefix="socialsite-flaky-"))
    failed: Counter[str] = Counter()
    broken = 0
    with busy(asked.busy):
        for run in range(1, asked.n + 1):
            begun, output = time.monotonic(), folder / f"run-{run}.log"
            code, failures = play(command, output)
            broken += code != 0
            ended = "failed" if code else "passed"
            print(f"run {run} of {asked.n}: {ended} after {time.monotonic() - begun:.0f} s")
            for test, repeated_by in failures:
                print(f"  {test}  ({repeated_by})")
            if code and not failures:
                print(f"  no test failed, but the run did: see {output}")
            sys.stdout.flush()
            failed.update(test for test, _ in failures)
    print(
        f"{asked.n} runs: {asked.n - broken} passed, {broken} failed; their output is in {folder}"
    )
    for test, times in failed.most_common():
        print(f"  {times}× {test}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
