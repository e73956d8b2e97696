"""The cases of a queue or a desk by how pressing they are: gravity × age × reach, in one number that never has to be
written again while they grow older."""

from collections.abc import Callable, Collection, Iterator
from datetime import datetime, timedelta
from heapq import merge

from moderation.models import Case
from socialsite.site_settings.site_setup import MINOR, SERIOUS, URGENT
from socialsite.table import (
    PAGE_SIZE,
    Page,
    Place,
    RawItem,
    access_pattern,
    escalated_index_name,
    keys,
    read_cursor,
    row,
    write_cursor,
)
from socialsite.table.reading import query_index_all
from socialsite.table.transport.requests import index_request

PATIENCE = {URGENT: timedelta(hours=1), SERIOUS: timedelta(days=1), MINOR: timedelta(days=3)}
LOWEST = 5  # where cases stand that few report and few could see
SCOPE = "pressing"


def due_of(place: str) -> datetime:
    """Returns the moment by which a case should be decided, by its place in the index. The earlier, the more pressing:

        due = opened + patience of its severity / 2 ** (5 - stand)

    Gravity sets the patience: an hour, a day or three days. Reach halves it with each step that the case stands higher
    (`stand_of`: 2, 5, 10, 25 or 100 reporters, or 300 to 100,000 followers or likes). Age does the rest: as the moment
    never changes, whatever waits comes to the front by itself.
    """
    severity, rest = place.split("#", 1)
    stand, opened = rest.split("#")[:2] if rest[1:2] == "#" else (str(LOWEST), rest.split("#")[0])
    return datetime.fromisoformat(opened) + _patience(int(severity), int(stand))


def _patience(severity: int, stand: int) -> timedelta:
    return PATIENCE.get(severity, PATIENCE[MINOR]) / 2 ** (LOWEST - stand)


def anything(case: Case) -> bool:
    return True


@access_pattern
def list_pressing(
    partition: str,
    *,
    severity: int = 0,
    fits: Callable[[Case], bool] = anything,
    cursor: str | None = None,
    size: int = PAGE_SIZE,
) -> Page[RawItem]:
    """Returns the open cases of a queue or a desk, those first that are due first (`due_of`), as raw items; with
    `severity` those of one alone. A page of those that fit may be short and still have a next one.

    A Query of `escalatedIndex` for each of 21 stretches within which places sort by time alone, 7 with `severity`,
    asked together, however many cases there are. In all at most 10.5 + 10 read units.
    """
    scope = f"{SCOPE} {partition} {severity}"
    after = _read(read_cursor(scope, cursor).sk) if cursor else None
    stretches = [
        one for one in keys.queue_stretches() if not severity or one[0][0] == str(severity)
    ]
    requests = [
        index_request(
            escalated_index_name,
            partition,
            between=(_from(low, after), high),
            forward=True,
            limit=size + 1,
        )
        for low, high in stretches
    ]
    found = query_index_all(requests)
    ends = [rows[-1] for rows in found if len(rows) > size]
    reach = min((_order(raw) for raw in ends), default=None)  # beyond it a stretch may hold more
    shown: list[RawItem] = []
    last = ""
    for order, raw in _in_order(found):
        if after and order <= after:
            continue
        if len(shown) == size or (reach and order > reach):
            break
        last = _written(order)
        shown += [raw] if fits(row(Case, raw)) else []
    else:
        if reach is None:
            return Page(shown, None)
    return Page(shown, write_cursor(scope, Place("next", last)))


Order = tuple[datetime, str]


def _order(raw: RawItem) -> Order:
    place = row(Case, raw).escalated_at
    return due_of(place), place


def _in_order(found: Collection[list[RawItem]]) -> Iterator[tuple[Order, RawItem]]:
    lists = [[(_order(raw), raw) for raw in rows] for rows in found]
    return merge(*lists, key=lambda pair: pair[0])


def _from(low: str, after: Order | None) -> str:
    """Returns the lower bound of a stretch behind the last case that was shown: what opened long enough before."""
    if after is None:
        return low
    severity, stand = low.split("#")[:2]
    patience = _patience(int(severity), int(stand) if len(stand) == 1 else LOWEST)
    opened = (after[0] - patience).isoformat()
    return f"{severity}#{stand}#{opened}" if len(stand) == 1 else f"{severity}#{opened}"


def _written(order: Order) -> str:
    return f"{order[0].isoformat()} {order[1]}"


def _read(text: str) -> Order:
    due, place = text.split(" ", 1)
    return datetime.fromisoformat(due), place
