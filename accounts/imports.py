"""What a row of an uploaded list means here, what became of it, and how far an import is.

Starting one is in `services/import_relations.py`, working through it in `stream_handlers/import_relations.py`.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.circles import LONGEST_CIRCLE
from accounts.csv_files import FileKind, Row
from accounts.forms.account import HANDLE
from accounts.viewer import Viewer
from socialsite.models import Import, ImportRows
from socialsite.table import ids, keys, reading
from socialsite.table.cursors import Place, read_cursor, write_cursor
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page
from socialsite.table.reading import as_model, get, query
from socialsite.web.fields import PlainTextField
from socialsite.web.time_zones import full_date

LINES_A_PAGE = 100
ITEMS_A_QUERY = 10
SHOWN_IMPORTS = 10
ADDRESS = re.compile(r"(?:acct:)?@?([\w.-]+)(?:@([^\s@/]+))?")

circle_name = PlainTextField(max_characters=LONGEST_CIRCLE)


class Result(StrEnum):
    """What became of a row."""

    DONE = "done"
    ASKED = "asked"
    ALREADY = "already"
    REPEATED = "repeated"
    NO_ADDRESS = "no-address"
    ELSEWHERE = "elsewhere"
    NOBODY = "nobody"
    YOURSELF = "yourself"
    BLOCKED_YOU = "blocked-you"  # in reports of before; it is not told any more
    YOU_BLOCK = "you-block"
    NO_FRIEND = "no-friend"
    NO_CIRCLE = "no-circle"
    LIMIT = "limit"
    BUSY = "busy"
    FROZEN = "frozen"


FINE = {Result.DONE, Result.ASKED, Result.ALREADY, Result.REPEATED}
TITLES = {
    FileKind.FOLLOWS: _("Import of follows"),
    FileKind.BLOCKS: _("Import of blocks"),
    FileKind.MUTES: _("Import of mutes"),
    FileKind.CIRCLES: _("Import of circles"),
}
DONE = {
    FileKind.FOLLOWS: _("Followed"),
    FileKind.BLOCKS: _("Blocked"),
    FileKind.MUTES: _("Muted"),
    FileKind.CIRCLES: _("Put in the circle"),
}
ALREADY = {
    FileKind.FOLLOWS: _("Followed or asked already"),
    FileKind.BLOCKS: _("Blocked already"),
    FileKind.MUTES: _("Muted already"),
    FileKind.CIRCLES: _("In the circle already"),
}
WORDS = {
    Result.ASKED: _("Asked, as they decide who follows them"),
    Result.REPEATED: _("Stands above already"),
    Result.NO_ADDRESS: _("Not the address of an account"),
    Result.ELSEWHERE: _("On another site, not on this one"),
    Result.NOBODY: _("Nobody here has this handle"),
    Result.YOURSELF: _("That is you"),
    Result.BLOCKED_YOU: _("Nobody here has this handle"),
    Result.YOU_BLOCK: _("You block them"),
    Result.NO_FRIEND: _("Not your friend: only friends can be in circles"),
    Result.NO_CIRCLE: _("Not a name for a circle: use 1 to 30 characters"),
    Result.LIMIT: _("You have as many as one may have"),
    Result.BUSY: _("Too busy just then: import it again"),
    Result.FROZEN: _("Your account was frozen by a moderator just then"),
}


def words_of(kind: FileKind, result: str) -> str:
    """What a report says of a row."""
    match Result(result):
        case Result.DONE:
            return str(DONE[kind])
        case Result.ALREADY:
            return str(ALREADY[kind])
        case other:
            return str(WORDS[other])


class ImportedRow(NamedTuple):
    """A row as it is kept: what was uploaded, the handle that it means (empty: none here), and what became of it
    (empty: nothing yet)."""

    account: str
    circle: str
    handle: str
    result: str


def understand(kind: FileKind, row: Row, *, host: str) -> ImportedRow:
    """What a row means here, and what is wrong with it already."""
    match = ADDRESS.fullmatch(row.account)
    if match is None:
        return ImportedRow(*row, "", Result.NO_ADDRESS)
    handle, site = match[1].lower(), match[2]
    if site and site.lower() != host.lower():
        return ImportedRow(*row, "", Result.ELSEWHERE)
    if not HANDLE.fullmatch(handle):
        return ImportedRow(*row, "", Result.NOBODY if site else Result.NO_ADDRESS)
    if kind != FileKind.CIRCLES:
        return ImportedRow(row.account, "", handle, "")
    try:
        return ImportedRow(row.account, circle_name.clean(row.circle), handle, "")
    except ValidationError:
        return ImportedRow(*row, "", Result.NO_CIRCLE)


@dataclass(frozen=True, slots=True)
class ImportCard:
    """How far an import is."""

    import_id: str
    kind: FileKind
    total: int
    done: int
    problems: int

    @property
    def url(self) -> str:
        return f"/settings/data/imports/{self.import_id}"

    @property
    def title(self) -> str:
        return str(TITLES[self.kind])

    @property
    def is_done(self) -> bool:
        return self.done >= self.total

    @property
    def fine(self) -> int:
        return self.done - self.problems

    @property
    def begun_iso(self) -> str:
        return ids.time_of(self.import_id).isoformat(timespec="seconds")

    @property
    def begun_text(self) -> str:
        return full_date(ids.time_of(self.import_id))


@dataclass(frozen=True, slots=True)
class ImportLine:
    """A row with its result, as the report shows it."""

    number: int
    account: str
    circle: str
    result: str
    text: str

    @property
    def is_fine(self) -> bool:
        return self.result in FINE


@access_pattern
def get_import(viewer: Viewer, import_id: str) -> ImportCard:
    """One of one's own imports: GetItem, 0.5 read units. Raises `NotFound`, also a week after it was uploaded."""
    return _card(get(Import, keys.imported(viewer.user_id, import_id)))


