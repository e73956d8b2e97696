"""Makes the tables of docs/access-patterns.md, from the docstrings of the access patterns and what tests saw them use.

A docstring says first what is asked, and in sentences of its own with which calls and units; both are shown as they
stand there. `make documents` writes the tables, a test says when they are stale. What stands between them in the
document is written by hand.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from django.conf import settings

from lens.chart import shapes
from lens.patterns import (
    NUMBERS,
    SENTENCE,
    VERBS,
    access_patterns,
    published,
    read_uses,
    said,
    whole_name,
)
from socialsite import keys
from socialsite.due.work import WORK
from socialsite.streams.dispatch import handlers_by_change, load_handlers
from socialsite.streams.jobs import STEPS

DOCUMENT = settings.BASE_DIR / "docs" / "access-patterns.md"
MADE = re.compile(r"(<!-- made: (\w+) -->\n)(?:.*?\n)??(<!-- end -->)", re.DOTALL)

ROOMS = {  # in the order of the document, for readers who come for the social network
    "accounts": "Accounts",
    "relations": "Relations",
    "photos": "Photos",
    "feed": "Posts and timelines",
    "tags": "Tags",
    "finding": "Search",
    "notifications": "Notifications",
    "chats": "Messages",
    "moderation": "Moderation",
    "site_votes": "Site votes",
    "privacy": "Exports and erasure",
    "costs": "Costs",
    "lens": "The lens",
    "socialsite": "The table’s own work",
    "operations": "Operations",
}

MOST_WITH_KEYS = 2  # item types whose keys are written out in a row


@dataclass(frozen=True, slots=True)
class Row:
    """An access pattern, or a function that the worker runs."""

    name: str
    module: str
    file: str
    line: int
    does: str
    costs: str
    after: str = ""  # what it follows, of the worker's

    @property
    def room(self) -> str:
        return self.module.partition(".")[0]

    @property
    def place(self) -> str:
        """Returns the package of its behaviour: `feed.likes`, or the room itself."""
        _, *inner = self.module.split(".")
        return ".".join([self.room, *inner[:1]]) if len(inner) > 1 else self.room

    @property
    def link(self) -> str:
        return f"[`{self.name.rpartition('.')[2]}`](../{self.file})"

    @property
    def items(self) -> str:
        """Returns what it does with which items, with the keys of those if they are few."""
        used = _used().get(f"{self.module}:{self.name}", {})
        shown = _with_keys if len(used) <= MOST_WITH_KEYS else str
        by_verbs: dict[str, list[str]] = {}
        for item, verbs in used.items():
            by_verbs.setdefault(", ".join(verbs), []).append(shown(item))
        return "; ".join(f"{verbs} {', '.join(items)}" for verbs, items in by_verbs.items())


def made(text: str) -> str:
    """Returns the document with all its tables made anew."""
    return MADE.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n\n{found[3]}", text)


def _chart() -> str:
    """The key chart, as it stands in `socialsite/keys/__init__.py`."""
    return "\n".join(line for line in (keys.__doc__ or "").splitlines() if line.startswith("|"))


def _seven() -> str:
    rows = sorted(
        (row for row in patterns() if row.name in NUMBERS), key=lambda row: NUMBERS[row.name]
    )
    lines = [
        f"| {NUMBERS[row.name]} | {published(row.name)} | {row.link} | {row.does} | {row.costs} |"
        for row in rows
    ]
    head = "| # | Published as | Function | What is asked | Key condition, calls and units |"
    return "\n".join([head, "|---|---|---|---|---|", *lines])


def _contents() -> str:
    rooms = {row.room for row in patterns()}
    titles = [title for room, title in ROOMS.items() if room in rooms]
    return " · ".join(
        f"[{title}](#{re.sub(r'[^a-z -]', '', title.lower()).replace(' ', '-')})"
        for title in titles
    )


def _by_behaviour() -> str:
    return "\n\n".join(_sections(patterns(), "What | Function | Items | Calls and units"))


def _by_worker() -> str:
    return "\n\n".join(_sections(worker_functions(), "After | Function | What | Calls and units"))


TABLES: dict[str, Callable[[], str]] = {
    "chart": _chart,
    "seven": _seven,
    "contents": _contents,
    "patterns": _by_behaviour,
    "worker": _by_worker,
}


def _sections(rows: list[Row], head: str) -> Iterator[str]:
    order = list(ROOMS)
    placed = sorted(rows, key=lambda row: (order.index(row.room), row.place, _rank(row), row.line))
    for room, of_room in groupby(placed, key=lambda row: row.room):
        yield f"### {ROOMS[room]}"
        for place, of_place in groupby(of_room, key=lambda row: row.place):
            yield f"**`{place.replace('.', '/')}/`** {_subject(place)}"
            yield "\n".join([f"| {head} |", "|---|---|---|---|", *map(_line, of_place)])


def _line(row: Row) -> str:
    first = (row.after, row.link, row.does) if row.after else (row.does, row.link, row.items)
    return f"| {' | '.join((*first, row.costs))} |"


def _rank(row: Row) -> tuple[bool, str]:
    """Questions stand before what writes."""
    used = _used().get(f"{row.module}:{row.name}", {})
    return (any(verbs != ["reads"] for verbs in used.values()), row.file)


def _subject(place: str) -> str:
    """Returns the first sentence of a package's docstring, which says what it is about."""
    beginning = (import_module(place).__doc__ or "").partition("\n\n")[0]
    return SENTENCE.split(" ".join(beginning.split()))[0]


@cache
def patterns() -> list[Row]:
    return [_row(function) for function in access_patterns()]


@cache
def worker_functions() -> list[Row]:
    """Returns what the stream worker and the clock run: handlers of changes, steps of jobs, and work that is due. Those
    that are access patterns stand with these."""
    load_handlers()
    after: dict[Callable[..., Any], list[str]] = {}
    for (model, event), registered in handlers_by_change().items():
        for handler in registered:
            after.setdefault(handler, []).append(f"{model.__name__} {event}")
    for kind, step in STEPS.items():
        after.setdefault(step, []).append(f"job `{kind}`")
    for kind, work in WORK.items():
        after.setdefault(work, []).append(f"due `{kind}`")
    return [
        _row(function, after=_joined(changes))
        for function, changes in after.items()
        if not (getattr(function, "is_access_pattern", False) or function.__name__.startswith("_"))
    ]


def _joined(changes: list[str]) -> str:
    """Returns `Like INSERT, REMOVE` for both changes of a like."""
    events_of: dict[str, list[str]] = {}
    for change in changes:
        item, _, event = change.partition(" ")
        events_of.setdefault(item, []).append(event)
    return "; ".join(f"{item} {', '.join(sorted(events))}" for item, events in events_of.items())


def _row(function: Callable[..., Any], *, after: str = "") -> Row:
    wrapped = inspect.unwrap(function)
    module, _, name = whole_name(function).partition(":")
    file = Path(inspect.getsourcefile(wrapped) or "").relative_to(settings.BASE_DIR)
    does, costs = said(wrapped)
    does = does.removeprefix("Returns ").removeprefix("Yields ")
    line = inspect.getsourcelines(wrapped)[1]
    return Row(name, module, str(file), line, f"{does[:1].upper()}{does[1:]}", costs, after)


def _with_keys(item: str) -> str:
    shape = shapes()[item]
    return f"{item} (`{shape.partition}`, `{shape.sort}`)"


@cache
def _used() -> dict[str, dict[str, list[str]]]:
    """Returns, by whole name, what a function does with each type of items, from `uses.tsv`."""
    found: dict[str, dict[str, list[str]]] = {}
    for use in sorted(read_uses(), key=lambda use: (use.item, VERBS.index(use.verb))):
        found.setdefault(use.function, {}).setdefault(use.item, []).append(f"{use.verb}s")
    return found
