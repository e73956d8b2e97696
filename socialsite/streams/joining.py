"""Joins the archive's files: a batch of the stream makes a small one, and S3 leaves files below 128 KB where they are.

    archive/date=2026-11-02/whole/2026-11-02_2026-11-19_<hash of the lines>.jsonl.gz

A joined file holds removals of one month, of as many days as it takes to 128 KB. What a killed run leaves is finished
by the next one: before it writes a file, it notes in `archive/joining/` which files that one replaces, and deletes
these only when it stands. So each removal is in the archive at every moment, and readers, who know it by shard and
sequence, find it once. Two runs at once are safe too.
"""

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby

from socialsite.clock import utc_now
from socialsite.streams.archive import (
    DAY,
    ENDING,
    FOLDER,
    WHOLE,
    ColdFile,
    day_of_file,
    delete_drafts,
    delete_file,
    exists,
    list_files,
    list_notes,
    packed,
    read_lines,
    read_note,
    save_file,
    size_of,
)

LEAST = 128 * 1024  # bytes of a file that S3 moves into a cold class
SETTLED = timedelta(days=2)  # the stream is read within a day, so nothing comes to an older day
NOTES = f"{FOLDER}/joining"
DAMAGED = (EOFError, zlib.error, OSError, ValueError)  # what reading half a file raises

Mend = Callable[[str], str]
Lines = dict[tuple[str, str], tuple[str, str]]  # day and text by shard and sequence


@dataclass
class Joined:
    """What a run did: the files that it wrote with the number of those that each replaced, and those that it could not
    read, which stay as they are."""

    files: dict[str, int] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)


def join_files(*, mend: Mend = lambda line: line) -> Joined:
    """Joins the small files of all days but the last two. `mend` returns a line as it may be kept, empty if it may not.
    Safe to repeat: it finds nothing to do then. Raises `Unavailable` while the bucket cannot be reached."""
    delete_drafts()
    _finish()
    joined, settled = Joined(), (utc_now() - SETTLED).date().isoformat()
    names = [name for name in list_files() if day_of_file(name) < settled]
    for _, of_month in groupby(names, key=lambda name: day_of_file(name)[:7]):
        _join_month(list(of_month), mend, joined)
    return joined


def _join_month(names: Iterable[str], mend: Mend, joined: Joined) -> None:
    taken: list[str] = []
    lines: Lines = {}
    size, enough = 0, LEAST
    for name in names:
        try:
            if size_of(name) >= LEAST:
                continue
            found = {_place(line): _entry(line) for line in read_lines([name])}
        except FileNotFoundError:  # another run was quicker
            continue
        except (ColdFile, *DAMAGED):
            joined.left.append(name)
            continue
        lines = {**found, **lines}
        taken.append(name)
        size += sum(len(text) for _, text in found.values())
        if size >= enough:  # packing says whether it is, which takes a while
            enough = size + LEAST
            if len(packed(_text(lines, mend))) >= LEAST:
                _replace(taken, lines, mend, joined)
                taken, lines, size, enough = [], {}, 0, LEAST
    if len(taken) > 1:
        _replace(taken, lines, mend, joined)


def _place(line: dict[str, str]) -> tuple[str, str]:
    return line["shard"], line["sequence"]


def _entry(line: dict[str, str]) -> tuple[str, str]:
    text = json.dumps(line, ensure_ascii=False, sort_keys=True)
    return line["removed_on"], text


def _text(lines: Lines, mend: Mend) -> str:
    """Returns the lines by day, shard and sequence."""
    order = sorted(lines, key=lambda place: (lines[place][0], place))
    return "".join(mend(f"{lines[place][1]}\n") for place in order)


def _replace(taken: list[str], lines: Lines, mend: Mend, joined: Joined) -> None:
    """Writes a file of the lines, then deletes the files that they were in."""
    text, days = _text(lines, mend), sorted(day for day, _ in lines.values())
    if not text:
        for name in taken:
            delete_file(name)
        return
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    name = f"{FOLDER}/{DAY}{days[0]}/{WHOLE}/{days[0]}_{days[-1]}_{digest}{ENDING}"
    old = [one for one in taken if one != name]
    note = f"{NOTES}/{digest}.json"
    save_file(note, json.dumps({"file": name, "replaces": old}).encode())
    save_file(name, packed(text))
    _delete(old, note)
    joined.files[name] = len(old)


def _finish() -> None:
    """Ends what a killed run began. A file that stands has all that the files of its note had; one that does not leaves
    them as they are."""
    for note in list_notes(NOTES):
        with suppress(FileNotFoundError):  # another run was quicker
            begun = json.loads(read_note(note))
            _delete(begun["replaces"] if exists(begun["file"]) else [], note)


def _delete(names: Iterable[str], note: str) -> None:
    for name in names:
        delete_file(name)
    delete_file(note)
