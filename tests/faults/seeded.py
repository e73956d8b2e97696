"""Known bugs, to see that the tests see them. Each changes the text of one file in a copy of the tree.

Each bug's name says what is wrong with the code; `tests` is the smallest run that must fail on it. A text that is no
longer in its file fails the test of its bug, so that the list keeps up with the code.
"""

from dataclasses import dataclass

WORKER = "tests/streams/test_worker.py"
READING = "tests/table/test_reading.py"
WRITING = "tests/table/test_writing.py"
OWN = "tests/faults/test_caught_by_itself.py"
CRASH = "tests/faults/test_crash_points.py"
LATE = "tests/faults/test_late_writes.py"
FROZEN = "tests/faults/test_frozen_owner.py"


@dataclass(frozen=True, slots=True)
class Bug:
    name: str
    file: str
    changes: tuple[tuple[str, str], ...]  # what stands there once, and what instead
    tests: str
    only: str = ""  # pytest's -k


def bug(name: str, file: str, *changes: tuple[str, str], tests: str, only: str = "") -> Bug:
    return Bug(name, file, changes, tests, only)
