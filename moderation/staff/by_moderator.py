"""What each moderator has done and has before them, by name: to share work out, not to compare people."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from statistics import median

from accounts.cards import PersonCard
from moderation.models import ClosedCase
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import query_all
from socialsite.table.row import row
from socialsite.table.transport.requests import query_request

MOST_CLOSED = 1000  # newest closings that are read


@dataclass(frozen=True, slots=True)
class Closed:
    """How many cases were closed, by moderator, and whether there were more than are read."""

    by_id: Mapping[str, int]
    has_more: bool


@dataclass(frozen=True, slots=True)
class OfModerator:
    person: PersonCard
    closed: int
    assigned: str  # a number, with "+" if there are more


@dataclass(frozen=True, slots=True)
class ByModerator:
    """`rows` are the staff by name, `others` the cases that the site itself or former staff closed."""

    rows: list[OfModerator]
    others: int
    has_more: bool

    @property
    def median(self) -> float:
        """Returns how many cases half of those who closed any closed at most."""
        return median([one.closed for one in self.rows if one.closed] or [0])


@access_pattern
def count_closed(since: str, months: Sequence[str]) -> Closed:
    """Counts the cases closed since a moment by moderator, in these months, the latest first. A case that was opened
    again and closed again counts twice.

    A Query of `closed#<month>` for each month, asked together, of at most 1,001 cases each: 0.5 read units per 4 KB.
    """
    requests = [
        query_request(
            keys.closed_cases(month),
            between=keys.closed_since(since),
            forward=False,
            limit=MOST_CLOSED + 1,
        )
        for month in months
    ]
    newest = islice(chain.from_iterable(query_all(requests)), MOST_CLOSED + 1)
    closings = [row(ClosedCase, raw).moderator_id for raw in newest]
    return Closed(Counter(closings[:MOST_CLOSED]), len(closings) > MOST_CLOSED)


def by_moderator(
    closed: Closed, staff: Sequence[PersonCard], assigned: Mapping[str, str]
) -> ByModerator:
    """Returns a row for each of the staff, in the order given. `assigned` holds the cases on each desk."""
    rows = [
        OfModerator(one, closed.by_id.get(one.user_id, 0), assigned.get(one.user_id, "0"))
        for one in staff
    ]
    others = sum(closed.by_id.values()) - sum(one.closed for one in rows)
    return ByModerator(rows, others, closed.has_more)
