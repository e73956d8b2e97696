"""Live partitions of the chart's shapes, from keys that are known: nothing is searched for."""

from dataclasses import dataclass

from accounts.access_patterns import find_user_by_handle
from lens.chart import PLACE, Shape
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import query

DEMO_HANDLE = "alice"
# Their places mean something else than those of the others.
WITHOUT = {"Lease", "RecentChange", "EmailClaim"}


@dataclass(frozen=True, slots=True)
class Example:
    """A person, and what of theirs fills the places of a key."""

    handle: str = ""
    user_id: str = ""
    post_id: str = ""

    @property
    def places(self) -> dict[str, str]:
        today = utc_now().date()
        known = {
            **dict.fromkeys(("<user>",), self.user_id),
            **dict.fromkeys(("<post>", "<root>"), self.post_id),
            "<handle>": self.handle,
            "<first 1 or 2 letters>": self.handle[:2],
            "<month>": f"{today:%Y-%m}",
            "<day>": today.isoformat(),
            "<shard>": "0",
        }
        return {place: value for place, value in known.items() if value}

    def partition_of(self, shape: Shape) -> str:
        """Returns a partition of this shape, empty if nothing is known that would fill it."""
        if shape.item in WITHOUT or not shape.partitions:
            return ""
        places = self.places
        if any(place not in places for place in PLACE.findall(shape.partition)):
            return ""
        return PLACE.sub(lambda match: places[match[0]], shape.partition)


@access_pattern
def find_example(handle: str) -> Example:
    """Returns a person with their newest post, of the demo if no `handle` is given; an empty one if nobody has it.

    GetItem of the claim, Query of a post: 1 read unit.
    """
    try:
        user_id = find_user_by_handle(handle or DEMO_HANDLE)
    except NotFound:
        return Example()
    newest = next(query(keys.posts(user_id), forward=False, limit=1), None)
    post_id = str((newest or {}).get("post_id", {}).get("S", ""))
    return Example(handle or DEMO_HANDLE, user_id, post_id)
