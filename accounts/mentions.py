"""Finds the people mentioned in a text, once, when it is written, so that showing it costs nothing."""

from collections.abc import Collection

from accounts.models import HandleClaim
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row
from socialsite.web.rich_text import mentioned_handles

MOST_MENTIONS = 10  # of a text; what stands after them is plain text


@access_pattern
def find_mentioned(text: str) -> dict[str, str] | None:
    """Returns the ids of the people mentioned in a text, by handle; None if it mentions no handle at all.

    One BatchGetItem of at most 10 claims, 0.5 read units each; nothing is read for a text without mentions.
    """
    handles = mentioned_handles(text)[:MOST_MENTIONS]
    if not handles:
        return None
    found = fetch([keys.handle_claim(handle) for handle in handles])
    claims = {handle: found.get(keys.handle_claim(handle)) for handle in handles}
    return {handle: row(HandleClaim, raw).user_id for handle, raw in claims.items() if raw}


def handles_in(raw: RawItem) -> Collection[str] | None:
    """Returns the handles that the text of a raw item links, None where they were never looked up."""
    mentions = raw.get("mentions")
    return None if mentions is None else mentions["M"].keys()
