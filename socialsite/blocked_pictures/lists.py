"""Lists of hashes as files, as others exchange them: CSV in UTF-8, with a line that names the columns.

    sha256,md5,pdq
    2cf2…,5d41…,f8f8…
    ,,d8f8…

The columns are `sha256` and `md5`, of the file as it was, and `pdq`, the perceptual hash: hexadecimal, large or small.
A cell can be empty, and other columns are left out. An export has one hash on each line, and `added_at`.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from socialsite.blocked_pictures.reads import LENGTHS, Entry, HashKind

MOST_ROWS_OF_A_PAGE = 5_000
MOST_ROWS = 1_000_000
LONGEST_LINE = 10_000  # characters
COLUMNS = ("sha256", "md5", "pdq", "added_at")
HEX = re.compile("[0-9a-f]+")

Hash = tuple[HashKind, str]


class BadList(ValueError):
    """The file is no list of hashes. `told` says why, and `line` is where."""

    def __init__(self, told: Promise, line: int = 0) -> None:
        super().__init__(str(told) % {"line": line})
        self.told, self.line = told, line


def hash_of(value: str) -> list[Hash]:
    """Returns what a value can be: a SHA-256 or a PDQ, which are as long, or an MD5. None for anything else."""
    value = value.strip().lower()
    if not HEX.fullmatch(value):
        return []
    return [(kind, value) for kind, length in LENGTHS.items() if len(value) == length]


def read_list(content: bytes, *, most: int) -> list[Hash]:
    """Returns the hashes of a file, each once. Raises `BadList`: nothing of a list with an error is taken."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadList(_("This file is no text in UTF-8.")) from error
    return list(dict.fromkeys(_hashes(io.StringIO(text), most)))


def _hashes(lines: Iterable[str], most: int) -> Iterator[Hash]:
    csv.field_size_limit(LONGEST_LINE)
    reader = csv.reader(lines)
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        places = {kind: names.index(kind) for kind in HashKind if str(kind) in names}
        if not places:
            raise BadList(_("The first line names no column sha256, md5 or pdq."))
        for number, cells in enumerate(reader, 2):
            if number > most + 1:
                raise BadList(_("This list is too long."), number)
            yield from _of_line(cells, places, number)
    except csv.Error as error:
        raise BadList(_("Line %(line)s can’t be read."), reader.line_num) from error


def _of_line(cells: list[str], places: dict[HashKind, int], number: int) -> Iterator[Hash]:
    for kind, place in places.items():
        value = cells[place].strip().lower() if place < len(cells) else ""
        if not value:
            continue
        if len(value) != LENGTHS[kind] or not HEX.fullmatch(value):
            raise BadList(_("Line %(line)s has something that is no hash."), number)
        yield kind, value


def write_list(entries: Iterable[Entry]) -> Iterator[str]:
    """Yields the lines of an export."""
    yield ",".join(COLUMNS) + "\n"
    for entry in entries:
        cells = [entry.value if entry.kind == kind else "" for kind in HashKind]
        yield ",".join([*cells, entry.added_at]) + "\n"
