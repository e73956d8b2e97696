"""The CSV files in which people take follows, blocks, mutes and circles with them, in Mastodon's formats.

Read strictly and within bounds, as anything may be uploaded; written row by row. What an account's address means here
is said in `imports.py`; whose rows are written, in `exports.py`.
"""

import csv
import re
from collections.abc import Sequence
from enum import StrEnum
from io import StringIO
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

MOST_BYTES = 1024 * 1024
MOST_ROWS = 5_000
LONGEST_LINE = 1_000  # characters
FORMULA = "=+-@"  # with these a spreadsheet begins a formula


class FileKind(StrEnum):
    """What is listed; the name of the file that Mastodon gives it."""

    FOLLOWS = "following_accounts"
    BLOCKS = "blocked_accounts"
    MUTES = "muted_accounts"
    CIRCLES = "lists"


HEADERS: dict[FileKind, Sequence[str]] = {
    FileKind.FOLLOWS: ("Account address", "Show boosts", "Notify on new posts", "Languages"),
    FileKind.BLOCKS: (),
    FileKind.MUTES: ("Account address", "Hide notifications"),
    FileKind.CIRCLES: (),
}
TELLING = {"show boosts": FileKind.FOLLOWS, "hide notifications": FileKind.MUTES}
ADDRESS, CIRCLE = "account address", "list name"


class BadFile(Exception):
    """The file cannot be used; the message says why, for the field."""


class Row(NamedTuple):
    account: str
    circle: str


def read_file(kind: FileKind, content: bytes) -> list[Row]:
    """The rows of an uploaded file in their order, blank ones left out. Raises `BadFile`.

    Nothing is ever unpacked: what is compressed is not UTF-8, or has a NUL in it.
    """
    cells = _cells(_lines(content))
    has_circles = kind == FileKind.CIRCLES
    column = 1 if has_circles else 0
    if cells and (header := [cell.strip().lower() for cell in cells[0]])[0] in (ADDRESS, CIRCLE):
        _refuse_other_kind(kind, header)
        cells = cells[1:]
        if ADDRESS in header:
            column = header.index(ADDRESS)
    if not cells:
        raise BadFile(_("There is nobody in this file."))
    if len(cells) > MOST_ROWS:
        raise BadFile(_("This file has more than 5,000 rows. Split it and import the parts."))
    return [
        Row(_cell(row, column), _unguarded(_cell(row, 0)) if has_circles else "") for row in cells
    ]


def too_large() -> BadFile:
    """Told before the file is read, where its size is known."""
    return BadFile(_("This file is larger than 1 MB."))


def write_row(cells: Sequence[str]) -> str:
    """One line of a file. What a spreadsheet would take for a formula gets an apostrophe before it, which
    `read_file` takes away again; account addresses need none, as handles are letters, digits and _."""
    line = StringIO()
    csv.writer(line).writerow([_guarded(cell) for cell in cells])
    return line.getvalue()


def _lines(content: bytes) -> list[str]:
    if len(content) > MOST_BYTES:
        raise too_large()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(_("This is not a CSV file in UTF-8.")) from error
    if "\x00" in text:
        raise BadFile(_("This is not a CSV file in UTF-8."))
    lines = re.split(r"\r\n|\r|\n", text)
    if any(len(line) > LONGEST_LINE for line in lines):
        raise BadFile(_("A line of this file is too long for an account."))
    return lines


def _cells(lines: list[str]) -> list[list[str]]:
    try:
        rows = list(csv.reader(lines, strict=True))
    except csv.Error as error:
        raise BadFile(_("This is not a CSV file in UTF-8.")) from error
    return [row for row in rows if any(cell.strip() for cell in row)]


def _refuse_other_kind(kind: FileKind, header: Sequence[str]) -> None:
    """To follow all whom one had muted would be a sad mistake."""
    told = next((TELLING[name] for name in header if name in TELLING), kind)
    if told == kind:
        return
    if told == FileKind.MUTES:
        raise BadFile(_("This is a list of people you muted. Choose “Mutes” for it."))
    raise BadFile(_("This is a list of people you follow. Choose “Follows” for it."))


def _cell(row: Sequence[str], column: int) -> str:
    return row[column].strip() if column < len(row) else ""


def _guarded(cell: str) -> str:
    return f"'{cell}" if _is_formula(cell) else cell


def _unguarded(cell: str) -> str:
    return cell[1:] if cell[:1] == "'" and _is_formula(cell) else cell


def _is_formula(cell: str) -> bool:
    """With its apostrophes or without, so that each that is added is taken away again."""
    bare = cell.lstrip("'")
    return bare[:1] in FORMULA and bare != ""
