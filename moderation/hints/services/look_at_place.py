"""Looking at the accounts that came from one network."""

from accounts.viewer import Viewer
from moderation.audit.record import record
from moderation.hints.access_patterns import list_same_posts
from moderation.waves.waves import Target
from socialsite.table.meter import access_pattern


@access_pattern
def look_at_place(*, by: Viewer, hint_id: str, most: int) -> list[Target]:
    """Returns the people of a hint about a network, once the log says that someone looked and how many they found.

    As `list_same_posts`; a consistent GetItem of the log's head, 1 read unit, and one TransactWriteItems, 4 write
    units. Raises `NotFound`.
    """
    targets = list_same_posts(hint_id, most=most)
    record(by=by.user_id, action="look up network", detail={"found": len(targets)})
    return targets
