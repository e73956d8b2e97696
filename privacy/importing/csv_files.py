"""Reads the CSV files of a Mastodon account: whom it follows, blocks and mutes, its lists and its bookmarks. What is
too large is refused before anything reads it, and what makes no sense is a line of the report."""

import csv
from collections.abc import Iterator
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from privacy.importing.lines import Line, line_of
from privacy.importing.outcomes import FileKind, Outcome

MOST_BYTES = 1_000_000
MOST_LINES = 10_000
LONGEST_LINE = 500  # characters

ADDRESS = "account address"
HEADERS = {  # in their second column; they tell such files apart
    FileKind.FOLLOWS: ("show boosts", ""),
    FileKind.MUTES: ("hide notifications", ""),
}
COLUMNS = {FileKind.LISTS: 2}


class Unreadable(ValueError):
    """The file is not what it should be. `sentence` says why, beside its field."""

    def __init__(self, sentence: str | Promise) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


TOO_LARGE = _("This file is too large. You can bring files of up to 1 MB here.")
TOO_MANY_LINES = _("This file has too many lines. You can bring up to 10,000 at once.")
NO_TEXT = _("This is no CSV file.")
OTHER_FILE = _("This is another file. Choose the one that is named %(name)s.")
NO_LINES = _("This file has no lines.")


def read_csv(kind: FileKind, content: bytes) -> list[Line]:
    """Returns the lines of a file. Raises `Unreadable`."""
    if len(content) > MOST_BYTES:
        raise Unreadable(TOO_LARGE)
    if content.count(b"\n") + content.count(b"\r") > 2 * MOST_LINES:
        raise Unreadable(TOO_MANY_LINES)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(NO_TEXT) from error
    if "\0" in text:
        raise Unreadable(NO_TEXT)
    texts = text.splitlines()
    if len(texts) > MOST_LINES:
        raise Unreadable(TOO_MANY_LINES)
    lines = list(_read(kind, texts))
    if not lines:
        raise Unreadable(NO_LINES)
    return lines


def _read(kind: FileKind, texts: list[str]) -> Iterator[Line]:
    cells_of_first = [one.strip().lower() for one in _cells(texts[0]) or ()] if texts else []
    has_header = bool(cells_of_first) and cells_of_first[0] == ADDRESS
    if has_header and [*cells_of_first, ""][1] not in HEADERS.get(kind, ()):
        raise Unreadable(OTHER_FILE % {"name": f"{kind}.csv"})
    if kind in HEADERS and not has_header:
        raise Unreadable(OTHER_FILE % {"name": f"{kind}.csv"})
    for number, text in enumerate(texts, 1):
        if text.strip() and not (has_header and number == 1):
            yield _line(kind, number, text)


def _line(kind: FileKind, number: int, text: str) -> Line:
    if kind == FileKind.BOOKMARKS:
        return line_of(number, text, Outcome.BOOKMARK)
    cells = _cells(text) if len(text) <= LONGEST_LINE else None
    if not cells or len(cells) < COLUMNS.get(kind, 1):
        return line_of(number, text, Outcome.NOT_READ)
    if kind == FileKind.BLOCKS and len(cells) > 1:
        return line_of(number, text, Outcome.NOT_READ)
    if kind == FileKind.LISTS:
        name, address = cells[0].strip(), cells[1]
        return line_of(number, text, address=_address(address), list=name)
    task: dict[str, Any] = {"address": _address(cells[0])}
    if kind == FileKind.FOLLOWS and [*cells, ""][1].strip().lower() == "false":
        task["hide_reposts"] = True
    return line_of(number, cells[0], **task)


def _address(cell: str) -> str:
    return cell.strip().removeprefix("acct:").removeprefix("@").lower()


def _cells(text: str) -> list[str] | None:
    try:
        return next(csv.reader([text]), None)
    except csv.Error:
        return None
