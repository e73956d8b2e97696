"""Which function reads, writes, deletes or checks items of which type.

Nobody writes `uses.tsv`: the tests note it from the calls that they see, and a use that it lacks fails the test that
sees it (`tests/lens/recorder.py`).
"""

import csv
import inspect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from django.conf import settings

TABLE = Path(__file__).with_name("uses.tsv")
HEAD = ("item", "function", "does")
VERBS = ("read", "write", "delete", "check")


@dataclass(frozen=True, slots=True, order=True)
class Use:
    """A function, by its whole name, does something with items of a type."""

    item: str
    function: str
    verb: str

    def __str__(self) -> str:
        return f"{self.function} does a {self.verb} of {self.item}"


@dataclass(frozen=True, slots=True)
class Function:
    """Where a function stands, by the code that runs."""

    name: str
    file: str
    line: int
    does: str


def read_uses() -> Iterator[Use]:
    """Yields the uses of the file."""
    with TABLE.open(newline="") as file:
        for item, function, verbs in list(csv.reader(file, delimiter="\t"))[1:]:
            yield from (Use(item, function, verb) for verb in verbs.split())


def write_uses(uses: Iterable[Use]) -> None:
    """Writes the file, a sorted row for each item and function."""
    with TABLE.open("w", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(HEAD)
        for (item, function), found in groupby(sorted(uses), lambda use: (use.item, use.function)):
            verbs = {use.verb for use in found}
            writer.writerow([item, function, " ".join(verb for verb in VERBS if verb in verbs)])


@cache
def functions_of(item: str) -> dict[str, list[Function]]:
    """Returns the functions that use items of a type, by what they do."""
    found: dict[str, list[Function]] = {}
    for verb in VERBS:
        names = [use.function for use in read_uses() if use.item == item and use.verb == verb]
        if names:
            found[verb] = [function_of(name) for name in names]
    return found


@cache
def function_of(whole_name: str) -> Function:
    """Returns where `feed.access_patterns:list_posts` stands. Raises `ImportError` or `AttributeError` if it stands
    nowhere."""
    module, _, name = whole_name.partition(":")
    function: Any = import_module(module)
    for part in name.split("."):
        function = getattr(function, part)
    function = inspect.unwrap(function)
    file = Path(inspect.getsourcefile(function) or "").relative_to(settings.BASE_DIR)
    does = (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ").replace("`", "")
    return Function(name, str(file), inspect.getsourcelines(function)[1], does)
