"""Tells people who asks to follow them or to be their friend, and those who asked that they were accepted."""

from notifications.kinds import ACCEPTED, REQUESTS
from notifications.plan import Notifications
from relations.models import Relation, RelationType
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys
from socialsite.table.item import Item
from socialsite.table.keys import Key


@on(Relation, "INSERT", "MODIFY", "REMOVE")
def notify_of_request(change: Change, ledger: Ledger) -> None:
    """A request that ended was accepted if the two are together now; a declined one is told to nobody."""
    request = change.item
    assert isinstance(request, Relation)
    kind = RelationType(int(request.relation_type))
    was, now = _waits(change.old), _waits(change.new)
    if kind not in REQUESTS or was == now:
        return
    asking, asked = request.user_id, request.other_id
    notifications = Notifications()
    notifications.add(asked, REQUESTS[kind], actor=asking, cause=request.key, subject_id=asking)
    if was:
        cause = _together(kind, asking, asked)
        notifications.add(asking, ACCEPTED[kind], actor=asked, cause=cause, subject_id=asked)
    ledger.enter(notifications)


def _waits(request: Item | None) -> bool:
    return isinstance(request, Relation) and not request.delete_status


def _together(kind: RelationType, asking: str, asked: str) -> Key:
    if kind == RelationType.FOLLOW_REQUEST:
        return keys.following(asking, asked)
    return keys.relation(asking, RelationType.FRIEND, asked)
