"""Writes a person's follows, blocks, mutes and circles as the files that they export (`csv_files.py`)."""

from collections.abc import Iterator, Sequence
from itertools import islice

from accounts.circles import named
from accounts.models import UserInfo
from accounts.viewer import Viewer
from relations.csv_files import HEADERS, FileKind, write_row
from relations.models import Following, Relation, RelationType
from relations.relation import is_in_force
from socialsite.table import keys, reading
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row

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
