"""The CSV files in which people take follows, blocks, mutes and circles with them, in Mastodon's formats.

Whose rows are written is said in `exports.py`.
"""

import csv
from collections.abc import Sequence
from enum import StrEnum
from io import StringIO

FORMULA = ("=", "+", "-", "@")  # with these a spreadsheet begins a formula


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


def write_row(cells: Sequence[str]) -> str:
    """One line of a file. What a spreadsheet would take for a formula gets an apostrophe before it; account addresses
    need none, as handles are letters, digits and _."""
    line = StringIO()
    csv.writer(line).writerow([_guarded(cell) for cell in cells])
    return line.getvalue()


def _guarded(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell
