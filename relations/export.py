"""The CSV files with which people export follows, blocks, mutes and circles, in Mastodon's formats."""

import csv
from collections.abc import Iterator, Sequence
from enum import StrEnum
from io import StringIO
from itertools import islice

from accounts.models import UserInfo
from accounts.people.viewer import Viewer, named
from relations.models import Following, Relation, RelationType
from relations.relation import is_in_force
from socialsite.table import Key, RawItem, access_pattern, fetch, keys, query, reading, row

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


ROWS_A_PAGE = 100

RELATIONS = {
    FileKind.BLOCKS: RelationType.BLOCK,
    FileKind.MUTES: RelationType.MUTE,
    FileKind.CIRCLES: RelationType.FRIEND,
}


def write_file(viewer: Viewer, kind: FileKind, *, host: str) -> Iterator[str]:
    """Yields the file in pieces, each read on demand, so that no whole list is ever in memory."""
    text = write_row(HEADERS[kind]) if HEADERS[kind] else ""
    after = ""
    while True:
        rows, after = list_file_rows(viewer, kind, host=host, after=after)
        yield text + "".join(map(write_row, rows))
        text = ""
        if not after:
            return


@access_pattern
def list_file_rows(
    viewer: Viewer, kind: FileKind, *, host: str, after: str = ""
) -> tuple[list[Sequence[str]], str]:
    """Returns the rows for the next 100 people, and the sort key after which the next rows begin (empty: these are the
    last).

    One Query of `u#<id>#following` or of `u#<id>#relation` with the type, and one BatchGetItem of infos: 3 read units
    for the first and 0.5 for each person. So 7,500 follows take 75 such pages, 4,000 read units. Leaves out people who
    are gone.
    """
    partition, bounds, other_id = keys.followings(viewer.user_id), None, Following.followed_id
    if kind in RELATIONS:
        partition, bounds = keys.relations(viewer.user_id), keys.relation_bounds(RELATIONS[kind])
        other_id = Relation.other_id
    start = Key(partition, after) if after else None
    found = list(
        islice(query(partition, after=start, between=bounds, limit=ROWS_A_PAGE), ROWS_A_PAGE)
    )
    held = [raw for raw in found if kind not in RELATIONS or is_in_force(raw)]
    infos = fetch(keys.user_info(reading.text(raw, other_id)) for raw in held)
    rows: list[Sequence[str]] = []
    for raw in held:
        info = infos.get(keys.user_info(reading.text(raw, other_id)))
        if info is not None:
            rows += _rows(viewer, kind, f"{row(UserInfo, info).handle}@{host}", raw)
    following = reading.key_of(found[-1]).sk if len(found) == ROWS_A_PAGE else ""
    return rows, following


def _rows(viewer: Viewer, kind: FileKind, address: str, raw: RawItem) -> list[Sequence[str]]:
    match kind:
        case FileKind.FOLLOWS:
            return [(address, "true", "false", "")]
        case FileKind.MUTES:
            return [(address, "true")]
        case FileKind.CIRCLES:
            circles = named(viewer.circles, row(Relation, raw).tags)
            return [(circle.name, address) for circle in circles]
        case _:
            return [(address,)]
