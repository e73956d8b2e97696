"""The CSV files with which people export follows, blocks, mutes and circles, in Mastodon's formats.

`exports.py` decides which rows are written.
"""

import csv
from collections.abc import Sequence
from enum import StrEnum
from io import StringIO

FORMULA = ("=", "+", "-", "@")  # a spreadsheet formula begins with one of these


class FileKind(StrEnum):
    """A list to export. The value is Mastodon's file name for it."""

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
    """Returns one line of a file. A text that a spreadsheet would read as a formula gets an apostrophe before it.
    Account addresses need none, because handles are letters, digits and _."""
    line = StringIO()
    csv.writer(line).writerow([_guarded(cell) for cell in cells])
    return line.getvalue()


def _guarded(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell
