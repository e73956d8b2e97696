"""How many posts would go, before the person decides."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice

from accounts.viewer import Viewer
from privacy.old_posts.choice import Choice, Kind, kind_of, which_go
from socialsite.clock import utc_now
from socialsite.table import ids, keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import query

LOOKED_AT = 500  # posts, replies and reposts that are looked at to say how many go


@dataclass(frozen=True, slots=True)
class Preview:
    """How many of each kind would go, and whether newer ones were not looked at."""

    of_kind: Mapping[Kind, int]
    there_are_more: bool

    @property
    def count(self) -> int:
        return sum(self.of_kind.values())

    @property
    def posts(self) -> int:
        return self.of_kind.get(Kind.POSTS, 0)

    @property
    def replies(self) -> int:
        return self.of_kind.get(Kind.REPLIES, 0)

    @property
    def reposts(self) -> int:
        return self.of_kind.get(Kind.REPOSTS, 0)


def newest_to_go(days: int) -> str:
    """Returns the id up to which posts are at least this many days old now."""
    return ids.last_id_before(utc_now() - timedelta(days=days))


@access_pattern
def count_old_posts(viewer: Viewer, *, choice: Choice, until: str) -> Preview:
    """Returns how many of the viewer's posts up to this id would go by this choice, among the oldest 500 posts, replies
    and reposts.

    Query `PK = u#<id>#post` up to that id, 0.5 read units per 4 KB, at most 250; one BatchGetItem of the counts,
    0.5, and where saved posts stay of an entry on the shelf for each of them, 0.5 each, at most 250.
    """
    partition, bounds = keys.posts(viewer.user_id), keys.posts_until(until)
    rows = query(partition, between=bounds, limit=LOOKED_AT + 1)
    looked_at = list(islice(rows, LOOKED_AT + 1))
    going = which_go(viewer.user_id, looked_at[:LOOKED_AT], choice)
    return Preview(Counter(map(kind_of, going.items)), len(looked_at) > LOOKED_AT)
