"""Corrects a timeline for one author, after a worker may have written late (`streams/leases/late_writes.py`)."""

from feed.stream_handlers.cross_to_pull import forget_to_pull
from feed.stream_handlers.follow_timeline import clear_entries, fill_timeline, learn_if_pulled
from relations.models import RelationType
from relations.relation import is_in_force
from socialsite.streams.leases.late_writes import Recent, settles
from socialsite.table import keys
from socialsite.table.reading import fetch
from socialsite.table.writing import write_differing


@settles(Recent.TIMELINE)
def settle_timeline(user_id: str, author_id: str) -> None:
    """Fills or clears the timeline by the present state. Repeats this if the state changed meanwhile, because another
    worker may have acted on the change in between.

    Two consistent BatchGetItems of the follow edge and the mute, 2 read units each, a Query of posts, BatchGetItems of
    the entries, 1 read unit each, and a write unit for each that is wrong. May run at any time.
    """
    holds = None
    while holds != (now := _what_holds(user_id, author_id)):
        holds = now
        follows, mutes = holds
        if follows and not mutes:
            fill_timeline(user_id, author_id, write_differing)
            continue
        if follows:
            learn_if_pulled(user_id, author_id)
        else:
            forget_to_pull(user_id, author_id)
        clear_entries(user_id, author_id, write_differing)


def _what_holds(user_id: str, author_id: str) -> tuple[bool, bool]:
    """Returns whether they follow and whether they mute the author."""
    edge = keys.following(user_id, author_id)
    mute = keys.relation(user_id, RelationType.MUTE, author_id)
    found = fetch([edge, mute], consistent=True)
    return edge in found, is_in_force(found.get(mute))
