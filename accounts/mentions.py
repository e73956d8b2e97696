"""Finds the people mentioned in a text, once, when it is written, so that showing it costs nothing."""

from collections.abc import Mapping

from accounts.handles.holders import holder_of
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch
from socialsite.texts.found import mentioned_handles

MOST_MENTIONS = 10  # of a text; what stands after them is plain text


@access_pattern
def find_mentioned(text: str) -> dict[str, str] | None:
    """Returns the ids of the people mentioned in a text, by handle; None if it mentions no handle at all. A former
    handle still means its person.

    One BatchGetItem of at most 10 claims, 0.5 read units each; nothing is read for a text without mentions.
    """
    handles = mentioned_handles(text)[:MOST_MENTIONS]
    if not handles:
        return None
    found = fetch([keys.handle_claim(handle) for handle in handles])
    holders = {handle: holder_of(found.get(keys.handle_claim(handle))) for handle in handles}
    return {handle: holder.user_id for handle, holder in holders.items() if holder.user_id}


def mentioned_in(raw: RawItem) -> Mapping[str, str] | None:
    """Returns the people whom the text of a raw item links (handle: id), None where they were never looked up. The
    handle is the one that was written; the id says who was meant."""
    mentions = raw.get("mentions")
    if mentions is None:
        return None
    return {handle: user_id["S"] for handle, user_id in mentions["M"].items()}