@access_pattern
def list_imports(viewer: Viewer) -> list[ImportCard]:
    """The newest 10 of one's own imports: one Query, 0.5 read units."""
    found = query(keys.imports(viewer.user_id), forward=False, limit=SHOWN_IMPORTS)
    return [_card(as_model(Import, raw)) for raw in islice(found, SHOWN_IMPORTS)]


@access_pattern
def list_import_lines(
    viewer: Viewer, done: ImportCard, *, problems_only: bool = False, cursor: str | None = None
) -> Page[ImportLine]:
    """A page of an import's rows with their results, about 100 of them.

    Query `PK = u#<id>#importrow`, `SK` beginning with the import: 0.5 read units per 4 KB, 3 a page; for problems that
    are few at most 90 over the 5,000 rows of the largest import. Raises `BadCursor`.
    """
    partition, bounds = (
        keys.import_rows(viewer.user_id),
        keys.import_row_bounds(done.import_id),
    )
    scope = f"{partition} {bounds[0]}"
    start = Key(partition, read_cursor(scope, cursor).sk) if cursor else None
    lines: list[ImportLine] = []
    for raw in query(partition, after=start, between=bounds, limit=ITEMS_A_QUERY):
        item = as_model(ImportRows, raw)
        lines += [line for line in _lines(item, done.kind) if not (problems_only and line.is_fine)]
        if len(lines) >= LINES_A_PAGE and int(item.first) + len(item.rows) < done.total:
            following = write_cursor(scope, Place("next", reading.key_of(raw).sk))
            return Page(lines, following, top=str(lines[0].number))
    return Page(lines, top=str(lines[0].number) if lines else None)


def _card(found: Import) -> ImportCard:
    return ImportCard(
        import_id=found.import_id,
        kind=FileKind(found.kind),
        total=int(found.total),
        done=int(found.done),
        problems=int(found.problems),
    )


def _lines(item: ImportRows, kind: FileKind) -> list[ImportLine]:
    rows = map(ImportedRow._make, item.rows)
    return [
        ImportLine(number, row.account, row.circle, row.result, words_of(kind, row.result))
        for number, row in enumerate(rows, int(item.first) + 1)
        if row.result
    ]
