"""Removes places of deleted replies with nothing left below them, and gates of threads without replies."""

from contextlib import suppress

from feed.models import Reply, ThreadGate
from feed.threads.copies import GONE
from feed.threads.places import places_above
from socialsite.clock import utc_now
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys
from socialsite.table.actions import Delete
from socialsite.table.errors import NotFound
from socialsite.table.reading import query
from socialsite.table.writing import transact


@on(Reply, "MODIFY", "REMOVE")
def prune_thread(change: Change, ledger: Ledger) -> None:
    """Removes an emptied place without answers. Its removal is a change too, and removes the emptied place above.

    Safe to run twice: a place is deleted on condition that its post is gone, and no reply can come below such a place.
    """
    reply = change.item
    assert isinstance(reply, Reply)
    if change.event == "REMOVE":
        for path in places_above(reply.path)[-2:]:
            _remove_if_empty(reply.root_id, path)
        clear_gate(reply.root_id)
    elif reply.gone:
        _remove_if_empty(reply.root_id, reply.path)
    else:
        return
    ledger.note_effect()


def clear_gate(root_id: str) -> None:
    """Removes the gate that a deleted root left, if the thread has no replies: none can come without a root. The gate
    beside a root that ends by itself stays until then."""
    if _is_there(root_id, keys.branch_bounds("")):
        return
    root_ends, now = ThreadGate.root_ends, int(utc_now().timestamp())
    with suppress(NotFound):
        transact(Delete(keys.thread_gate(root_id), root_ends.does_not_exist() | (root_ends <= now)))


def _remove_if_empty(root_id: str, path: str) -> None:
    if _is_there(root_id, keys.branch_bounds(path)):
        return
    with suppress(NotFound):  # it is not gone, or removed already
        transact(Delete(keys.reply_place(root_id, path), Reply.gone == GONE))


def _is_there(root_id: str, between: tuple[str, str]) -> bool:
    rows = query(keys.thread(root_id), between=between, consistent=True, limit=1)
    return next(rows, None) is not None
