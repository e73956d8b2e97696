"""Clears timelines after blocks and mutes, and fills them again after a mute. Friends get back the posts for friends.

From the moment of a block or mute, `UserSettings.hidden` keeps the person's posts out of the timeline. It names muted
people until their entries are cleared, and blocked people until the owner is here on another day. Then entries that a
running fan-out put in meanwhile are cleared once more.
"""

from accounts.models import UserSettings
from feed.stream_handlers.follow_timeline import clear_entries, fill_timeline
from relations.models import Relation, RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.leases.late_writes import Recent, remember
from socialsite.streams.ledger import Ledger
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.reading import fetch
from socialsite.table.writing import change as change_item

HIDING = (RelationType.BLOCK, RelationType.MUTE)


@on(Relation, "INSERT", "MODIFY")
def hide_person(change: Change, ledger: Ledger) -> None:
    """Clears the timeline when a block or mute begins, and fills it again when it ends if the person is still followed.

    For a friend who is not followed, `clear_entries` brings back the posts for friends. Reads both consistently, so the
    present state decides, in whatever order changes come. Safe to run twice: entries have fixed keys.
    """
    relation = change.item
    assert isinstance(relation, Relation)
    if relation.relation_type not in HIDING:
        return
    ledger.note_effect()
    user_id, other_id = relation.user_id, relation.other_id
    remember(change, Recent.TIMELINE, user_id, other_id)
    own = [keys.relation(user_id, kind, other_id) for kind in HIDING]
    edge = keys.following(user_id, other_id)
    found = fetch([*own, edge], consistent=True)
    if edge not in found or any(is_in_force(found.get(key)) for key in own):
        clear_entries(user_id, other_id)
    elif relation.relation_type == RelationType.MUTE:
        fill_timeline(user_id, other_id)
    if not blocks_either_way(found.get(own[0])):
        _forget(user_id, {other_id})


@on(UserSettings, "MODIFY")
def forget_hidden(change: Change, ledger: Ledger) -> None:
    """Clears posts hidden by blocks and mutes once more when the owner is here on another day, and forgets the names.

    Two BatchGetItems, a Query and BatchWriteItems for each hidden person, one UpdateItem. Safe to run twice: it deletes
    by key and puts entries with fixed keys.
    """
    old, new = change.old, change.new
    assert isinstance(old, UserSettings)
    assert isinstance(new, UserSettings)
    if not new.hidden or old.seen == new.seen:
        return
    for other_id in new.hidden:
        if _is_gone(new.user_id, other_id):
            clear_entries(new.user_id, other_id)
    _forget(new.user_id, new.hidden)
    ledger.note_effect()


def _forget(user_id: str, other_ids: set[str]) -> None:
    try:
        forgotten = [UserSettings.hidden.delete(other_ids)]
        change_item(UserSettings, keys.user_settings(user_id), forgotten)
    except NotFound:  # the account is gone
        return


def _is_gone(user_id: str, other_id: str) -> bool:
    edge, mute = (
        keys.following(user_id, other_id),
        keys.relation(user_id, RelationType.MUTE, other_id),
    )
    found = fetch([edge, mute], consistent=True)
    return edge not in found or is_in_force(found.get(mute))
